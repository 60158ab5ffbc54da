internal import Glibc
internal import Testing

/// What `barline` without arguments offers at a terminal.
@Suite struct WelcomeTests {
    @Test("five rows offer a beginning, in every language", arguments: ["C", "de_DE", "fr_FR", "es_ES", "it_IT"])
    func rows(language: String) async throws {
        let scratch = try Scratch()
        try await TerminalSession.run([], in: scratch, environment: ["LC_ALL": language + ".UTF-8"]) { session in
            try session.wait(for: "keys one by one") { !session.isAsBefore }
            session.type("q")
            try session.expectEnd(0)
            let rows = session.picture.rows.filter { !$0.isEmpty }
            #expect(rows.count == 5 && rows[1].hasPrefix("  p  ") && rows[4].hasPrefix("  q  "), "\(rows)")
        }
    }

    @Test("l lists the scores, and p plays")
    func choices() async throws {
        let scratch = try Scratch()
        try await TerminalSession.run([], in: scratch) { session in
            try session.wait(for: "keys one by one") { !session.isAsBefore }
            session.type("l")
            try session.expectEnd(0)
            #expect(session.picture.shows("time-brackets") && session.isAsBefore && session.showsCursor)
        }
        try await TerminalSession.run([], in: scratch) { session in
            try session.wait(for: "keys one by one") { !session.isAsBefore }
            session.type("p")
            try session.wait(for: "COUNT-IN")
            session.type("q")
            try session.expectEnd(0)
            #expect(session.isAsBefore && session.showsCursor)
        }
    }

    @Test("Ctrl-C leaves the terminal as it was")
    func interrupt() async throws {
        let scratch = try Scratch()
        try await TerminalSession.run([], in: scratch) { session in
            try session.wait(for: "keys one by one") { !session.isAsBefore }
            session.type("\u{03}")
            try session.expectEnd(128 + SIGINT)
            #expect(session.isAsBefore && session.showsCursor)
        }
    }
}
