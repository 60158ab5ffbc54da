internal import Testing

/// Colors at a terminal.
@Suite struct TerminalLookTests {
    @Test(
        "flashes come only on request, in the colors asked for, and as reverse video where nothing may have a color",
        arguments: [
            (["COLORTERM": "truecolor"], ["48;2;0;0;255m", "48;2;0;255;0m"]), ([:], ["48;5;21m", "48;5;46m"]),
            (["NO_COLOR": ""], ["48;5;21m"]), (["NO_COLOR": "1"], ["\u{1B}[0;7m"]),
            (["BARLINE_COLOR": "never"], ["\u{1B}[0;7m"]),
        ])
    func colors(environment: [String: String], flashes: [String]) async throws {
        let scratch = try Scratch()
        try scratch.write("bars.yaml", "lines: [{repeat: 1000, bars: [0.4, {duration: 0.4, flash: 00ff00}]}]\n")
        try scratch.write("bad.yaml", "bars: [x]\n")
        let isColored = flashes[0].hasPrefix("48")
        try await TerminalSession.run(
            ["play", "bars.yaml", "--device", "null", "--flash-line-color", "0000ff"], in: scratch,
            environment: environment
        ) { session in
            try session.wait(for: "a line after the first") {
                session.picture.rows.contains { $0.contains(/line ([2-9]|\d\d+), bar 1 of 2/) }
            }
            #expect(flashes.allSatisfy { !session.text.contains($0) })
            session.type("f")
            for flash in flashes { try session.wait(for: "the flash \(flash)") { session.text.contains(flash) } }
            session.type("q")
            try session.expectEnd(0)
            #expect(session.text.contains("48;") == isColored)
        }
        try await TerminalSession.run(["check", "bad.yaml"], in: scratch, environment: environment) { session in
            try session.expectEnd(65)
            #expect(session.text.contains("\u{1B}[1;31m") == isColored)
            #expect(
                session.picture.rows == [
                    "bad.yaml:1:8: error: 'x' is not a duration, for example 2.7 or 1:30", "bars: [x]", "       ^", "",
                ])
        }
    }
}
