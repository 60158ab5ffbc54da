internal import Foundation
internal import Glibc
internal import Shared
internal import Testing

/// A session, controlled by other processes of the same user.
@Suite struct ControlTests {
    /// Waits until the session's status contains these words.
    private func waitForStatus(_ words: String, in scratch: Scratch) async throws {
        try await wait(for: "\(words) in the status") {
            try await Program.run(["status", "--json"], in: scratch, isAwaited: true).text.contains(words)
        } orTell: {
            try await Program.run(["status", "--json"], in: scratch, isAwaited: true).text
        }
    }

    /// Plays in the background while `body` runs; `body` starts once the first bar is heard, or in another `state`.
    private func whilePlaying(
        _ arguments: [String], in scratch: Scratch, state: String = "playing",
        _ body: @escaping @Sendable () async throws -> Void
    ) async throws -> Outcome {
        let (started, start) = AsyncStream<Void>.makeStream()
        // All other programs may run before this one gets a slot.
        async let playing = {
            defer { start.finish() }
            return try await Program.run(arguments, in: scratch) { _ in start.finish() }
        }()
        for await _ in started {}
        try await waitForStatus("\"\(state)\"", in: scratch)
        do { try await body() } catch {
            // Otherwise the test would tell it only once the play is killed as hung.
            _ = try await Program.run(["stop"], in: scratch, isAwaited: true)
            throw error
        }
        return try await playing
    }

    /// The session's status, without the time that commands take, which it adds on a stalled machine.
    private func status(in scratch: Scratch) async throws -> String {
        try await Program.run(["status"], in: scratch, isAwaited: true).text
            .replacing(/, command delay \d+\.\d s$/.anchorsMatchLineEndings(), with: "")
    }

    @Test("another process can pause, continue, query and stop a session")
    func anotherProcessCanPauseQueryAndStopASession()
        async throws
    {
        let scratch = try Scratch()
        try scratch.write("long.yaml", "title: Long\nlines: [[3000, 600]]\n")
        let played = try await whilePlaying(["play", "long.yaml", "--device", "null"], in: scratch) {
            let first = try await status(in: scratch)
            #expect(first.hasPrefix("Long, line 1 bar 1, ") && first.hasSuffix(" of 1:00:00.0\n"))
            #expect(try await Program.run(["pause"], in: scratch, isAwaited: true).text == "paused\n")
            #expect(try await status(in: scratch).hasSuffix(", paused\n"))
            for (command, answer) in [
                ("pause", "resumed"), ("continue", "already playing"), ("pause", "paused"), ("continue", "continued"),
            ] {
                #expect(try await Program.run([command], in: scratch, isAwaited: true).text == answer + "\n")
            }
            let second = try await Program.run(["play", "metronome", "--device", "null"], in: scratch, isAwaited: true)
            #expect(second.code == 75 && second.text == "", "\(second.errors)")
            #expect(second.errors.hasPrefix("barline: error: already playing: Long, line 1 bar 1, "))
            #expect(second.errors.hasSuffix("; `barline stop` ends it, `barline pause` pauses it\n"))
            #expect(try await Program.run(["stop"], in: scratch, isAwaited: true).text == "stopped\n")
        }
        #expect(played.code == 0 && played.text.contains("\nstopped "))
        let over = try await Program.run(["status"], in: scratch, isAwaited: true)
        #expect(over.errors == "barline: error: nothing is playing\n" && over.code == 69)
    }

    @Test("a stop before the music begins ends it before its first bar") func early() async throws {
        let scratch = try Scratch()
        // Whoever reads this waits until somebody writes it.
        let path = scratch.folder + "/late.yaml"
        try #require(mkfifo(path, 0o600) == 0)
        async let playing = Program.run(["play", "late.yaml", "--device", "null"], in: scratch)
        try await waitForStatus("\"beginning\"", in: scratch)
        #expect(try await Program.run(["stop"], in: scratch, isAwaited: true).text == "stopped\n")
        try await waiting {
            let writer = open(path, O_WRONLY | O_CLOEXEC)
            defer { close(writer) }
            try #require(write(writer, "bars: [3000]\n", 13) == 13)
        }
        let played = try await playing
        #expect(played.code == 0 && played.text.hasSuffix("\nstopped before the start\n"), "\(played)")
    }

    @Test("a pause before the music begins is kept: the music begins when another process continues it")
    func pausedEarly() async throws {
        let scratch = try Scratch()
        // Whoever reads this waits until somebody writes it.
        let path = scratch.folder + "/late.yaml"
        try #require(mkfifo(path, 0o600) == 0)
        async let playing = Program.run(["play", "late.yaml", "--device", "null"], in: scratch)
        try await waitForStatus("\"beginning\"", in: scratch)
        for (command, answer) in [
            ("continue", "starting"), ("pause", "paused"), ("continue", "continued"), ("pause", "paused"),
            ("pause", "resumed"), ("pause", "paused"),
        ] {
            #expect(try await Program.run([command], in: scratch, isAwaited: true).text == answer + "\n")
        }
        try await waiting {
            let writer = open(path, O_WRONLY | O_CLOEXEC)
            defer { close(writer) }
            try #require(write(writer, "bars: [0.1, 3000]\n", 18) == 18)
        }
        try await waitForStatus("\"paused\"", in: scratch)
        let early = try await status(in: scratch)
        #expect(early.hasPrefix("line 1 bar 1, 0.1 s left, 0:00.0 of "), "\(early)")
        #expect(try await Program.run(["continue"], in: scratch, isAwaited: true).text == "continued\n")
        try await waitForStatus("\"bar\": 2", in: scratch)
        #expect(try await Program.run(["stop"], in: scratch, isAwaited: true).text == "stopped\n")
        #expect(try await playing.code == 0)
    }

    @Test("while a fade ends a session, another process cannot pause it, and is not told that it has")
    func fading() async throws {
        let scratch = try Scratch()
        // The drone fades out for as long as it has faded in.
        try scratch.write("fade.yaml", "drone: {pitch: B4, fade: 3 s}\nlines: [[3, 3000]]\n")
        async let playing = Program.run(["play", "fade.yaml", "--device", "null"], in: scratch)
        try await waitForStatus("\"bar\": 2", in: scratch)
        for (command, answer) in [("stop", "stopped"), ("pause", "stopping"), ("continue", "stopping")] {
            let told = try await Program.run([command], in: scratch, isAwaited: true)
            guard command != "stop" else {
                #expect(told.text == answer + "\n" && told.code == 0)
                continue
            }
            // A busy machine may ask too late.
            let reasons = [answer, "nothing is playing"].map { "barline: error: \($0)\n" }
            #expect(told.code == 69 && told.text == "" && reasons.contains(told.errors), "\(command): \(told)")
        }
        #expect(try await playing.code == 0)
    }

    @Test("a second play at a terminal offers to control the first, or to take its place")
    func aSecondPlayAtATerminalOffersToControlTheFirst() async throws {
        let scratch = try Scratch()
        let played = try await whilePlaying(["every", "0.2", "--device", "null"], in: scratch) {
            for (key, answer) in [
                ("p", "paused"), ("p", "resumed"), ("q", "q quit"), ("\u{03}", "q quit"), ("s", "stopped"),
            ] {
                let isClean = try await TerminalSession.run(
                    ["play", "metronome", "--device", "null"], in: scratch, isAwaited: true
                ) {
                    session in
                    try session.wait(for: "already playing: Every 0.2 s, ")
                    // Also Ctrl-C gives the terminal back.
                    try session.wait(for: "keys one by one") { !session.isAsBefore }
                    session.type(key)
                    try session.expectEnd(key == "\u{03}" ? 128 + SIGINT : 0)
                    #expect(session.picture.shows(answer))
                    return session.isAsBefore && session.showsCursor
                }
                #expect(isClean)
            }
        }
        #expect(played.code == 0 && played.text.hasPrefix("Every 0.2 s, until stopped\n"))
        let replaced = try await whilePlaying(["every", "0.2", "--device", "null"], in: scratch) {
            _ = try await TerminalSession.run(["play", "metronome", "--device", "null"], in: scratch, isAwaited: true) {
                session in
                try session.wait(for: "n stop it and play this")
                try session.wait(for: "keys one by one") { !session.isAsBefore }
                session.type("n")
                try session.wait(for: "line 1, bar ")
                session.type("q")
                try session.expectEnd(0)
                return true
            }
        }
        #expect(replaced.code == 0 && replaced.text.contains("\nstopped "), "\(replaced.text)")
    }
}
