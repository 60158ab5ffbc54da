internal import Glibc
internal import Testing

/// Colors and widths at a terminal.
@Suite struct TerminalLookTests {
    @Test(
        "colors are left out if the environment says so",
        arguments: [
            (["NO_COLOR": "1"], false), (["NO_COLOR": ""], true), ([:], true), (["BARLINE_COLOR": "never"], false),
        ])
    func colorsAreLeftOutIfTheEnvironmentSaysSo(environment: [String: String], isColored: Bool) async throws {
        let scratch = try Scratch()
        try scratch.write("many.yaml", "bars: [\(Array(repeating: "0.5", count: 400).joined(separator: ", "))]\n")
        try scratch.write("bad.yaml", "bars: [x]\n")
        try await TerminalSession.run(
            ["play", "many.yaml", "--device", "null", "--flash", "screen"], in: scratch, environment: environment
        ) { session in
            // Bold text also has a sequence, so only background colors count. A flash is over soon, and a picture may be late.
            let flashes = { TerminalLookTests.colors(session.text).contains { $0.contains("48;5;") } }
            if isColored {
                try session.wait(for: "a flash", flashes)
            } else {
                try session.wait(for: "bar 4 of 400")
            }
            session.type("q")
            try session.expectEnd(0)
            #expect(flashes() == isColored)
        }
        try await TerminalSession.run(["check", "bad.yaml"], in: scratch, environment: environment) { session in
            try session.expectEnd(65)
            #expect(TerminalLookTests.colors(session.text).contains("1;31") == isColored)
            #expect(
                session.picture.rows == [
                    "bad.yaml:1:8: error: 'x' is not a duration, for example 2.7 or 1:30", "bars: [x]", "       ^", "",
                ])
        }
    }

    @Test("a dumb terminal gets plain lines") func aDumbTerminalGetsPlainLines() async throws {
        let scratch = try Scratch()
        try scratch.write("brief.yaml", "bars: [0.1, 0.2]\n")
        try await TerminalSession.run(
            ["play", "brief.yaml", "--device", "null"], in: scratch, environment: ["TERM": "dumb"]
        ) { session in
            try session.expectEnd(0)
            #expect(
                session.text.replacing("\r\n", with: "\n") == """
                    2 bars, 0:00.3, 100%, no drone
                    ? lists the keys, Space pauses, q ends
                        1.1    0:00.000    0.100 s
                        1.2    0:00.100    0.200 s
                    end

                    """)
        }
    }

    /// A row that wraps would push the other rows down at every redraw.
    @Test("no row is wider than the terminal", arguments: [20, 40, 80])
    func noRowIsWiderThanTheTerminal(columns: Int) async throws {
        let scratch = try Scratch()
        let label = String(repeating: "日本語", count: 20)
        try scratch.write(
            "wide.yaml", "title: \(label)\ncomposer: A rather long name\nbars: [{duration: 60, label: \(label)}]\n")
        try await TerminalSession.run(["play", "wide.yaml", "--device", "null"], in: scratch, columns: columns) {
            session in
            // There may be no room for its line and bar.
            try session.wait(for: "of 60.0")
            session.type(" ")
            try session.wait(for: "PAUSED")
            for row in session.picture.rows { #expect(TerminalLookTests.width(row) <= columns, "\(row)") }
            #expect(session.picture.rows.count <= 24)
            session.type("q")
            try session.expectEnd(0)
        }
    }

    /// The parameters of every sequence that sets color or weight.
    private static func colors(_ text: String) -> [Substring] {
        text.split(separator: "\u{1B}[").compactMap { piece in
            let parameters = piece.prefix { $0.isNumber || $0 == ";" }
            return piece.dropFirst(parameters.count).first == "m" ? parameters : nil
        }
    }

    /// The width in columns; a Chinese character takes two.
    private static func width(_ row: String) -> Int {
        row.unicodeScalars.reduce(0) { $0 + ($1 == "\u{200B}" ? 0 : (0x4E00...0x9FFF).contains($1.value) ? 2 : 1) }
    }
}
