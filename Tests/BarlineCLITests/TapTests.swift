internal import Testing

/// Scores from taps at a terminal.
@Suite struct TapTests {
    @Test("at a terminal every key is a tap, Backspace takes one back, and Enter ends") func atATerminal() async throws
    {
        let scratch = try Scratch()
        let text = try await TerminalSession.run(["tap", "--beats", "3"], in: scratch) { session in
            try session.wait(for: "Tap on the first beat")
            for (key, shown) in [
                ("x", "bar 1, tap 1"), (" ", "bar 1, tap 2"), ("y", "bar 1, tap 3"), ("z", "bar 2, tap 1"),
            ] {
                session.type(key)
                try session.wait(for: shown)
            }
            for shown in ["bar 1, tap 3", "bar 1, tap 2", "bar 1, tap 1"] {
                session.type("\u{7F}")
                try session.wait(for: shown)
            }
            session.type("\r")
            try session.expectEnd(65)
            #expect(session.isAsBefore)
            return session.text
        }
        #expect(text.contains("fewer than two taps"))
    }
}
