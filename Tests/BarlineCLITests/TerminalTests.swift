internal import Testing

#if canImport(Glibc)
    internal import Glibc
#endif

/// `play` with a person in front of it.
@Suite struct TerminalTests {
    /// Bars so long that nothing moves by itself.
    static let keys = """
        title: Keys
        lines:
          - {label: First, bars: [60, 60]}
          - bars: [60, 60, 60]

        """
    private static let fullGauge = String(repeating: "█", count: 60)

    @Test func everyKeyDoesWhatTheHelpSays() async throws {
        let (code, rows, isClean) = try await play(["--device", "null"]) { session in
            try session.wait(for: "line 1   bar 1 of 2   ")
            try session.wait(for: "Space pause  ←→ bar  ↑↓ line  +− speed  q quit")
            for (key, effect) in [
                (" ", "PAUSED   First"),
                ("\u{1B}[C", "line 1   bar 2 of 2   60.0 s of 60.0   PAUSED"),
                ("\u{1B}[B", "line 2   bar 1 of 3   60.0 s of 60.0   PAUSED"),
                ("\u{1B}OC", "line 2   bar 2 of 3   60.0 s of 60.0   PAUSED"),
                ("\u{1B}[D", "line 2   bar 1 of 3   60.0 s of 60.0   PAUSED"),
                ("\u{1B}[A", "line 1   bar 1 of 2   60.0 s of 60.0   PAUSED"),
                ("+", "Keys   105%   no drone"),
                ("x\u{1B}[15~", "line 1   bar 1 of 2   57.2 s of 57.1   PAUSED"),
                ("--", "Keys   95%   no drone"),
                ("=", "Keys   100%   no drone"),
            ] {
                session.type(key)
                try session.wait(for: effect)
            }
            session.type(" ")
            try session.wait(for: "the music to go on") { !session.picture.shows("PAUSED") }
            #expect(session.picture.shows("line 1   bar 1 of 2   "))
            session.type("q")
            return (try session.end(), session.picture.rows, session.isAsBefore && session.showsCursor)
        }
        #expect(code == 0)
        #expect(rows == ["Keys   100%   no drone", "end", TerminalTests.fullGauge, "", ""])
        #expect(isClean)
    }

    @Test(arguments: ["q", "Q", "\u{03}"])
    func everyEndByAKeyLeavesTheTerminalAsItWas(key: String) async throws {
        let (code, rows) = try await play([]) { session in
            #expect(session.isAsBefore)
            try session.wait(for: "line 1   bar 1 of 2   ")
            #expect(!session.isAsBefore && !session.showsCursor)
            session.type(key)
            let code = try session.end()
            #expect(session.isAsBefore && session.showsCursor)
            return (code, session.picture.rows)
        }
        #expect(code == 0)
        #expect(
            rows == [
                "barline: no sound card: counting silently (--require-audio makes this an error)",
                "Keys   100%   no drone", "end", TerminalTests.fullGauge, "", "no sound: counting silently", "",
            ])
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func everyEndByASignalLeavesTheTerminalAsItWas(signal: Int32) async throws {
        try await play(["--device", "null", "--flash"]) { session in
            try session.wait(for: "line 1   bar 1 of 2   ")
            session.send(signal)
            try session.expectEnd(0)
            #expect(session.isAsBefore && session.showsCursor)
            #expect(session.picture.rows == ["Keys   100%   no drone", "end", TerminalTests.fullGauge, "", ""])
        }
    }

    /// Whether the fade has ended in time or the second signal has ended the program: the terminal is clean.
    @Test func whoIsImpatientGetsACleanTerminalToo() async throws {
        try await play(["--device", "null"]) { session in
            try session.wait(for: "line 1   bar 1 of 2   ")
            try session.wait(for: "the end") {
                session.send(SIGINT)
                return session.isAsBefore
            }
            let code = try session.end()
            #expect([0, 128 + SIGINT].contains(code))
            #expect(session.isAsBefore && session.showsCursor)
        }
    }

    @Test func aTerminalThatGoesAwayEndsTheMusic() async throws {
        try await play(["--device", "null"]) { session in
            try session.wait(for: "line 1   bar 1 of 2   ")
            session.hangUp()
            try session.expectEnd(0)
        }
    }

    @Test func aNaturalEndLeavesTheTerminalAsItWas() async throws {
        let scratch = try Scratch()
        try scratch.write("brief.yaml", "title: Brief\ncomposer: Nobody\nbars: [0.1, 0.2]\n")
        try await TerminalSession.run(["play", "brief.yaml", "--device", "null"], in: scratch) { session in
            try session.expectEnd(0)
            #expect(session.isAsBefore && session.showsCursor)
            #expect(
                session.picture.rows == ["Brief · Nobody   100%   no drone", "end", TerminalTests.fullGauge, "", ""])
        }
    }

    /// A flash inverts the screen (DECSCNM); whatever happens, it is not left so.
    @Test func flashesEndAndComeOnlyWhenAskedFor() async throws {
        let scratch = try Scratch()
        try scratch.write("bars.yaml", "lines: [{repeat: 100, bars: [0.25]}]\n")
        let options = ["play", "bars.yaml", "--device", "null"]
        try await TerminalSession.run(options + ["--flash"], in: scratch) { session in
            try session.wait(for: "a flash") { session.text.contains("\u{1B}[?5h") }
            session.type("q")
            try session.expectEnd(0)
            let last = try #require(session.text.ranges(of: "\u{1B}[?5h").last)
            #expect(session.text[last.upperBound...].contains("\u{1B}[?5l"))
        }
        try await TerminalSession.run(options, in: scratch) { session in
            try session.wait(for: "line 3   bar 1 of 1")
            session.type("q")
            try session.expectEnd(0)
            #expect(!session.text.contains("\u{1B}[?5h"))
        }
    }

    @Test func aHoldWaitsForAKeyAtATerminalAndNowhereElse() async throws {
        let scratch = try Scratch()
        let hold = "{duration: 0.2, hold: until cue}"
        try scratch.write("hold.yaml", "title: Hold\nlines: [[\(hold)], [\(hold)], [\(hold)], [\(hold)]]\n")
        try await TerminalSession.run(["play", "hold.yaml", "--device", "null"], in: scratch) { session in
            for (line, key) in [(1, " "), (2, "\r"), (3, "\u{1B}[6~")] {
                try session.wait(for: "line \(line)   bar 1 of 1   0.0 s of 0.2   HOLDING: Space goes on")
                session.type(key)
            }
            try session.wait(for: "line 4   bar 1 of 1   0.0 s of 0.2   HOLDING: Space goes on")
            session.type("c")
            try session.expectEnd(0)
        }
        let alone = try await Program.run(["play", "hold.yaml", "--device", "null"], in: scratch)
        #expect(alone.code == 0)
        #expect(alone.text.hasSuffix("4.1    0:00.600    0.200 s\nend\n"))
    }

    @Test func aDroneSaysOneLineAndEndsByAKey() async throws {
        try await TerminalSession.run(["drone", "--a4", "442", "--device", "null"], in: try Scratch()) { session in
            try session.wait(for: "drone B4 496.13 Hz, until Ctrl-C")
            #expect(!session.isAsBefore)
            session.type(" +\u{1B}[Cq")
            try session.expectEnd(0)
            #expect(session.picture.rows == ["drone B4 496.13 Hz, until Ctrl-C", ""])
            #expect(session.isAsBefore && session.showsCursor)
        }
    }

    private func play<Value: Sendable>(
        _ options: [String], _ body: @escaping @Sendable (TerminalSession) throws -> Value
    ) async throws -> Value {
        let scratch = try Scratch()
        try scratch.write("keys.yaml", TerminalTests.keys)
        return try await TerminalSession.run(["play", "keys.yaml"] + options, in: scratch, body)
    }
}
