internal import Testing

@Suite struct RecognitionTests {
    @Test("the content of a text determines its format, in a file with any name and on standard input")
    func recognized() async throws {
        let scratch = try Scratch()
        let text = "title: Tuesday\nwarm-up 0:10\n3x(run 0:30, walk 0:20)\n"
        try scratch.write("piece", text)
        for name in ["piece", "-"] {
            let outcome = try await Program.run(["check", name], in: scratch, input: Array(text.utf8))
            #expect(outcome.code == 0 && outcome.text.hasSuffix("2:40\n"), "\(name): \(outcome.text)\(outcome.errors)")
        }
    }

    @Test("all commands read the same text as the same score")
    func commands() async throws {
        let scratch = try Scratch()
        try scratch.write("clicks.txt", "t 60\n4/4 x 2\nrep 2 2\n1 b\n1\n")
        let commands = [
            ["check", "clicks.txt"], ["timeline", "clicks.txt", "--csv"], ["convert", "clicks.txt", "x.yaml"],
            ["render", "clicks.txt", "-o", "x.wav"],
            ["play", "clicks.txt", "--device", "null", "--clock", "system", "--speed", "1000%"],
        ]
        for command in commands {
            let outcome = try await Program.run(command, in: scratch)
            #expect(outcome.code == 0, "\(command): \(outcome.errors)")
        }
        let converted = try await Program.run(["check", "x.yaml"], in: scratch)
        #expect(converted.text == "x.yaml: 1 line, 4 bars, 0:12\n")
    }

    @Test("where two formats fit equally well, the message names both and the option that decides")
    func close() async throws {
        let scratch = try Scratch()
        try scratch.write("x.txt", "5:30\n5:20\n")
        let undecided = try await Program.run(["check", "x.txt"], in: scratch)
        #expect(undecided.code == 65)
        #expect(
            undecided.errors.hasPrefix(
                "x.txt:1:1: error: the text may be a Click Tracker score or a plan of intervals; add --format click-tracker or --format plan\n"
            ))
        let plan = try await Program.run(["check", "x.txt", "--format", "plan"], in: scratch)
        #expect(plan.text == "x.txt: 1 line, 2 bars, 10:50\n", "\(plan.errors)")
        let score = try await Program.run(["check", "x.txt", "--format", "click-tracker"], in: scratch)
        #expect(score.code == 0, "\(score.errors)")
    }

    @Test("lines that another program would skip give a warning, and an error with --strict")
    func strict() async throws {
        let scratch = try Scratch()
        try scratch.write("x.txt", "t 60\nt40\n4/4 x 20\n4/4\n3/4\n")
        let loose = try await Program.run(["check", "x.txt"], in: scratch)
        #expect(loose.code == 0)
        #expect(
            loose.errors.hasPrefix(
                "x.txt:2:1: warning: 't40' is neither a bar, a beat nor a command: the line is skipped\n"))
        let strict = try await Program.run(["convert", "x.txt", "x.yaml", "--strict"], in: scratch)
        #expect(strict.code == 65)
        #expect(strict.errors.hasPrefix("x.txt:2:1: error: 't40' is neither"), "\(strict.errors)")
    }
}
