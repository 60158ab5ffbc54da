internal import Testing

/// Titles, labels, cues and names with bidirectional or control characters: output for people never contains them,
/// output for programs does.
@Suite struct PrintableTests {
    private static let turned = "\u{202E}"
    private static let score = """
        title: "T\(turned)"
        lines:
          - {label: "L\(turned)", bars: [0.05, {duration: 0.05, label: "B\(turned)", cue: "C\(turned)"}]}

        """

    private func isSafe(_ text: String) -> Bool {
        !text.unicodeScalars.contains { scalar in
            scalar.properties.isBidiControl || scalar != "\n" && scalar.properties.generalCategory == .control
        }
    }

    @Test(
        "output for people contains no control characters",
        arguments: [
            ["check", "NAME"], ["check", "none-\u{202E}\u{1B}[2J"], ["timeline", "NAME"],
            ["timeline", "NAME", "--from", "\u{202E}"],
            ["timeline", "NAME", "--speed", "\u{202E}\u{9B}2J"], ["timeline", "NAME", "\u{202E}\u{1B}c"],
            ["play", "NAME", "--device", "null"], ["play", "NAME", "--device", "\u{202E}"],
            ["plan", "show", "run \"x\u{202E}\" 0:30"], ["plan", "show", "run \"x\u{202E}\" 0:30", "--markdown"],
            ["convert", "NAME", "-", "--to", "klick"], ["config", "device", "a\u{202E}"], ["config", "device"],
            ["config"],
            ["log", "--piece", "\u{202E}"], ["scores"], ["scores", "--copy", "\u{202E}"],
        ])
    func outputForPeopleContainsNoControlCharacters(arguments: [String]) async throws {
        let scratch = try Scratch()
        let name = "s\u{202E}\u{7}.yaml"
        try scratch.write(name, PrintableTests.score)
        let environment = ["BARLINE_DEVICE": arguments.first == "config" ? "x\u{202E}" : "null"]
        let outcome = try await Program.run(
            arguments.map { $0 == "NAME" ? name : $0 }, in: scratch, environment: environment)
        if arguments.first != "convert" { #expect(isSafe(outcome.text), "\(outcome.text)") }
        #expect(isSafe(outcome.errors), "\(outcome.errors)")
        #expect(!(outcome.text + outcome.errors).isEmpty)
    }

    @Test("output for programs keeps the text unchanged") func outputForProgramsKeepsTheTextUnchanged() async throws {
        let scratch = try Scratch()
        try scratch.write("score.yaml", PrintableTests.score)
        for option in ["--csv", "--json"] {
            let outcome = try await Program.run(["timeline", "score.yaml", option], in: scratch)
            #expect(outcome.text.contains("L\u{202E}") && outcome.text.contains("B\u{202E}"))
        }
        let written = try await Program.run(["convert", "score.yaml", "copy.yaml"], in: scratch)
        #expect(written.code == 0, "\(written.errors)")
        #expect(String(decoding: try scratch.read("copy.yaml"), as: UTF8.self).contains("C\u{202E}"))
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
