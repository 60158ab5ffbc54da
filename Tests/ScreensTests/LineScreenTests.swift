import Playback
import Scores
import Screens
import Testing
import Timing

@Suite("Line screen")
struct LineScreenTests {
    private let header = "Piece · Nobody, 4 bars, 0:07.7, 100%, drone B4 493.88 Hz\n"
    private let bars = [
        "    1.1    0:00.000    3.000 s  A  go\n",
        "    1.2    0:03.000    2.700 s\n",
        "    2.1    0:05.700    1.000 s\n",
        "    2.2    0:06.700    1.000 s  bell\n",
    ]

    /// The lines written when the screen shows each status.
    private func written(
        _ looks: [(status: Status, now: Int64)], end: Status? = nil, joins: Bool = false
    ) -> [String] {
        var lines: [String] = []
        var screen = LineScreen(joins: joins) { lines.append($0) }
        for look in looks { _ = screen.show(look.status, at: look.now) }
        if let end { screen.end(end) }
        return lines
    }

    @Test("the header comes first, and once")
    func headerOnce() {
        let status = Status.of(countsTo: .zero, zeroHeard: seconds(10))
        #expect(written((0..<3).map { (status, seconds(Double($0))) }) == [header])
        #expect(ScoreWords().header(.of(passes: nil)) == "Piece · Nobody, until stopped, 100%, drone B4 493.88 Hz")
        #expect(
            ScoreWords().header(.of(Score(lines: [.init(bars: [.init(.seconds(2))])])))
                == "1 bar, 0:02.0, 100%, no drone"
        )
    }

    @Test("music that begins at a time of day has one line that says how long it waits")
    func waiting() {
        var status = Status.of(zeroHeard: seconds(10))
        status.begins = .zero
        let lines = written([(status, 0), (status, seconds(1))])
        #expect(lines == [header, "begins in 0:10.0\n"])
    }

    @Test("every bar has one line, however often the screen is updated")
    func oneLineEach() {
        for step in [0.01, 0.1, 0.37, 0.99] {
            let looks = (0...Int(7.69 / step)).map { (Status.of(), seconds(Double($0) * step)) }
            #expect(written(looks) == [header] + bars)
        }
    }

    @Test("a bar has no second line if a stop takes effect just before the line of the next bar")
    func stopBeforeLine() {
        let lines = written([(.of(), seconds(2.9)), (.of(), seconds(3.01))], end: .of().stopped(at: seconds(2.99)))
        #expect(lines == [header] + bars[..<2] + ["stopped at line 1, bar 1, 0:03.0 of 0:07.7\n"])
    }

    @Test("a bar has no second line if the clock of a card goes back by some milliseconds")
    func clockGoesBack() {
        let looks = [0, 2.9, 3.01, 2.98, 6.72, 6.69, 5.69, 7.6].map { (Status.of(), seconds($0)) }
        var end = Status.of()
        end.stage = .over(.complete)
        #expect(written(looks, end: end) == [header] + bars + ["end\n"])
    }

    @Test("bars that passed between two updates are printed, too")
    func betweenLooks() {
        #expect(written([(.of(), 0), (.of(), seconds(7))]) == [header] + bars)
        #expect(written([(.of(), seconds(0.1)), (.of(), seconds(5.7))]) == [header] + bars[..<3])
    }

    @Test("where another machine leads, the last bars of a long absence have lines, and not a million")
    func absence() {
        let score = Score(lines: [
            Score.Line(passes: 100_000, bars: Array(repeating: Score.Bar(.seconds(1)), count: 10))
        ])
        var count = 0
        var screen = LineScreen(isLed: true) { _ in count += 1 }
        _ = screen.show(.of(score), at: seconds(0.5))
        _ = screen.show(.of(score), at: seconds(900_000.5))
        #expect((100..<1000).contains(count), "\(count)")
    }

    @Test("who joins the music of another machine gets lines from the bar that is heard on, and none if it is over")
    func joining() {
        #expect(written([(.of(), seconds(5.8)), (.of(), seconds(6.8))], joins: true) == [header] + bars[2...])
        #expect(written([], end: .complete, joins: true) == [header, "end\n"])
        // Also if its leader began in the middle: the header is that of the leader.
        var later = Status.of(anchor: Anchor(position: .milliseconds(2700), speed: .asWritten))
        later.performance.first = 1
        let short = "Piece · Nobody, 3 bars, 0:04.7, 100%, drone B4 493.88 Hz\n"
        #expect(written([(later, seconds(4.2))], joins: true) == [short, bars[3]])
    }

    @Test("bars that passed before a late first update are printed, too")
    func lateFirst() {
        #expect(written([(.of(), seconds(5.8))]) == [header] + bars[..<3])
    }

    @Test("however many bars passed between two updates, as with a slow reader, each is printed")
    func manyBetweenLooks() {
        let score = Score(lines: [Score.Line(passes: 5000, bars: [Score.Bar(.milliseconds(1))])])
        var end = Status.of(score)
        end.stage = .over(.complete)
        let lines = written([(.of(score), 0), (.of(score), seconds(4))], end: end)
        #expect(lines.count == 5002)
        #expect(lines[1...5000].enumerated().allSatisfy { $1.drop { $0 == " " }.hasPrefix("\($0 + 1).1 ") })
    }

    @Test("each hold has a line when it begins, also if it passed between two updates, and again after a jump back")
    func holds() throws {
        let score = try Score.of("bars: [{duration: 9, hold: 6 at 2}, 1, {duration: 2, hold: [0.5 at 1, 3]}]")
        let lines = [
            "    1.1    0:00.000   15.000 s\n", "holding, 6.0 s\n", "    1.2    0:15.000    1.000 s\n",
            "    1.3    0:16.000    5.500 s\n", "holding, 0.5 s\n", "holding, 3.0 s\n",
        ]
        func shown(_ times: [Double]) -> [String] {
            Array(written(times.map { (.of(score), seconds($0)) }).dropFirst())
        }
        #expect(shown([0, 1.9]) == [lines[0]])
        #expect(shown([0, 1.9, 2, 5, 8, 12]) == Array(lines[0...1]))
        for times in [[21], [0, 21], [1, 3, 16.2, 17.1, 19], [0, 16, 21.4]] as [[Double]] {
            #expect(shown(times) == lines, "\(times)")
        }
        let back = Status.of(score, anchor: Anchor(time: .seconds(5), speed: .asWritten))
        let looks = [(Status.of(score), seconds(0)), (.of(score), seconds(4)), (back, seconds(5)), (back, seconds(8))]
        #expect(written(looks).count { $0 == lines[1] } == 2)
    }

    @Test("a line is due when a hold begins, and after it")
    func wakeForHolds() throws {
        let status = Status.of(try Score.of("bars: [{duration: 9, hold: 6 at 2}, 1]"))
        var screen = LineScreen { _ in }
        #expect(screen.show(status, at: 0) == seconds(2))
        #expect(screen.show(status, at: seconds(2)) == seconds(8))
        #expect(screen.show(status, at: seconds(8)) == seconds(15))
    }

    @Test("after a jump back the bars are printed again")
    func jumpBack() {
        let jumped = Status.of(anchor: Anchor(time: .seconds(6), position: .seconds(3), speed: .asWritten))
        let looks = [(Status.of(), seconds(0)), (.of(), seconds(5.8)), (jumped, seconds(6)), (jumped, seconds(8.7))]
        let printed: [String] = [header, bars[0], bars[1], bars[2], bars[1], bars[2]]
        #expect(written(looks) == printed)
    }

    @Test("a bar that a command begins anew has another line, and one in which the music goes on has none")
    func begunAnew() {
        func after(_ time: Double, _ position: Double, paused: Duration? = nil, effect: Double, _ count: Int) -> Status
        {
            var status = Status.of(
                anchor: Anchor(
                    time: .milliseconds(Int64(time * 1000)), position: .milliseconds(Int64(position * 1000)),
                    speed: .asWritten), paused: paused)
            (status.commandCount, status.jumps, status.effect) = (count, count, .milliseconds(Int64(effect * 1000)))
            return status
        }
        let begin = [(Status.of(), seconds(0)), (.of(), seconds(4))]
        // To the beginning of the bar, however late the screen looks.
        for look in [5, 5.5, 7.6] {
            let again = after(5, 3, effect: 5, 1)
            let looks = begin + [(again, seconds(4.9)), (again, seconds(look))]
            #expect(written(looks) == [header, bars[0], bars[1], bars[1]])
        }
        let back = after(5, 0, effect: 5, 1)
        #expect(written(begin + [(back, seconds(4.9)), (back, seconds(8.5))]) == [header] + bars[..<2] + bars[..<2])
        // A command that moves nothing, a change of speed, and a shift.
        for status in [after(0, 0, effect: 5, 1), after(5, 5, effect: 5, 1), after(0.02, 0, effect: 5, 1)] {
            #expect(written(begin + [(status, seconds(4.9)), (status, seconds(5.1))]) == [header] + bars[..<2])
        }
        // In a pause, the bar has its line with the jump, and none when the music goes on.
        let paused = after(0, 0, paused: .seconds(5), effect: 5, 1)
        let jumped = after(5, 3, paused: .seconds(3), effect: 6, 2)
        let resumed = after(7, 3, effect: 7, 3)
        let looks = [(paused, seconds(5.1)), (jumped, seconds(6.1)), (resumed, seconds(7.1)), (resumed, seconds(8))]
        #expect(
            written(begin + looks) == [
                header, bars[0], bars[1], "paused; `barline continue` goes on\n", bars[1], "going on\n",
            ])
    }

    @Test("skipped bars are not printed after a jump ahead")
    func jumpAhead() {
        let jumped = Status.of(anchor: Anchor(time: .seconds(1), position: .milliseconds(5700), speed: .asWritten))
        let looks = [(Status.of(), seconds(0)), (jumped, seconds(1)), (jumped, seconds(2.5))]
        #expect(written(looks) == [header, bars[0], bars[2], bars[3]])
    }

    @Test("the next update is due when the next bar begins, and not at all while the music is paused")
    func wake() {
        var screen = LineScreen { _ in }
        #expect(screen.show(.of(), at: seconds(1)) == seconds(3))
        #expect(screen.show(.of(), at: seconds(6)) == seconds(6.7))
        let late = seconds(100)
        #expect(screen.show(.of(paused: .seconds(1)), at: late) == .max)
        #expect(screen.show(.of(), at: late) == .max)
    }

    @Test("the speed changes the lengths of bars, but not their places in the score")
    func halfSpeed() throws {
        let status = Status.of(anchor: Anchor(speed: try speed(500_000)))
        #expect(written([(status, seconds(6))]).last == "    1.2    0:03.000    5.400 s\n")
    }

    @Test("a problem is printed when it changes")
    func trouble() {
        var troubled = Status.of()
        troubled.xruns = 1
        var worse = troubled
        worse.xruns = 2
        let looks = [
            (Status.of(), seconds(0)), (troubled, seconds(0.1)), (troubled, seconds(0.2)), (worse, seconds(0.3)),
        ]
        #expect(written(looks) == [header, bars[0], "1 dropout (xrun)\n", "2 dropouts (xruns)\n"])
    }

    @Test(
        "where another machine leads, no line says how to go on from a pause, and the status of a hold does not either")
    func led() throws {
        func told(isLed: Bool) -> [String] {
            var lines: [String] = []
            var screen = LineScreen(isLed: isLed) { lines.append($0) }
            for status in [Status.of(), .of(paused: .seconds(1))] { _ = screen.show(status, at: seconds(1)) }
            return Array(lines.dropFirst(2))
        }
        #expect(told(isLed: false) == ["paused; `barline continue` goes on\n"])
        #expect(told(isLed: true) == ["paused\n"])
        var holding = Status.of(try Score.of("bars: [{duration: 4, hold: until cue at 2}]"))
        holding.held = HeldMusic(boundary: 0, position: .seconds(2), length: .zero)
        func line(isLed: Bool) -> String { StatusText.line(holding, isLed: isLed, at: seconds(3)) }
        #expect(line(isLed: false).hasSuffix(", holding (`barline continue` to go on)"))
        #expect(line(isLed: true).hasSuffix(", holding"))
    }

    @Test("a trouble that goes on is not told again because another one comes or goes")
    func troubles() {
        var (gone, silent) = (Status.of(), Status.of())
        gone.network = "JACK is gone"
        silent.network = "JACK is gone"
        silent.sound = .lost("jack", reason: "broken")
        let looks = [gone, silent, gone, silent].enumerated().map { ($1, seconds(Double($0) * 0.1)) }
        let lost = "sound device 'jack' lost: broken\n"
        let told = written(looks).filter { $0 != header && $0 != bars[0] }
        #expect(told == ["JACK is gone\n", lost, lost], "\(told)")
    }

    @Test("the end is printed, after the bars that were heard and not yet printed; after a stop with its place")
    func end() {
        #expect(written([(.of(), 0), (.of(), seconds(4))], end: .complete) == [header] + bars + ["end\n"])
        let stopped = "stopped at line 1, bar 2, 0:04.0 of 0:07.7\n"
        for end in [seconds(4), seconds(4) + 1] {
            #expect(written([(.of(), 0)], end: .of().stopped(at: end)) == [header, bars[0], bars[1], stopped])
        }
        let counting = Status.of(countsTo: .zero, zeroHeard: seconds(5))
        #expect(written([], end: counting.stopped(at: 0)) == [header, "stopped in the count-in\n"])
        #expect(written([]) == [])
    }

    @Test("a pause has a line with its cause when it begins, and another when the music goes on")
    func pauses() {
        var slept = Status.of(paused: .seconds(1))
        slept.pause?.isBySuspend = true
        let hint = "`barline continue` goes on\n"
        let looks = [
            (Status.of(), 0), (.of(paused: .seconds(1)), seconds(2)), (slept, seconds(3)), (.of(), seconds(4)),
        ]
        #expect(
            written([looks[0], looks[1], looks[3]])
                == [header, bars[0], "paused; \(hint)", bars[1], "going on\n"])
        #expect(
            written([looks[0], looks[2]])
                == [header, bars[0], "paused, because the machine was suspended; \(hint)"])
        let paused = Status.of(paused: .seconds(1))
        #expect(
            written([(paused, seconds(2))], end: paused.stopped(at: seconds(900)))
                == [header, bars[0], "paused; \(hint)", "stopped at line 1, bar 1, 0:01.0 of 0:07.7\n"])
    }

    @Test("without a status nothing is printed")
    func noStatus() {
        var lines: [String] = []
        var screen = LineScreen { lines.append($0) }
        screen.end(nil)
        #expect(lines == [])
    }

    @Test("titles, labels and cues cannot control the terminal")
    func printable() {
        let score = Score(
            title: "T\u{202E}itle", composer: "C\u{2067}",
            lines: [Score.Line(bars: [Score.Bar(.seconds(3), label: "L\u{200F}", cue: "c\u{9B}2J")])])
        let status = Status.of(score, sound: .lost("d\u{202E}", reason: "gone"))
        let lines = written([(status, seconds(1))], end: .of(score).stopped(at: seconds(1)))
        #expect(lines.count == 4)
        let unsafe = lines.joined().unicodeScalars.filter {
            $0.properties.isBidiControl || $0 != "\n" && $0.properties.generalCategory == .control
        }
        #expect(unsafe.isEmpty)
        #expect(lines[0].hasPrefix("T\u{FFFD}itle · C\u{FFFD}, "))
        #expect(lines[2].hasSuffix("  L\u{FFFD}  c\u{FFFD}2J\n"))
        #expect(StandScreen.farewell(status.stopped(at: 0)).hasPrefix("T\u{FFFD}itle · C\u{FFFD}: "))
    }

    @Test("a line at the foot of the terminal keeps its own escape sequences, and no others")
    func sheet() {
        let marks = ("\u{1B}[7m", "\u{1B}[27m")
        #expect(
            TerminalFoot.printable("a\u{1B}[7m1\u{1B}[27mb\u{202E}\u{1B}[2J", marks)
                == "a\u{1B}[7m1\u{1B}[27mb\u{FFFD}\u{FFFD}[2J")
        #expect(TerminalFoot.printable("[1]\u{9B}", ("[", "]")) == "[1]\u{FFFD}")
        #expect(TerminalFoot.printable("x\u{7}", ("", "")) == "x\u{FFFD}")
    }

    @Test("a drone without music prints one line, and a problem when it changes")
    func droneScreen() {
        var lines: [String] = []
        var screen = DroneScreen { lines.append($0) }
        var troubled = Status.of()
        troubled.xruns = 1
        for status in [Status.of(), .of(), troubled, troubled] { #expect(screen.show(status, at: 5) == .max) }
        screen.end(troubled)
        #expect(lines == ["drone B4 493.88 Hz, until Ctrl-C\n", "1 dropout (xrun)\n"])
    }
}
