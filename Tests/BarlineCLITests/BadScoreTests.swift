internal import Testing

@Suite struct BadScoreTests {
    /// A bad score and the message about it; those of other mistakes are tested where scores are read.
    private static let bad = (
        file: "negative.yaml", text: "bars: [3, -2.7, 2]\n",
        message: """
        negative.yaml:1:11: error: a duration cannot be negative
        bars: [3, -2.7, 2]
                  ^~~~

        """
    )

    @Test(
        "every command reports a bad score with the same message, and writes nothing",
        arguments: [["check"], ["timeline"], ["play"], ["render", "-o", "sound.wav"]])
    func everyCommandReportsABadScoreWithTheSameMessageAndWritesNothing(command: [String]) async throws {
        let (scratch, bad) = (try Scratch(), Self.bad)
        try scratch.write(bad.file, bad.text)
        let outcome = try await Program.run(command + [bad.file], in: scratch)
        #expect(outcome.code == 65 && outcome.errors == bad.message && outcome.text == "")
        #expect(try scratch.names == [bad.file])
    }

    @Test("a score on standard input is read like a file")
    func aScoreOnStandardInputIsReadLikeOneInAFile() async throws {
        let scratch = try Scratch()
        let good = try await Program.run(["check", "-"], in: scratch, input: Array("bars: [3, 2.7]\n".utf8))
        #expect(good.text == "standard input: 1 line, 2 bars, 0:05.7\n")
        #expect(good.errors == "" && good.code == 0)
        let bad = try await Program.run(["timeline", "-"], in: scratch, input: Array("bars: [x]\n".utf8))
        #expect(
            bad.errors == """
                standard input:1:8: error: 'x' is not a duration, for example 2.7 or 1:30
                bars: [x]
                       ^

                """)
        #expect(bad.text == "" && bad.code == 65)
    }

    @Test(
        "a score that does not exist ends with exit code 66",
        arguments: [["check"], ["timeline"], ["play"], ["render", "-o", "sound.wav"]])
    func aScoreThatDoesNotExistEndsWithExitCode66(command: [String]) async throws {
        let scratch = try Scratch()
        let outcome = try await Program.run(command + ["missing/piece.yaml"], in: scratch)
        #expect(outcome.code == 66 && outcome.text == "")
        #expect(outcome.errors == "barline: error: there is no file 'missing/piece.yaml'\n")
        #expect(try scratch.names == [])
    }
}
