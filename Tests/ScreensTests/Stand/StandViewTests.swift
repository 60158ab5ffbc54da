import Playback
import Scores
import Screens
import Testing
import Timing
import UserSettings

@Suite("Stand view")
struct StandViewTests {
    private func rows(
        _ status: Status, at now: Int64, columns: Int = 80, rows: Int = 24, _ choices: StandChoices = StandChoices()
    ) -> [String] {
        StandView(status, status.moment(at: now), choices, at: now).canvas((columns, rows), lit: nil).text
    }

    private func words(_ rows: [String]) -> String { rows.joined(separator: "\n") }

    @Test("a bar is shown with place, texts, remaining time, next bar, progress, the line to scale, and settings")
    func bar() {
        #expect(
            rows(.of(), at: seconds(1.5)) == [
                "  Piece · Nobody                                                       PLAYING",
                "  line 1, bar 1 of 2  1.5 s of 3.0",
                "  A  go",
                "", "",
                "                          ████                ████████████",
                "                          ████                ████████████",
                "                      ████████                ████",
                "                      ████████                ████",
                "                          ████                ████████████",
                "                          ████                ████████████",
                "                          ████                        ████",
                "                          ████                        ████",
                "                      ████████████    ████    ████████████",
                "                      ████████████    ████    ████████████",
                "", "",
                "  then bar 2, 2.7 s",
                "  " + String(repeating: "█", count: 38) + String(repeating: "·", count: 38),
                "",
                "  1                                       2",
                "  │━━━━━━━━━━━━━━━━━━━●───────────────────│───────────────────────────────────",
                "  100%   A4 440.0   drone B4 493.88 Hz -24 dB   clicks -6 dB",
                "  0:01.5 of 0:07.7             Space pause   ←→ bar   ↑↓ line   ? keys   q end",
            ])
    }

    @Test("other voices have a row each: their bar, its progress, the remaining time and texts")
    func companions() throws {
        let score = try Score.of(
            """
            voices:
              flute: {bars: [3, 2.7, 4]}
              harp: {bars: [1, {duration: 4, label: B, cue: softly}]}
              bell: {bars: [1]}
            """)
        let shown = rows(.of(score), at: seconds(2))
        #expect(shown[1] == "  flute  line 1, bar 1 of 3  1.0 s of 3.0")
        let row = try #require(shown.firstIndex { $0.hasPrefix("  harp") })
        #expect(shown[row] == "  harp  1.2    ████············    3.0 s  B  softly")
        #expect(shown[row + 1] == "  bell  end")
        // A small screen has the leading voice alone.
        #expect(!rows(.of(score), at: seconds(2), columns: 40, rows: 10).contains { $0.contains("harp") })
    }

    @Test("every state has its own word")
    func states() {
        var lost = Status.of()
        lost.sound = .lost("default", reason: "it is gone")
        var held = Status.of()
        held.held = HeldMusic(boundary: 0, position: .seconds(3), length: .zero)
        for (status, now, word) in [
            (Status.of(countsTo: .zero, zeroHeard: seconds(3)), seconds(0.25), "COUNT-IN"), (.of(), 0, "PLAYING"),
            (.of(paused: .seconds(4)), seconds(100), "PAUSED"), (held, seconds(5), "HOLDING"),
            (lost, 0, "NO SOUND CARD"), (.of(), seconds(8), "END"),
        ] {
            for (columns, count) in [(40, 10), (80, 24), (200, 60)] {
                #expect(rows(status, at: now, columns: columns, rows: count)[0].hasSuffix(word))
            }
        }
        #expect(rows(lost, at: 0).last?.contains("sound device 'default' lost: it is gone") == true)
    }

    @Test("the digits do not move while a bar counts down", arguments: [(40, 10), (80, 24), (200, 60)])
    func figuresStandStill(columns: Int, count: Int) {
        var bar = Score.Bar(.milliseconds(12_000))
        bar.cue = "x"
        let status = Status.of(Score(lines: [Score.Line(bars: [bar])]))
        // The digits begin in the same row at every time.
        var points = Set<String>()
        for tenth in 1..<119 {
            let shown = StandView(status, status.moment(at: seconds(Double(tenth) / 10)), StandChoices(), at: 0)
                .canvas((columns, count), lit: nil).text
            let isFirst = shown.firstIndex { $0.contains("█") || $0.contains("▄") || $0.contains("▀") }
            points.insert("\(isFirst ?? -1)")
        }
        #expect(points.count == 1)
    }

    @Test("80 columns have room for all settings, and fewer columns for whole words")
    func settings() {
        var status = Status.of()
        status.performance.drone = Score.Drone()
        status.performance.countsInJumps = true
        #expect(!rows(status, at: 0)[22].contains("jumps"))
        status.performance.countIn = .beats(4)
        status.performance.clickLevel = Level(decibels: -12)
        let settings = ["100%", "A4 440.0", "drone B4 493.88 Hz -24 dB", "clicks -12 dB", "jumps counted in"]
        #expect(rows(status, at: 0)[22] == "  " + settings.joined(separator: "  "))
        #expect(rows(status, at: 0, columns: 100)[22] == "  " + settings.joined(separator: "   "))
        #expect(rows(status, at: 0, columns: 66)[22].hasSuffix("clicks -12 dB …"))
    }

    @Test("the large digits can show the bar number instead")
    func barFigure() {
        var choices = StandChoices()
        choices.digits = .bar
        // The digit 1 is one block wide at its top, 2 is three.
        let (one, two) = (rows(.of(), at: seconds(1), choices), rows(.of(), at: seconds(4), choices))
        #expect(one[4].count { $0 == "█" } * 3 == two[4].count { $0 == "█" })
    }

    @Test("a problem with the sound is shown in place of the time if there is no room for both")
    func trouble() {
        var status = Status.of()
        status.sound = .lost("a card with a long name", reason: "No such device")
        let words = "sound device 'a card with a long name' lost: No such device"
        #expect(rows(status, at: seconds(1.5))[23].hasPrefix("  \(words)"))
        #expect(rows(status, at: seconds(1.5), columns: 90)[23].hasPrefix("  0:01.5 of 0:07.7   \(words)"))
        #expect(rows(status, at: seconds(1.5), columns: 61)[23].hasPrefix("  sound device lost: No such device"))
    }

    @Test("a loop is marked on the strip and named, and a program shows its progress")
    func practice() throws {
        var status = Status.of()
        status.performance.passage = Passage(status.home.timeline, [Passage.Stretch(1..<2)], passes: nil)
        status.isHome = false
        let shown = rows(status, at: seconds(3))
        #expect(shown[1].hasSuffix("loop 1.2  pass 2"))
        #expect(shown.contains { $0.hasPrefix("  1 ") && $0.hasSuffix("[2]") })
        // A ladder over the loop leaves its brackets.
        let ladder = try PracticeProgram(scoreText: "ladder 90% 5%").stretches(of: status.home.timeline, bars: 1..<2)
        status.performance.passage = Passage(status.home.timeline, ladder, passes: nil)
        #expect(rows(status, at: seconds(3)).contains { $0.hasPrefix("  1 ") && $0.hasSuffix("[2]") })
        let each = try PracticeProgram(scoreText: "each 2").stretches(of: status.home.timeline, bars: 0..<4)
        status.performance.passage = Passage(status.home.timeline, each, passes: 1)
        #expect(rows(status, at: seconds(6))[1].hasSuffix("2 of 2"))
        #expect(words(rows(status, at: seconds(6))).contains("line 1, bar 1 of 2"))
        status.performance.silence = Performance.Silence(bars: 1, of: 2)
        #expect(rows(status, at: seconds(1))[1].hasSuffix("silent 1 of 2"))
        #expect(rows(status, at: seconds(4))[1].hasSuffix("silent"))
        status.performance.silence = Performance.Silence(percent: 1, seed: 42)
        #expect(rows(status, at: seconds(1))[1].hasSuffix("silent random 1% 42"))
    }

    @Test("time brackets are drawn in their places, and say whether they are opening, open or closing")
    func brackets() throws {
        let score = try Score.of(
            """
            brackets:
              - {label: I, start: 0:00 - 0:20, end: 0:30 - 0:40, cue: soft}
              - {start: 0:50, end: 1:00}
            """)
        let status = Status.of(score)
        for (now, word) in [(5.0, "I soft opening"), (25, "I soft open"), (35, "I soft closing")] {
            let shown = rows(status, at: seconds(now))
            #expect(words(shown).contains(word), "\(shown)")
            #expect(words(shown).contains("░") && words(shown).contains("▒"))
        }
        #expect(words(rows(status, at: seconds(45))).contains("2 █"))
        #expect(!words(rows(status, at: seconds(45))).contains("I soft"))
        #expect(words(rows(status, at: seconds(55))).contains("2 open"))
    }

    @Test("holds are marked on the strip")
    func holds() throws {
        let score = try Score.of("bars: [2, {duration: 2, hold: 1}, 2]")
        #expect(words(rows(.of(score), at: 0)).contains("2^"))
    }

    @Test(
        "in a timed hold the state, the large digits, the words and the strip show it",
        arguments: [(40, 10), (80, 24), (200, 60)])
    func timedHold(columns: Int, count: Int) throws {
        let status = Status.of(try Score.of("bars: [{duration: 9, hold: 6 at 2}]"))
        let shown = rows(status, at: seconds(4), columns: columns, rows: count)
        #expect(shown[0].hasSuffix("HOLDING"))
        #expect(shown[1].hasSuffix("line 1, bar 1 of 1  hold, 4.0 s of 6.0"))
        let strip = try #require(shown.first { $0.contains("●") })
        #expect(strip.contains("^╍") && strip.contains("●╌") && strip.contains("╌───"))
        // The digits are those of a bar with as much time left.
        let alike = rows(.of(try Score.of("bars: [6]")), at: seconds(2), columns: columns, rows: count)
        let digits = { (rows: [String]) in rows[2..<(rows.firstIndex { $0.contains("then the end") } ?? 2)] }
        #expect(digits(shown) == digits(alike))
        var paused = status
        paused.pause = Status.Pause(.seconds(4))
        let still = rows(paused, at: 0, columns: columns, rows: count)
        #expect(still[0].hasSuffix("PAUSED") && digits(still) == digits(shown))
    }

    @Test("at a hold until a cue the large digits are the seconds that the music has waited")
    func untilCue() throws {
        var status = Status.of(try Score.of("bars: [{duration: 3, hold: until cue}]"))
        status.performance.waits = true
        status.held = HeldMusic(boundary: 0, position: .seconds(3), length: .zero)
        let shown = rows(status, at: seconds(15.5))
        #expect(shown[0].hasSuffix("HOLDING") && shown[1] == "  line 1, bar 1 of 1  hold, 12 s so far")
        #expect(words(shown).contains("^"))
    }

    @Test("a bar has the same length in every place, and no more left than that")
    func roundedAlike() throws {
        let status = Status.of(try Score.of("bars: [1, 1.62]"))
        #expect(rows(status, at: 0).contains("  then bar 2, 1.6 s"))
        #expect(rows(status, at: seconds(1))[1] == "  line 1, bar 2 of 2  1.6 s of 1.6")
        #expect(rows(status, at: seconds(1.03))[1] == "  line 1, bar 2 of 2  1.6 s of 1.6")
        #expect(rows(status, at: seconds(1.13))[1] == "  line 1, bar 2 of 2  1.5 s of 1.6")
        #expect(StatusText.line(status, at: seconds(1)).contains("1.6 s left"))
        #expect(CompanionRows.texts(status, try #require(status.moment(at: 0).bar), columns: 80, most: 3) == [])
    }

    @Test("however little room there is, no text is cut in a number")
    func numbersAreWhole() throws {
        let score = try Score.of("bars: [\(Array(repeating: "5", count: 12).joined(separator: ", ")), 5.25]")
        var status = Status.of(score)
        status.performance.passage = Passage(status.home.timeline, [Passage.Stretch(11..<13)], passes: nil)
        status.isHome = false
        let whole = rows(status, at: seconds(6.4), columns: 200, rows: 24)
        let known = Set(whole[...2].joined(separator: " ").split(separator: " "))
        for columns in 12...80 {
            let row = rows(status, at: seconds(6.4), columns: columns, rows: 10)[1]
            for word in row.split(separator: " ") where word.contains(where: \.isNumber) {
                #expect(known.contains(word) || word == "1.13", "\(columns): \(row)")
            }
        }
        #expect(
            rows(status, at: seconds(6.4), columns: 44, rows: 10)[1] == "1.13  3.9 s of 5.3  loop 1.12 - 1.13  pass 1")
        for width in 0...20 {
            let text = "settings 493.88 Hz  -24 dB".cutAtWord(toColumns: width)
            #expect(text.columns <= width && !text.contains("493") || text.contains("493.88"), "\(text)")
        }
    }

    @Test("what the program says is shown for ten seconds each, in turn, and only its first line")
    func notices() {
        let stand = Stand()
        stand.say("barline: note: one\nmore\n", at: seconds(1))
        stand.say("barline: note: two\n", at: seconds(2))
        func foot(_ time: Double) -> String { rows(.of(), at: seconds(time), stand.choices).last ?? "" }
        #expect(foot(1) == "  barline: note: one" && foot(10.9) == "  barline: note: one")
        #expect(foot(11) == "  barline: note: two" && foot(20.9) == "  barline: note: two")
        #expect(!foot(21).contains("note"))
        stand.say("three\n", at: seconds(30))
        #expect(stand.choices.notices.map(\.text) == ["three"])
    }

    @Test("a stand of every size from 40 x 10 has large digits", arguments: [40, 59, 60, 61, 80, 100])
    func digits(columns: Int) {
        for count in 10...30 {
            let shown = rows(.of(), at: seconds(1.5), columns: columns, rows: count)
            // The gauge has blocks, too, and points beside them.
            let digits = shown.count { row in !row.contains("·") && row.contains { "▀▄█".contains($0) } }
            #expect(digits >= 3, "\(count): \(shown)")
        }
    }

    @Test("a question that is too long ends at a word, and what is typed stands after it, or its end alone")
    func question() {
        let stand = Stand()
        _ = stand.press(.character("P"), at: 0)
        func foot(_ text: String, columns: Int = 80) -> String {
            var choices = stand.choices
            choices.prompt?.text = text
            return rows(.of(), at: seconds(1), columns: columns, choices).last ?? ""
        }
        for (typed, columns) in [("", 80), ("each 3", 80), ("random 42", 60)] {
            let shown = foot(typed, columns: columns)
            #expect(shown.contains("practice (ladder 60%") && shown.hasSuffix(" …: \(typed)▏"), "\(shown)")
            #expect(shown.columns <= columns)
        }
        #expect(
            foot(String(repeating: "silent ", count: 12)).hasPrefix("  …") && foot("x", columns: 40).hasSuffix(" …: x▏")
        )
        for count in 0...100 {
            let shown = foot(String(repeating: "y", count: count))
            #expect(shown.columns <= 78 && shown.hasSuffix(String(repeating: "y", count: min(count, 70)) + "▏"))
        }
    }

    @Test("no row is wider than the terminal, whatever it shows and however small it is")
    func fits() throws {
        var score = Score.piece
        score.title = "日本語の長い題名 and a long title in Latin letters, longer than most terminals are"
        var choices = StandChoices()
        choices.message = String(repeating: "long ", count: 50)
        var help = StandChoices()
        help.helpPage = 0
        for status in [Status.of(score), .of(score, paused: .seconds(1)), .of(score, countsTo: .seconds(9))] {
            for now in [0, 1.5, 4, 8] {
                for size in [(1, 1), (2, 5), (7, 3), (20, 5), (39, 9), (40, 10), (61, 14), (300, 100)] {
                    for chosen in [StandChoices(), choices, help] {
                        let shown = rows(status, at: seconds(now), columns: size.0, rows: size.1, chosen)
                        #expect(shown.count == size.1)
                        #expect(shown.allSatisfy { $0.columns <= size.0 })
                    }
                }
            }
        }
    }

    @Test("every key is in the help, on as many pages as needed", arguments: [(40, 10), (80, 24), (200, 60)])
    func help(columns: Int, count: Int) {
        var (shown, choices) = ([String](), StandChoices())
        for page in 0..<StandView.helpPages(choices, (columns, count)) {
            choices.helpPage = page
            shown += rows(.of(), at: 0, columns: columns, rows: count, choices)
        }
        // The key for what a microphone has heard takes the place of the tap while one listens.
        for action in KeyAction.allCases where !action.standardKeys.isEmpty && action != .weakBars {
            let pair = StandHelp.pairs.first { $0.key == action || $0.value.with == action }
            let says = pair?.value.text ?? action.standKey.says
            #expect(words(shown).contains(says.cutAtWord(toColumns: 24).dropLast()), "\(action)")
        }
    }

    @Test("a count-in in beats shows the number of beats to go")
    func beatsToGo() {
        var beats = Status.of(countsTo: .zero, zeroHeard: seconds(2))
        beats.countInBeats = [2000, 1500, 1000, 500].map { .milliseconds($0) }
        var wholeSeconds = StandChoices()
        wholeSeconds.digits = .bar
        for (now, left) in [(0, 4), (0.499, 4), (0.5, 3), (1.2, 2), (1.5, 1), (1.999, 1)] as [(Double, Int)] {
            let other = Status.of(countsTo: .zero, zeroHeard: seconds(Double(left)))
            #expect(rows(beats, at: seconds(now)) == rows(other, at: 0, wholeSeconds))
        }
    }

    @Test("the farewell line says where the music stopped")
    func farewell() {
        var status = Status.of(zeroHeard: -seconds(4))
        status.stage = .over(.complete)
        #expect(StandScreen.farewell(status) == "Piece · Nobody: played to the end\n")
        status.stage = .going
        #expect(
            StandScreen.farewell(status.stopped(at: 0))
                == "Piece · Nobody: stopped at line 1, bar 2, 0:04.0 of 0:07.7\n"
        )
        status.countsTo = .seconds(5)
        status.sound = .silent("no card")
        #expect(
            StandScreen.farewell(status.stopped(at: 0))
                == "Piece · Nobody: stopped in the count-in; no sound: counting silently\n")
    }
}
