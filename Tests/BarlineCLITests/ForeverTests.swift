internal import Glibc
internal import Testing

/// Endless repeats: `repeat: forever` in a score, `forever` in a plan, `barline every`.
@Suite struct ForeverTests {
    private static let score = "title: Round\nrepeat: forever\nlines: [[0.1, 0.2], [0.3]]\n"

    @Test(
        "an endless repeat is played until it is stopped",
        arguments: [
            (["play", "round.yaml"], "    1.1    0:00.600 ", "    1.1    0:01.200 "),
            (
                ["play", "run 0:00.1, walk 0:00.2, run 0:00.3, forever", "--count-in", "0", "--no-cues"],
                "   0:00.6  run 3, 0:00.1", "   0:01.2  run 5, 0:00.1"
            ),
            (["every", "0.1"], "   0:00.6  interval 7, 0:00.1", "   0:01.2  interval 13, 0:00.1"),
        ])
    func itIsPlayedUntilStopped(arguments: [String], second: String, third: String) async throws {
        let scratch = try Scratch()
        try scratch.write("round.yaml", ForeverTests.score)
        let outcome = try await Program.run(arguments + ["--device", "null"], in: scratch) { running in
            if running.text.contains(third) { running.sendOnce(SIGINT) }
        }
        #expect(outcome.text.contains("until stopped"))
        #expect(outcome.text.contains(second))
        #expect(outcome.text.contains("\nstopped ") && outcome.code == 0)
    }

    @Test("an endless repeat is listed once") func listedOnce() async throws {
        let scratch = try Scratch()
        try scratch.write("round.yaml", ForeverTests.score)
        let timeline = try await Program.run(["timeline", "round.yaml"], in: scratch)
        #expect(timeline.text.hasSuffix("\n3 bars, 0:00.600\n"))
    }

    @Test("a whole score can repeat only forever, not a number of times") func aMisplacedRepeatIsTold() async throws {
        let scratch = try Scratch()
        try scratch.write("round.yaml", "repeat: 2\nlines: [[1]]\n")
        let outcome = try await Program.run(["check", "round.yaml"], in: scratch)
        #expect(outcome.errors.contains("'repeat: forever' repeats the whole score until stopped"))
    }
}
