internal import Glibc
internal import Testing

/// What `barline` without arguments offers at a terminal.
@Suite struct WelcomeTests {
    @Test(
        "five rows offer a beginning, in every language: p plays, l lists the scores, q and Ctrl-C end",
        arguments: [("C", "q"), ("de_DE", "l"), ("fr_FR", "p"), ("es_ES", "\u{03}"), ("it_IT", "q")])
    func choices(language: String, key: String) async throws {
        try await TerminalSession.run([], in: try Scratch(), environment: ["LC_ALL": language + ".UTF-8"]) { session in
            try session.wait(for: "keys one by one") { !session.isAsBefore }
            let rows = session.picture.rows.filter { !$0.isEmpty }
            #expect(rows.count == 5 && rows[1].hasPrefix("  p  ") && rows[4].hasPrefix("  q  "), "\(rows)")
            session.type(key)
            if key == "p" {
                try session.wait(for: "the stand") { session.picture.isWhole }
                session.type("q")
            }
            try session.expectEnd(key == "\u{03}" ? 128 + SIGINT : 0)
            #expect(session.picture.shows("time-brackets") == (key == "l"))
            #expect(session.isAsBefore && session.showsCursor)
        }
    }
}
