import Playback
import Scores
import Screens
import Testing
import Timing
import UserSettings

@Suite("Stand")
struct StandTests {
    private func stand(_ status: Status? = .of()) -> Stand {
        let stand = Stand()
        if let status { stand.see(status) }
        return stand
    }

    private func type(_ text: String, on stand: Stand, at now: Int64 = 0) -> [Command] {
        text.flatMap { stand.press($0 == "\r" ? .enter : .character($0), at: now) }
    }

    @Test("each action has an explanation, and a name if it has a key, and asks for a line only if the stand does")
    func table() {
        for action in KeyAction.allCases {
            #expect(KeyBindings.standard.name(of: action).isEmpty == action.standardKeys.isEmpty)
            #expect(!action.standKey.says.isEmpty)
            if case .ask = action.standKey.action { #expect(action.asks) } else { #expect(!action.asks) }
        }
    }

    @Test(
        "every key has its command",
        arguments: [
            (.character(" "), .togglePause), (.pageDown, .togglePause), (.enter, .jump(.thisBar)),
            (.right, .jump(.nextBar)),
            (.left, .jump(.previousBar)), (.up, .jump(.previousLine)), (.pageUp, .jump(.previousLine)),
            (.down, .jump(.nextLine)),
            (.home, .jump(.firstBar)), (.character("+"), .speed(change: 5)), (.character("="), .speed(change: 5)),
            (.character("-"), .speed(change: -5)), (.character(">"), .speed(change: 1)),
            (.character("<"), .speed(change: -1)), (.character("0"), .speedTo(.asWritten)),
            (.character("d"), .toggleDrone), (.character("m"), .droneLevel(decibels: 1)),
            (.character("n"), .droneLevel(decibels: -1)), (.character("M"), .dronePitch(semitones: 1)),
            (.character("N"), .dronePitch(semitones: -1)), (.character("b"), .a4(hertz: 0.1)),
            (.character("v"), .a4(hertz: -0.1)), (.character("B"), .a4(hertz: 1)), (.character("V"), .a4(hertz: -1)),
            (.character("c"), .toggleClicks), (.character("x"), .clickLevel(decibels: 1)),
            (.character("z"), .clickLevel(decibels: -1)), (.character("i"), .toggleCountIn),
            (.character("."), .nudge(.milliseconds(10))), (.character(","), .nudge(.milliseconds(-10))),
            (.character("j"), .tell(.tap(at: 0))), (.character("o"), .practice(nil, passes: nil)),
            (.character("R"), .revert),
            (.character("q"), .stop), (.character("Q"), .stop),
        ] as [(Key, Command)])
    func commands(key: Key, command: Command) {
        let stand = stand()
        #expect(stand.press(key, at: 0) == [command])
        // Even before the first status.
        #expect(self.stand(nil).press(key, at: 0) == [command])
    }

    @Test("keys that depend on the position do nothing while it is unknown")
    func unknownPlace() {
        for key in "lL[]tg5\r" { #expect(stand(nil).press(.character(key), at: 0) == []) }
    }

    @Test("Enter continues from a hold")
    func hold() {
        var status = Status.of()
        status.held = HeldMusic(boundary: 0, position: .seconds(3), length: .zero)
        #expect(stand(status).press(.enter, at: seconds(5)) == [.continue])
        #expect(stand(status).press(.enter, at: seconds(1)) == [.jump(.thisBar)])
    }

    @Test("without a practice log, a note is not asked for, and a line says why")
    func noLog() {
        var choices = StandChoices()
        choices.keepsNotes = false
        let stand = Stand(choices)
        stand.see(.of())
        #expect(stand.press(.character("k"), at: 0) == [] && stand.choices.prompt == nil)
        #expect(stand.choices.message == "nothing is noted: the setting practice-log is off")
    }

    @Test("a key loops the current bar or line, and the same key ends the loop")
    func loops() {
        let now = seconds(6)
        #expect(stand().press(.character("l"), at: now) == [.practice([Passage.Stretch(2..<3)], passes: nil)])
        #expect(stand().press(.character("L"), at: now) == [.practice([Passage.Stretch(2..<4)], passes: nil)])
        var status = Status.of()
        status.performance.passage = Passage(status.home.timeline, [Passage.Stretch(2..<3)], passes: nil)
        status.isHome = false
        #expect(stand(status).press(.character("l"), at: 0) == [.practice(nil, passes: nil)])
        #expect(stand(status).press(.character("L"), at: 0) == [.practice([Passage.Stretch(2..<4)], passes: nil)])
    }

    @Test("a loop goes from the marked bar to the current one, in either order")
    func marks() {
        let stand = stand()
        #expect(stand.press(.character("["), at: seconds(4)) == [])
        #expect(stand.choices.loopStart == 1)
        #expect(stand.press(.character("]"), at: seconds(7)) == [.practice([Passage.Stretch(1..<4)], passes: nil)])
        #expect(stand.choices.loopStart == nil)
        _ = stand.press(.character("["), at: seconds(7))
        #expect(stand.press(.character("]"), at: seconds(4)) == [.practice([Passage.Stretch(1..<4)], passes: nil)])
        #expect(stand.press(.character("]"), at: seconds(0)) == [.practice([Passage.Stretch(0..<1)], passes: nil)])
    }

    @Test("taps 1.25 s apart for beats of a second set 80 %; after a long pause, tapping starts again")
    func taps() throws {
        let stand = stand()
        #expect(stand.press(.character("t"), at: seconds(1)) == [])
        #expect(stand.press(.character("t"), at: seconds(2.25)) == [.speedTo(try speed(800_000))])
        #expect(stand.press(.character("t"), at: seconds(3.25)) == [.speedTo(try speed(890_000))])
        #expect(stand.press(.character("t"), at: seconds(13)) == [])
        #expect(stand.press(.character("t"), at: seconds(14)) == [.speedTo(try speed(1_000_000))])
        _ = stand.press(.character("s"), at: seconds(14.1))
        #expect(stand.press(.character("t"), at: seconds(15)) == [])
    }

    @Test("the taps for a speed are the seconds, or the beats, of a bar that a program plays at a speed of its own")
    func tappedInProgram() throws {
        for text in ["bars: [2, 2]", "tempo: 1/4 = 60\nbars: [2/4, 2/4]"] {
            let score = try Score.of(text)
            var status = Status.of(score)
            let program = [Passage.Stretch(0..<2, speed: try speed(500_000)), Passage.Stretch(0..<2)]
            status.performance.passage = Passage(status.home.timeline, program, passes: nil)
            let stand = Stand()
            stand.see(status)
            #expect(stand.press(.character("t"), at: seconds(1)) == [])
            #expect(stand.press(.character("t"), at: seconds(1.5)) == [.speedTo(try speed(4_000_000))], "\(text)")
        }
    }

    @Test("in a bar with a meter, the taps are its beats")
    func tappedBeats() throws {
        let score = Score(lines: [Score.Line(bars: [Score.Bar(Meter(4, over: 4))])])
        let timed = Timeline(score)[0]
        // As written, a beat takes a quarter of the bar: taps twice as far apart give half the speed.
        let beat = Int64(timed.duration / .nanoseconds(1)) / 4
        #expect(Tapping.speed([0, beat, 2 * beat], timed) == .asWritten)
        #expect(Tapping.speed([0, 2 * beat], timed) == (try speed(500_000)))
        #expect(Tapping.speed([5], timed) == nil && Tapping.speed([5, 5], timed) == nil)
        #expect(Tapping.speed([0, 1], timed)?.millionths == Speed.range.upperBound)
        // A beat of a day.
        var slow = Score(lines: [Score.Line(bars: [Score.Bar(Meter(1, over: 1))])])
        slow.tempo = Tempo(.one, Fraction(1, 24 * 60))
        #expect(Tapping.speed([0, 1], Timeline(slow)[0])?.millionths == Speed.range.upperBound)
        #expect(Tapping.speed([0, .max], timed)?.millionths == Speed.range.lowerBound)
    }

    @Test(
        "a line that is being typed when a piece ends stays open in the next one, where an answer about the piece before is refused"
    )
    func nextPiece() throws {
        func next(after typed: String) -> Stand {
            let first = stand()
            #expect(type(typed, on: first) == [])
            var choices = StandChoices()
            choices.prompt = first.choices.prompt?.inNextPiece
            let stand = Stand(choices)
            stand.see(.of())
            return stand
        }
        #expect(type("4\r", on: next(after: "pB")) == type("pB4\r", on: stand()))
        let late = next(after: "kgo")
        #expect(type("od\r", on: late) == [] && late.choices.prompt == nil)
        #expect(late.choices.message == "'good' came too late: that piece is over")
        #expect(type("g1.2\r", on: late) == [.jump(.bar(1))])
    }

    @Test("any text typed at a prompt gives a valid command or a message")
    func hostile() {
        let pieces = [
            "0", "1", "2", "7", "13", "-", ".", ":", " ", "%", "9223372036854775807", "9223372036854775808",
            "-9223372036854775808", "999999999999999", "10000000000000", "1e308", "nan", "ladder ", "each ", "column ",
            "random ", "silent ", " of ", "off", "A4", "Hz", "c", "/", "bell", "\u{202E}", "日", "9999:59:59",
        ]
        var random = Seeded(state: 15)
        let stand = stand()
        var commandCount = 0
        for _ in 0..<20_000 {
            let text = (0..<Int.random(in: 1...5, using: &random)).map { _ in
                pieces.randomElement(using: &random) ?? ""
            }.joined()
            let commands =
                type("gPp".randomElement(using: &random).map(String.init) ?? "g", on: stand)
                + type(text + "\r", on: stand)
            commandCount += commands.count
            #expect(commands.isEmpty == !stand.choices.message.isEmpty, "\(text)")
            for command in commands {
                switch command {
                case .jump(.bar(let bar)): #expect((0..<4).contains(bar), "\(text)")
                case .practice(let stretches?, _):
                    #expect(
                        stretches.allSatisfy { !$0.bars.isEmpty && (0..<4).contains($0.bars.lowerBound) }, "\(text)")
                default: break
                }
            }
        }
        #expect(commandCount > 100)
    }

    @Test("a typed number, label or time is a place to go to; a message reports a missing one")
    func places() {
        let stand = stand()
        #expect(type("g2.2\r", on: stand) == [.jump(.bar(3))])
        #expect(type("gbell\r", on: stand) == [.jump(.bar(3))])
        #expect(type("g0:04\r", on: stand) == [.jump(.bar(1))])
        #expect(stand.choices.message == "")
        #expect(type("gbel\r", on: stand) == [])
        #expect(stand.choices.message == "there is no label 'bel' in the piece; did you mean 'bell'?")
        #expect(type("g2.9223372036854775807\r", on: stand) == [])
        #expect(
            stand.choices.message == "there is no bar 9223372036854775807 in line 2: it has bars 1 to 2")
        #expect(type("Pcolumn 9223372036854775807\r", on: stand) == [])
        #expect(stand.choices.message == "no line has a bar 9223372036854775807")
        #expect(type("g3.1\r", on: stand) == [])
        #expect(stand.choices.message == "there is no line 3: the piece has lines 1 to 2")
        #expect(type("s", on: stand) == [] && stand.choices.message == "")
        var status = Status.of()
        status.home = Passage(status.home.timeline, bars: 0..<2)
        status.performance.passage = status.home
        stand.see(status)
        #expect(type("gbell\r", on: stand) == [])
        #expect(stand.choices.message == "'bell' is not in the passage")
    }

    @Test("a typed line can be corrected and abandoned; meanwhile keys are letters")
    func typing() {
        let stand = stand()
        #expect(type("gqq", on: stand) == [])
        #expect(stand.choices.prompt?.text == "qq")
        _ = stand.press(.backspace, at: 0)
        _ = stand.press(.left, at: 0)
        #expect(stand.choices.prompt?.text == "q")
        _ = stand.press(.escape, at: 0)
        #expect(stand.choices.prompt == nil)
        #expect(type("g\r", on: stand) == [] && stand.choices.prompt == nil)
        #expect(type("g" + String(repeating: "x", count: 500), on: stand) == [])
        #expect(stand.choices.prompt?.text.count == 100)
    }

    @Test("a loop gets faster from the speed that is set, and a ladder plays the bars of the loop")
    func looped() throws {
        var status = Status.of()
        let loop = Passage(status.home.timeline, [Passage.Stretch(1..<3)], passes: nil)
        (status.performance.passage, status.isHome) = (loop, false)
        status.performance.weakBars = { [2, 3] }
        for (typed, bars, count) in [("faster 2% every 3 to 110%", 1..<3, 18), ("ladder 90% 5%", 1..<3, 3)] {
            guard case .practice(let stretches?, nil) = type("P\(typed)\r", on: stand(status)).first else {
                Issue.record("\(typed) is no program")
                continue
            }
            #expect(stretches.count == count && stretches.allSatisfy { $0.bars == bars })
        }
        guard case .practice(let weak?, nil) = type("Pweak\r", on: stand(status)).first else {
            Issue.record("weak is no program")
            return
        }
        #expect(weak.map(\.bars) == [1..<4, 1..<4, 1..<4, 1..<4] && weak.last?.label == "4 of 4")
    }

    @Test("a message to all is asked for only if somebody is connected; a note only with a practice log")
    func messages() {
        var choices = StandChoices()
        choices.invitations = [Invitation("control", "http://192.168.178.123:8573/#0b5c", code: [])]
        func stand(_ guests: [Guest]) -> Stand {
            let stand = Stand(choices, guests: { guests })
            stand.see(.of())
            return stand
        }
        let alone = stand([])
        #expect(type("T", on: alone) == [] && alone.choices.prompt == nil)
        #expect(alone.choices.message == "nobody is connected")
        #expect(alone.perform(.message, with: "from B", at: 0) == [])
        let page = stand([Guest(.page, number: 1, mayControl: false, contact: 0)])
        #expect(type("Tfrom B\r", on: page) == [.tell(.message("from B"))])
        choices.keepsNotes = false
        #expect(stand([]).perform(.mark, with: "good", at: 0) == [])
    }

    @Test("a note beyond the last one that is kept is refused, and says so")
    func notes() throws {
        var status = Status.of()
        let mark = Told(number: 1, .mark("good"), status.performance.passage.bar(of: 0), arrived: 0)
        status.marks = Array(repeating: mark, count: Status.mostMarks - 1)
        #expect(type("kgood\r", on: stand(status)) == [.tell(.mark("good"))])
        status.marks.append(mark)
        let full = stand(status)
        #expect(type("kgood\r", on: full) == [])
        #expect(full.choices.message == "a take has at most 100 notes")
    }

    @Test("practice programs are typed as on the command line, and off ends them")
    func programs() throws {
        let stand = stand()
        #expect(
            type("Pcolumn 2\r", on: stand)
                == [
                    .practice(
                        [1..<2, 3..<4].map { bars in
                            var stretch = Passage.Stretch(bars)
                            stretch.program = "column 2"
                            return stretch
                        }, passes: nil)
                ])
        let silence = try #require(Performance.Silence(bars: 2, of: 8))
        #expect(type("Psilent 2 of 8\r", on: stand) == [.silence(silence)])
        #expect(type("Psilent off\r", on: stand) == [.silence(nil)])
        let random = try #require(Performance.Silence(percent: 30, seed: 42))
        #expect(type("Psilent random 30% 42\r", on: stand) == [.silence(random)])
        #expect(type("kgood\r", on: stand) == [.tell(.mark("good"))])
        #expect(type("k too loud \r", on: stand) == [.tell(.mark("too loud"))])
        #expect(type("k  \r", on: stand) == [] && stand.choices.message == "write some words")
        #expect(type("T", on: stand) == [] && stand.choices.prompt == nil)
        #expect(stand.choices.message == "nobody can connect: `barline play --serve` lets others in")
        #expect(type("Pweak\r", on: stand) == [])
        #expect(stand.choices.message == "no bar of it goes wrong again and again, as far as the practice log tells")
        #expect(type("Poff\r", on: stand) == [.practice(nil, passes: nil), .silence(nil)])
        #expect(type("Pcolum 2\r", on: stand) == [])
        #expect(stand.choices.message == "there is no practice program 'colum'; did you mean 'column'?")
        #expect(type("pBb3\r", on: stand) == [.drone([Score.Drone.Note(.note(58, cents: 0))])])
        #expect(
            type("pE3, B3 -6dB\r", on: stand)
                == [
                    .drone([
                        Score.Drone.Note(.note(52, cents: 0)),
                        Score.Drone.Note(.note(59, cents: 0), level: Level(decibels: -6)),
                    ])
                ])
    }

    @Test("digits, flash and help change in turn, and observers are notified")
    func choices() async {
        let stand = stand()
        #expect(type("s", on: stand) == [] && stand.choices.digits == .bar)
        #expect(type("s", on: stand) == [] && stand.choices.digits == .seconds)
        var flashes: [FlashChoice] = []
        for _ in 0..<4 {
            _ = type("f", on: stand)
            flashes.append(stand.choices.flash)
        }
        #expect(flashes == [.screen, .border, .off, .screen])
        _ = type("?", on: stand)
        #expect(stand.choices.helpPage == 0)
        _ = stand.press(.escape, at: 0)
        #expect(stand.choices.helpPage == nil)
        var changes = stand.changes.makeAsyncIterator()
        #expect(await changes.next() != nil)
    }
}
