internal import Testing

/// The start time, and how a device is filled.
@Suite struct ClockTests {
    private static let score = "bars: [0.1, {duration: 0.2, label: \"B, b\"}, 0.15]\n"

    @Test("the options of the clock reach the performance, and its log can be reported") func options() async throws {
        let scratch = try Scratch()
        try scratch.write("score.yaml", ClockTests.score)
        let played = try await Program.run(
            [
                "play", "score.yaml", "--times", "2", "--device", "null", "--clock", "card", "--timing-log", "log.csv",
                "--latency", "-12.5", "--summary",
            ], in: scratch)
        #expect(played.code == 0 && played.errors == "", "\(played.errors)")
        #expect(played.text.contains("\nend\nbars   6, heard 6, lost 0, late 0\n"))
        let kept = String(decoding: try scratch.captured("home/.local/state/barline/cards.csv"), as: UTF8.self)
        #expect(kept.hasSuffix(",-12.5\n"), "\(kept)")
        let report = try await Program.run(["report", "log.csv"], in: scratch)
        #expect(report.code == 0 && report.text.hasPrefix("bars   6, heard 6, lost 0, late 0\n"))
    }

    @Test(
        "an invalid time of day ends with exit code 64",
        arguments: [
            "25:00", "12:60", "12", "12:00:00:00", "-1:00", "12:00:0x", "", "1200", "12:00:60", "12:00:00.1234",
        ])
    func anInvalidTimeOfDayEndsWithExitCode64(time: String) async throws {
        let outcome = try await Program.run(["play", "metronome", "--at", time], in: try Scratch())
        #expect(
            outcome.errors.hasPrefix(
                "barline: error: --at must be a time of day such as 20:15 or 20:15:00, not '\(time)'\n")
        )
        #expect(outcome.text == "" && outcome.code == 64)
    }

    @Test("a device plays with either output policy", arguments: ["rewind", "small"])
    func aDevicePlaysWithEitherOutputPolicy(policy: String) async throws {
        let scratch = try Scratch()
        try scratch.write("score.yaml", ClockTests.score)
        let outcome = try await Program.run(
            ["play", "score.yaml", "--device", "null", "--output-policy", policy], in: scratch)
        #expect(outcome.code == 0 && outcome.text.hasSuffix("    1.3    0:00.300    0.150 s\nend\n"))
        let wrong = try await Program.run(["play", "score.yaml", "--output-policy", "big"], in: scratch)
        #expect(
            wrong.code == 64 && wrong.errors.contains("is not a value of --output-policy; write auto, rewind or small"))
    }
}
