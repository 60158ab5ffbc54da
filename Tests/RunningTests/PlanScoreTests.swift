import Languages
import Running
import Scores
import Testing

struct PlanScoreTests {
    @Test("warm-up and cool-down begin with signals of their own, and a rest with that of walks")
    func signals() throws {
        let score = try plan("warm-up 1:00, run 1:00, walk 1:00, rest 1:00, cool-down 1:00").score()
        let clicks = score.lines.flatMap(\.bars).map(\.details.click)
        let signals: [ClickSound] = [.warmUp, .run, .walk, .walk, .coolDown]
        #expect(clicks == signals.map { BarClick($0) })
    }

    @Test("announcements are in the selected language")
    func languages() throws {
        let plan = try plan("2x(run 0:30, walk 1:30), run 1.5km @ 5:00/km, walk \"Heim\" 2:01:01")
        let said = try plan.score(spoken: .de).lines.flatMap(\.bars).map(\.details.say)
        #expect(
            said == [
                "Laufen, 30 Sekunden. Intervall 1 von 6.", "Gehen, eine Minute 30 Sekunden. Intervall 2 von 6.",
                "Laufen, 30 Sekunden. Intervall 3 von 6.",
                "Gehen, eine Minute 30 Sekunden. Intervall 4 von 6.", "Laufen, 1,5 Kilometer. Intervall 5 von 6.",
                "Heim, 2 Stunden eine Minute eine Sekunde. Intervall 6 von 6.",
            ])
        for language in Language.allCases {
            let said = try plan.score(spoken: language).lines.flatMap(\.bars).map(\.details.say)
            let minute: [Language: String] = [
                .en: "1 minute", .de: "eine Minute", .fr: "une minute", .it: "un minuto", .es: "un minuto",
            ]
            #expect(said[1].contains(minute[language] ?? "none"))
        }
    }

    @Test("every interval becomes a bar with its length, sound, label and announcement, and every set a line")
    func bars() throws {
        let score = try plan("count-in: 5\ncadence: 170\n2x(run 0:30, walk 0:16), walk \"Home\" 2:05").score()
        #expect(score.countIn == .seconds(5))
        #expect(
            score.lines.map { $0.bars.map(\.duration) } == [
                [.seconds(30), .seconds(16)], [.seconds(30), .seconds(16)], [.seconds(125)],
            ])
        let bars = score.lines.flatMap(\.bars)
        #expect(bars.map(\.label) == ["Run", "Walk", "Run", "Walk", "Home"])
        #expect(bars.map(\.cue) == ["1 of 5", "2 of 5", "3 of 5", "4 of 5", "5 of 5"])
        #expect(bars.map(\.details.click) == [.run, .walk, .run, .walk, .walk].map { BarClick($0) })
        #expect(bars.map(\.details.grid) == [.perMinute(170), nil, .perMinute(170), nil, nil])
        #expect(
            bars.map(\.details.say) == [
                "Run, 30 seconds. Interval 1 of 5.", "Walk, 16 seconds. Interval 2 of 5.",
                "Run, 30 seconds. Interval 3 of 5.", "Walk, 16 seconds. Interval 4 of 5.",
                "Home, 2 minutes 5 seconds. Interval 5 of 5.",
            ])
    }

    @Test("a distance lasts as long as it takes at the planned pace; without a pace it cannot be played")
    func distances() throws {
        let score = try plan("run: 5:00/km\nrun 400m, run 1mi @ 8:00/mi").score()
        #expect(score.lines.flatMap(\.bars).map(\.duration) == [.seconds(120), .seconds(480)])
        #expect(score.lines[0].bars[0].details.say == "Run, 400 meters. Interval 1 of 2.")
        #expect(score.lines[0].bars[1].details.say == "Run, 1 mile. Interval 2 of 2.")
        #expect(throws: PlanError.noTime(1)) { try plan("run 1:00, run 400m").score() }
    }

    @Test("an endless plan becomes an endless score, without a total number of intervals")
    func forever() throws {
        let score = try plan("run 0:30, walk 0:30, forever").score()
        #expect(score.isEndless)
        #expect(
            score.lines.flatMap(\.bars).map(\.details.say) == [
                "Run, 30 seconds. Interval 1.", "Walk, 30 seconds. Interval 2.",
            ])
    }

    @Test(
        "a text that begins like a plan is taken for one, and the name of a score is not",
        arguments: [
            ("10x(run 0:30, walk 0:30)", true), ("5k in 25:00", true), ("run 0:30", true), ("(walk 1:00)", true),
            ("marathon @ 6:00/km", true), ("run: 5:00/km\nrun 1k", true), ("\n  run 0:30", true),
            ("run-walk-run", false), ("metronome", false),
            ("walk", false), ("", false), ("sequenza-vii", false), ("lines: [[1]]", false),
        ])
    func likely(text: String, expected: Bool) {
        #expect(Plan.isLikely(text) == expected)
    }

    @Test("a plan of one interval shows no count, and a score has the title of its plan or none")
    func single() throws {
        let single = try plan("title: Tuesday\nrun 1:00").score()
        #expect(single.lines.flatMap(\.bars).map(\.cue) == [""] && single.title == "Tuesday")
        let two = try plan("run 1:00, walk 1:00").score()
        #expect(two.lines.flatMap(\.bars).map(\.cue) == ["1 of 2", "2 of 2"] && two.title == nil)
    }
}
