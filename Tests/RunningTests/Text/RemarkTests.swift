import Running
import Scores
import Testing

/// Texts that are spoken at times and distances of a plan.
struct RemarkTests {
    @Test(
        "a text to speak is read with its time or distance, with or without the colon, also on the line of an interval",
        arguments: [
            ("run 1:00:00\nat 30:00: \"Drink\"", [Plan.Remark("Drink", at: .time(.seconds(1800)))]),
            ("run 1:00:00, at 30:00 \"Drink\", walk 1:00", [Plan.Remark("Drink", at: .time(.seconds(1800)))]),
            (
                "run 10k @ 5:00/km\nevery 1km: \"Relax your shoulders\"\nat half: \"Gel\"",
                [
                    Plan.Remark("Relax your shoulders", at: .distance(Distance(1, .kilometers)), isRepeated: true),
                    Plan.Remark("Gel", at: .distance(.halfMarathon)),
                ]
            ),
            (
                "run 1:00\nevery 10s in run: \"tall\"\nat 100m in \"Hill\": \"push\"\nat 0:30 in every run \"A\" \"b\"",
                [
                    Plan.Remark("tall", at: .time(.seconds(10)), isRepeated: true, in: .init(.run)),
                    Plan.Remark("push", at: .distance(Distance(meters: 100)), in: .init(nil, label: "Hill")),
                    Plan.Remark("b", at: .time(.seconds(30)), in: .init(.run, label: "A")),
                ]
            ),
            (
                "run 1:00\nat 0:30 in each interval: \"half\"",
                [Plan.Remark("half", at: .time(.seconds(30)), in: .init(nil))]
            ), ("AT 90s :\"Go\"\nrun 5:00", [Plan.Remark("Go", at: .time(.seconds(90)))]),
        ])
    func reading(text: String, remarks: [Plan.Remark]) throws {
        let plan = try Plan(runText: text)
        #expect(plan.remarks == remarks)
        #expect(try Plan(runText: plan.text) == plan)
    }

    @Test(
        "a mistake in a text to speak is reported at its place",
        arguments: [
            ("run 1:00\nat 30:00", "expected the text to speak, in quotes", 17..<17),
            ("run 1:00\nat 30:00: Drink", "expected the text to speak, in quotes", 19..<24),
            ("run 1:00\nat 30:00: \"Drink", "the quote that opens here is never closed", 19..<25),
            ("run 1:00\nat 30:00: \"\"", "a text to speak cannot be empty", 19..<21),
            ("run 1:00\nat 5:00/km: \"x\"", "a text is spoken at a time or a distance, not at a pace", 12..<19),
            ("run 1:00\nevery 2s: \"x\"", "a text can be repeated every 10 s or 10 m, not more often", 15..<17),
            ("run 1:00\nevery 5s in run: \"x\"", "a text can be repeated every 10 s or 10 m, not more often", 15..<17),
            ("run 1:00\nevery 10s in \"x\"", "expected the intervals in which the text is spoken", 22..<25),
            ("run 1:00\nevery 10s in swim: \"x\"", "'swim' is not a kind of interval", 22..<26),
            ("2x(run 1:00, at 0:30: \"x\")", "a text to speak belongs outside of groups", 13..<15),
            ("run 1:00\nat 1k: \"x\"", "the place of this text is unknown: 'run 1:00' has no distance", 9..<14),
        ])
    func faults(text: String, message: String, range: Range<Int>) throws {
        try expectFault(text, message, range)
    }

    @Test("a note reports a text after the end of the plan, but not in a plan that repeats forever")
    func afterTheEnd() {
        func notes(_ text: String) -> [String] { Plan.read(Array(text.utf8)).notes.map(\.error.message) }
        #expect(notes("run 1:00, at 1:00: \"x\"") == ["this text is not spoken: the plan ends at 1:00"])
        #expect(notes("run 1k @ 5:00/km, at 2k: \"x\"") == ["this text is not spoken: the plan ends after 1 km"])
        #expect(
            notes("run 1:00, at 0:10 in walk: \"x\"") == ["this text is not spoken: the plan has no such interval"])
        #expect(
            notes("run 1:00, at 1:00 in run: \"x\"") == ["this text is not spoken: no such interval goes so far"])
        #expect(
            notes("run 1:00, at 100m in run: \"x\"")
                == ["this text is not spoken: the distance of these intervals is unknown"])
        #expect(notes("run 1:00, every 10s in run: \"x\"").isEmpty)
        #expect(notes("run 1:00, at 0:59: \"x\"").isEmpty && notes("run 1:00, forever, at 9:00: \"x\"").isEmpty)
    }

    @Test("a plan has at most 200 texts to speak")
    func limit() {
        func faults(_ count: Int) -> [String] {
            let text = "run 1:00:00\n" + (1...count).map { "at 0:\($0 % 50 + 10): \"\($0)\"\n" }.joined()
            return Plan.read(Array(text.utf8)).faults.map(\.error.message)
        }
        #expect(faults(200).isEmpty && faults(201) == ["a plan has at most 200 texts to speak"])
    }

    @Test("a text that begins with a text to speak is taken for a plan")
    func likely() {
        #expect(Plan.isLikely("every 10:00: \"Drink\", run 1:00:00") && !Plan.isLikely("every day"))
    }

    @Test("a count-in that a plan states is kept, even if it is the default")
    func countIn() throws {
        #expect(try Plan(runText: "run 1:00").countIn == nil)
        let stated = try Plan(runText: "count-in: 5\nrun 1:00")
        #expect(stated.countIn == .seconds(5) && stated.text.contains("count-in: 5\n"))
        #expect(try plan("run 1:00").score().countIn == .seconds(5))
    }
}
