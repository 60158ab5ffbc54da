internal import Foundation
internal import Glibc
internal import SimulatedCardSupport
internal import Testing

/// Use without looking: a terminal that gets lines of text and no escape sequences, and keys of one's own.
@Suite struct PlainTests {
    /// The lines on the terminal, one after the other.
    private static func lines(_ session: TerminalSession) -> [String] {
        session.text.split(whereSeparator: \.isNewline).map(String.init)
    }

    /// The music waits, so that only commands print lines.
    private static let practice: [(keys: String, confirmation: String)] = [
        (" ", "paused, line 1, bar 1 of 2  First"), ("\u{1B}[C", "line 1, bar 2 of 2"),
        ("g2.3\r", "go to (bar 5.7, label, or time 2:30): 2.3"), ("g2.1\r", "line 2, bar 1 of 3"), ("+", "speed 105%"),
        ("L", "loop 2.1 to 2.3"), ("o", "loop or program ended"), ("d", "drone B4 493.88 Hz -24 dB"),
        ("pA4\r", "drone A4 440.00 Hz -24 dB"), ("c", "clicks off"), ("i", "jumps are counted in"),
        (".", "shifted 10 ms later"), ("Psilent 1 of 2\r", "silent 1 of 2 bars"),
        ("gX\r", "there is no label 'X' in the piece"), ("s", "Keys, line 2 bar 1, "),
        (" ", "playing, line 2, bar 1 of 3"), ("?", "Right arrow: next bar"),
        ("E", "E has no meaning; ? lists the keys"), ("kgood\r", "noted at 2.1: good"),
    ]

    @Test(
        "with --plain, practice has no escape sequences, and each command is confirmed",
        arguments: [(["--plain"], [:]), ([], ["TERM": "dumb"]), ([], ["BARLINE_PLAIN": "on"])])
    func session(options: [String], environment: [String: String]) async throws {
        let scratch = try Scratch()
        try scratch.write("keys.yaml", TerminalTests.keys)
        try await TerminalSession.run(
            ["play", "keys.yaml", "--device", "null", "--flash", "screen"] + options, in: scratch,
            environment: environment
        ) { session in
            try session.wait(for: "? lists the keys, Space pauses, q ends")
            try session.wait(for: "    1.1    0:00.000   60.000 s  First")
            for (keys, confirmation) in PlainTests.practice {
                session.type(keys)
                try session.wait(for: confirmation)
            }
            session.type("q")
            try session.expectEnd(0)
            #expect(session.isAsBefore)
            #expect(!session.text.contains("\u{1B}"))
            #expect(PlainTests.lines(session).last?.hasPrefix(TerminalTests.stopped + "2, bar 1, ") == true)
        }
    }

    @Test("with --plain, a plan has a line for each interval, and Ctrl-C ends it") func plan() async throws {
        let scratch = try Scratch()
        try scratch.write("easy.plan", "run 1:00\nwalk 1:00\n")
        try await TerminalSession.run(
            ["play", "easy.plan", "--device", "null", "--plain", "--no-cues"], in: scratch
        ) { session in
            try session.wait(for: "0:00  run, 1:00")
            session.type("\u{1B}[C")
            try session.wait(for: "walk")
            session.type("\u{03}")
            try session.expectEnd(0)
            #expect(!session.text.contains("\u{1B}"))
            #expect(PlainTests.lines(session).last?.contains("stopped in walk") == true, "\(PlainTests.lines(session))")
        }
    }

    /// A PATH with an espeak-ng that is as slow as on a busy machine.
    private static func slowSpeech(_ scratch: Scratch) throws -> String {
        let slow = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path + "/Scripts/slow"
        return slow + ":" + (try #require(scratch.environment["PATH"]))
    }

    @Test("if the music speaks, confirmations are spoken, even while it is paused") func spoken() async throws {
        let scratch = try Scratch(devices: SimulatedCard.configuration)
        let card = try SimulatedCard(in: scratch.folder)
        try scratch.write("quiet.yaml", "title: Quiet\nbars: [60]\n")
        try await TerminalSession.run(
            ["play", "quiet.yaml", "--device", card.device, "--plain", "--speak", "lines", "--click-level", "off"],
            in: scratch, environment: ["PATH": try Self.slowSpeech(scratch)]
        ) { session in
            try session.wait(for: "q ends")
            session.type(" ")
            try session.wait(for: "paused, line 1, bar 1 of 1")
            // Nothing else sounds.
            try session.wait(for: "a voice") {
                try card.recording().samples(channel: 0).contains { abs($0) > 0.1 }
            }
            session.type("q")
            try session.expectEnd(0)
        }
    }

    @Test("if the performance ends while words are being made, no file is left behind") func noFile() async throws {
        let scratch = try Scratch()
        try scratch.write("quiet.yaml", "title: Quiet\nbars: [10, 60]\n")
        try await TerminalSession.run(
            ["play", "quiet.yaml", "--device", "null", "--plain", "--speak", "bars"], in: scratch,
            environment: ["PATH": try Self.slowSpeech(scratch), "TMPDIR": scratch.folder]
        ) { session in
            try session.wait(for: "q ends")
            session.type("q")
            try session.expectEnd(0)
        }
        #expect(try scratch.names == ["quiet.yaml"])
    }

    @Test("with --plain, calculators print only the changes, without escape sequences")
    func calculators() async throws {
        let scratch = try Scratch()
        try await TerminalSession.run(["pace", "--plain"], in: scratch) { session in
            try session.wait(for: "= time")
            session.type("10\r")
            try session.wait(for: "0010.000 km")
            session.type("q")
            try session.expectEnd(0)
            #expect(!session.text.contains("\u{1B}") && session.isAsBefore)
        }
        try await TerminalSession.run(["plan", "edit", "new.plan", "--plain"], in: scratch) { session in
            try session.wait(for: "a add")
            session.type("arun 0:30\r")
            try session.wait(for: "> Run")
            session.type("sq")
            try session.expectEnd(0)
            #expect(!session.text.contains("\u{1B}") && session.isAsBefore)
        }
        #expect(String(decoding: try scratch.read("new.plan"), as: UTF8.self).contains("run 0:30"))
    }

    @Test("with --plain, a drone confirms its keys, without escape sequences") func drone() async throws {
        try await TerminalSession.run(["drone", "--device", "null"], in: try Scratch(), environment: ["TERM": "dumb"]) {
            session in
            try session.wait(for: "drone B4 493.88 Hz, until Ctrl-C")
            for (key, line) in [("M", "drone C5 523.25 Hz"), ("d", "muted")] {
                session.type(key)
                try session.wait(for: line)
            }
            session.type("q")
            try session.expectEnd(0)
            #expect(!session.text.contains("\u{1B}") && session.isAsBefore)
        }
    }

    @Test("the user's own keys work, and are shown at the stand and by `barline keys`") func ownKeys() async throws {
        let scratch = try Scratch()
        try scratch.write("keys.yaml", TerminalTests.keys)
        let set = try await Program.run(["config", "keys", "pause f5 b, a4-up none, help f1"], in: scratch)
        #expect(set.code == 0, "\(set.errors)")
        let listed = try await Program.run(["keys"], in: scratch).text
        #expect(listed.contains("pause") && listed.contains("f5 b") && listed.contains("none"))
        let json = try await Program.run(["keys", "--json"], in: scratch).text
        #expect(json.contains(#"{"action": "pause", "keys": "f5 b", "says": "pause, resume"}"#))
        try await TerminalSession.run(["play", "keys.yaml", "--device", "null"], in: scratch) { session in
            try session.wait(for: "F5 pause   ←→ bar   ↑↓ line   F1 keys   q end")
            session.type(" \u{1B}[15~")
            try session.wait(for: "PAUSED")
            session.type("b")
            try session.wait(for: "PLAYING")
            session.type("\u{1B}OP")
            try session.wait(for: "pause, resume (also b)")
            session.type("\u{1B}OP")
            session.type("q")
            try session.expectEnd(0)
        }
    }

    @Test("a conflict of keys in the settings is reported with its place") func conflict() async throws {
        let scratch = try Scratch()
        try scratch.write("keys.yaml", TerminalTests.keys)
        let folder = (scratch.environment["HOME"] ?? "") + "/.config/barline"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try "a4: 442\nkeys: pause b\n".write(toFile: folder + "/config.yaml", atomically: false, encoding: .utf8)
        let outcome = try await Program.run(["play", "keys.yaml"], in: scratch)
        #expect(outcome.code == 65)
        #expect(
            outcome.errors.hasPrefix(
                "\(folder)/config.yaml:2:7: error: the key 'b' of pause has the action a4-up already"),
            "\(outcome.errors)")
        let option = try await Program.run(["config", "keys", "pause f5, next-bar f5"], in: scratch)
        #expect(option.code == 64 && option.errors.contains("the key 'f5' has two actions: pause and next-bar"))
    }
}
