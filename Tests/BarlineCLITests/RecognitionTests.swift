internal import Foundation
internal import Testing

@Suite struct RecognitionTests {
    /// Texts of every kind that people keep in text files, with the length of each in seconds.
    private static let texts: [(kind: String, text: String, length: String)] = [
        ("Click Tracker", "# Study\nt 90 8\n3+2/8\n4/4 x 2\ncue A\ntc 120 4\n1 b\n0.5 s\n0.5\n", "0:16.142"),
        ("klick", "# Study\nintro: 2 4/4 120\n1 3/4 60 X.x\n\n4 120-60\n", "0:18.090"),
        ("Audacity", "0.000000\t2.700000\tA\n2.700000\t5.000000\tB\n", "0:05"),
        ("plan", "title: Tuesday\nwarm-up 0:10\n3x(run 0:30, walk 0:20)\n", "2:40"),
        ("intervals.icu", "Warmup\n- 1m Z1\n\nMain 2x\n- 30s 90%\n- 20s 50%\n", "2:40"),
        ("Barline", "title: Study\ntempo: 1/4 = 60\nbars: [4/4, 2.5]\n", "0:06.5"),
    ]

    @Test("the content of a text determines its format: in a file with any name, and on standard input")
    func recognized() async throws {
        let scratch = try Scratch()
        for (kind, text, length) in Self.texts {
            var names = ["piece", "-"]
            if kind != "Barline" { names.append("piece.txt") }
            try scratch.write("piece", text)
            try scratch.write("piece.txt", text)
            var totals: Set<String> = []
            for name in names {
                let outcome = try await Program.run(["check", name], in: scratch, input: Array(text.utf8))
                #expect(outcome.code == 0, "\(kind), \(name): \(outcome.errors)")
                totals.insert(
                    String(
                        outcome.text.trimmingCharacters(in: .whitespacesAndNewlines).split(
                            separator: ": ", maxSplits: 1
                        ).last ?? ""))
            }
            #expect(totals.count == 1, "\(kind): \(totals)")
            #expect(totals.first?.hasSuffix(length) == true, "\(kind): \(totals)")
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

    @Test("barline plan reads a plan in a text file, and a workout of intervals.icu")
    func plans() async throws {
        let scratch = try Scratch()
        for (text, total) in [
            ("run 0:30, walk 0:20\n", "2 intervals, 0:50\n"), ("Warmup\n- 1m Z1\n", "1 interval, 1:00\n"),
        ] {
            try scratch.write("tuesday.txt", text)
            let outcome = try await Program.run(["plan", "tuesday.txt"], in: scratch)
            #expect(outcome.code == 0, "\(outcome.errors)")
            #expect(outcome.text.hasSuffix(total), "\(outcome.text)")
        }
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

    @Test("a text that fits no format is an error that lists those that its name can mean")
    func none() async throws {
        let scratch = try Scratch()
        try scratch.write("x.txt", "Dear Anna,\nthe concert is on Friday.\n")
        let outcome = try await Program.run(["play", "x.txt"], in: scratch)
        #expect(outcome.code == 65)
        #expect(
            outcome.errors.hasPrefix(
                "x.txt:1:1: error: the text is not a klick tempo map, a Click Tracker score, a SO(a)P score, an Audacity label track, a plan of intervals or a workout of intervals.icu\n"
            ))
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
        for command in [["check", "x.txt"], ["convert", "x.txt", "x.yaml"], ["timeline", "x.txt"]] {
            let strict = try await Program.run(command + ["--strict"], in: scratch)
            #expect(strict.code == 65, "\(command)")
            #expect(strict.errors.hasPrefix("x.txt:2:1: error: 't40' is neither"), "\(command): \(strict.errors)")
        }
    }
}
