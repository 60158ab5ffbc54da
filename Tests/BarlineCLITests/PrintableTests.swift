internal import Testing

/// Titles, labels, cues and names with bidirectional or control characters, which output for people never contains.
@Suite struct PrintableTests {
    private static let score = """
        title: "T\u{202E}"
        lines:
          - {label: "L\u{202E}", bars: [0.05, {duration: 0.05, label: "B\u{202E}", cue: "C\u{202E}"}]}

        """

    private func isSafe(_ text: String) -> Bool {
        !text.unicodeScalars.contains { scalar in
            scalar.properties.isBidiControl || scalar != "\n" && scalar.properties.generalCategory == .control
        }
    }

    @Test("what the parser says, and output for people, contain no control characters") func people() async throws {
        let scratch = try Scratch()
        let name = "s\u{202E}\u{7}.yaml"
        try scratch.write(name, PrintableTests.score)
        let commands = [
            ["check", name], ["check", "none-\u{202E}\u{1B}[2J"], ["timeline", name, "--speed", "\u{202E}\u{9B}2J"],
            ["timeline", name, "\u{202E}\u{1B}c"], ["play", name, "--device", "\u{202E}"],
            ["config", "device", "a\u{202E}"], ["config", "device"], ["config"], ["log", "--piece", "\u{202E}"],
        ]
        for arguments in commands {
            let environment = ["BARLINE_DEVICE": arguments.first == "config" ? "x\u{202E}" : "null"]
            let outcome = try await Program.run(arguments, in: scratch, environment: environment)
            #expect(isSafe(outcome.text) && isSafe(outcome.errors), "\(arguments): \(outcome)")
            #expect(!(outcome.text + outcome.errors).isEmpty)
        }
    }

    @Test("the stand shows no control characters") func theStandShowsNoControlCharacters() async throws {
        let scratch = try Scratch()
        try scratch.write(
            "score.yaml", "title: \"T\u{202E}x\"\nbars: [{duration: 60, label: \"L\u{2066}x\", cue: \"C\u{200F}x\"}]\n")
        try await TerminalSession.run(["play", "score.yaml", "--device", "null"], in: scratch) { session in
            try session.wait(for: "59.")
            session.type("g\u{202E}none\r")
            try session.wait(for: "there is no label")
            session.type("q")
            try session.expectEnd(0)
            #expect(!session.text.unicodeScalars.contains { $0.properties.isBidiControl })
            #expect(session.picture.shows("T\u{FFFD}x: stopped at"))
        }
    }
}
