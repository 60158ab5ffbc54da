internal import Glibc
internal import Testing

/// Ctrl-Z and `fg` in a shell with job control.
@Suite struct SuspendTests {
    /// Runs the program as a job. When it stops, waits for a line of input and continues the job; this is written out
    /// twice because a stop breaks a loop.
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

    @Test("a stop restores the terminal, and continuing takes it again; music that is paused before it is still paused")
    func aStopRestoresTheTerminalAndContinuingTakesItAgain() async throws {
        try await play { session in
            /// Stops the program, and continues it.
            func stopAndGoOn() throws {
                let before = session.text.ranges(of: "[stopped]").count
                session.type("\u{1A}")
                try session.wait(for: "a stop") { session.text.ranges(of: "[stopped]").count > before }
                #expect(session.isAsBefore && session.showsCursor)
                #expect(!session.picture.isWhole, "what stood there before is back")
                session.type("\n")
                try session.wait(for: "the terminal taken again") { !session.isAsBefore && !session.showsCursor }
            }
            try session.wait(for: "line 1, bar 1 of 2  ")
            #expect(!session.isAsBefore)
            try stopAndGoOn()
            // It draws on the alternate screen again, and plays on without a key.
            try session.wait(for: "PLAYING")
            #expect(session.picture.isWhole && session.picture.shows("line 1, bar 1 of 2  "))
            session.type("\u{1B}[B")
            try session.wait(for: "line 2, bar 1 of 3  ")
            session.type(" ")
            try session.wait(for: "PAUSED")
            try stopAndGoOn()
            session.type("+")
            try session.wait(for: "105%   A4 440.0   no drone")
            try session.wait(for: "of 57.1")
            try session.wait(for: "PAUSED")
            session.type("\u{03}")
            try session.wait(for: "[ended 0]")
            #expect(session.isAsBefore && session.showsCursor)
        }
    }

    /// Without a shell that could continue it, a stop would last forever: instead, the music makes a short pause. SIGSTOP cannot
    /// be caught, and here another program has changed the terminal's settings meanwhile.
    @Test(
        "without a shell, a stop is only a short pause; continuing after a stop from outside takes the terminal again")
    func withoutAShell() async throws {
        let scratch = try Scratch()
        try scratch.write("keys.yaml", TerminalTests.keys)
        try await TerminalSession.run(["play", "keys.yaml", "--device", "null"], in: scratch) { session in
            try session.wait(for: "line 1, bar 1 of 2  ")
            session.type("\u{1A}")
            // The pause is too short to be observed.
            try session.wait(for: "the terminal taken again") {
                session.text.ranges(of: "\u{1B}[?1049h").count == 2
            }
            try session.wait(for: "PLAYING")
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

    @Test("on a plain terminal, a stop is a pause with its place; only `fg` ends it, so no other command is named")
    func plain() async throws {
        try await play("--plain") { session in
            try session.wait(for: "    1.1 ")
            session.type("\u{1A}")
            try session.wait(for: "[stopped]")
            #expect(session.text.contains("paused, line 1, bar 1 of 2") && !session.text.contains("barline continue"))
            session.type("\n")
            try session.wait(for: "playing, line 1, bar 1 of 2")
            session.type("q")
            try session.wait(for: "[ended 0]")
            #expect(!session.text.contains("going on"))
        }
    }

    private func play(
        _ options: String..., during body: @escaping @Sendable (TerminalSession) throws -> Void
    ) async throws {
        let scratch = try Scratch()
        try scratch.write("keys.yaml", TerminalTests.keys)
        try await TerminalSession.run(
            ["play", "keys.yaml", "--device", "null"] + options, in: scratch, wrapper: SuspendTests.shell
        ) { session in
            try body(session)
            try session.expectEnd(0)
        }
    }
}
