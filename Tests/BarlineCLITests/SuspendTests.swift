internal import Glibc
internal import Testing

/// Ctrl-Z and `fg`, by a shell that does jobs.
@Suite struct SuspendTests {
    /// Runs the program as a job; when it stops, waits for a line, and goes on with it; twice (a stop breaks loops).
    private static let shell = [
        "/bin/bash", "--norc", "-c",
        """
        set -m
        go_on() { echo "[stopped]"; read -r _; fg >/dev/null; code=$?; }
        "$@"
        code=$?
        [ $code -ne 148 ] || go_on
        [ $code -ne 148 ] || go_on
        echo "[ended $code]"
        """, "bash",
    ]

    @Test("a stop gives the terminal back, and going on takes it again")
    func aStopGivesTheTerminalBackAndGoingOnTakesItAgain() async throws {
        try await play { session in
            try session.wait(for: "line 1, bar 1 of 2  ")
            #expect(!session.isAsBefore)
            session.type("\u{1A}")
            try session.wait(for: "[stopped]")
            #expect(session.isAsBefore && session.showsCursor)
            #expect(!session.picture.isWhole, "what stood there before is back")
            session.type("\n")
            // Drawn anew on a page of its own, and going on by itself.
            try session.wait(for: "PLAYING")
            #expect(session.picture.isWhole && session.picture.shows("line 1, bar 1 of 2  "))
            #expect(!session.isAsBefore && !session.showsCursor)
            session.type("\u{1B}[B")
            try session.wait(for: "line 2, bar 1 of 3  ")
            session.type("q")
            try session.wait(for: "[ended 0]")
            #expect(session.isAsBefore && session.showsCursor)
        }
    }

    @Test("what stood still before a stop stands still after it") func whatStoodStillBeforeAStopStandsStillAfterIt()
        async throws
    {
        try await play { session in
            try session.wait(for: "line 1, bar 1 of 2  ")
            session.type(" ")
            try session.wait(for: "PAUSED")
            for _ in 1...2 {
                let before = session.text.ranges(of: "[stopped]").count
                session.type("\u{1A}")
                try session.wait(for: "a stop") { session.text.ranges(of: "[stopped]").count > before }
                #expect(session.isAsBefore && session.showsCursor)
                session.type("\n")
                try session.wait(for: "the terminal taken again") { !session.isAsBefore && !session.showsCursor }
            }
            session.type("+")
            try session.wait(for: "105%   A4 440.0   no drone")
            try session.wait(for: "57.1")
            try session.wait(for: "PAUSED")
            session.type("\u{03}")
            try session.wait(for: "[ended 0]")
            #expect(session.isAsBefore && session.showsCursor)
        }
    }

    /// Without a shell that could let it go on, a stop would be for ever: the music makes a short pause.
    @Test("where no shell waits a stop is no trap") func whereNoShellWaitsAStopIsNoTrap() async throws {
        let scratch = try Scratch()
        try scratch.write("keys.yaml", TerminalTests.keys)
        try await TerminalSession.run(["play", "keys.yaml", "--device", "null"], in: scratch) { session in
            try session.wait(for: "line 1, bar 1 of 2  ")
            session.type("\u{1A}")
            // The pause in between is too short to be looked at.
            try session.wait(for: "the terminal taken again") {
                session.text.ranges(of: "\u{1B}[?1049h").count == 2
            }
            try session.wait(for: "PLAYING")
            session.type("q")
            try session.expectEnd(0)
            #expect(session.isAsBefore && session.showsCursor)
        }
    }

    /// A stop that no program can catch, and a terminal that someone else has set in between.
    @Test("going on after a stop from outside takes the terminal again")
    func goingOnAfterAStopFromOutsideTakesTheTerminalAgain() async throws {
        let scratch = try Scratch()
        try scratch.write("keys.yaml", TerminalTests.keys)
        try await TerminalSession.run(["play", "keys.yaml", "--device", "null"], in: scratch) { session in
            try session.wait(for: "line 1, bar 1 of 2  ")
            session.send(SIGSTOP)
            session.restore()
            #expect(session.isAsBefore)
            session.send(SIGCONT)
            try session.wait(for: "the terminal taken again") { !session.isAsBefore }
            session.type("q")
            try session.expectEnd(0)
            #expect(session.isAsBefore && session.showsCursor)
        }
    }

    private func play(_ body: @escaping @Sendable (TerminalSession) throws -> Void) async throws {
        let scratch = try Scratch()
        try scratch.write("keys.yaml", TerminalTests.keys)
        try await TerminalSession.run(
            ["play", "keys.yaml", "--device", "null"], in: scratch, wrapper: SuspendTests.shell
        ) { session in
            try body(session)
            try session.expectEnd(0)
        }
    }
}
