internal import Foundation
internal import SimulatedCardSupport
internal import Testing

/// Use without looking: a terminal that gets lines of text and no escape sequences, and keys of one's own.
@Suite struct PlainTests {
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

    @Test("with --plain, practice has no escape sequences, and each command is confirmed") func session() async throws {
        let scratch = try Scratch()
        try scratch.write("keys.yaml", TerminalTests.keys)
        try await TerminalSession.run(
            ["play", "keys.yaml", "--device", "null", "--flash", "screen", "--plain"], in: scratch
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
            #expect(session.text.contains("Keys: stopped at line 2, bar 1, "))
            // A session of a moment is not kept, nor is its note: either the log has it, or its loss is told.
            let log = (scratch.environment["HOME"] ?? "") + "/.local/state/barline/practice.csv"
            let isKept = try? String(contentsOfFile: log, encoding: .utf8).contains("good")
            #expect(session.text.contains("barline: note: what you noted is not kept: ") != (isKept ?? false))
        }
    }

    @Test(
        "a dumb terminal is plain, and so is every terminal of a user who wants that",
        arguments: ["TERM=dumb", "BARLINE_PLAIN=on"])
    func plainTerminals(variable: String) async throws {
        let scratch = try Scratch()
        try scratch.write("brief.yaml", "bars: [0.1, 0.2]\n")
        let parts = variable.split(separator: "=").map(String.init)
        try await TerminalSession.run(
            ["play", "brief.yaml", "--device", "null"], in: scratch, environment: [parts[0]: parts[1]]
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

    /// A PATH with an espeak-ng that is as slow as on a busy machine.
    private static func slowSpeech(_ scratch: Scratch) throws -> String {
        let slow = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path + "/Scripts/slow"
        return slow + ":" + (try #require(scratch.environment["PATH"]))
    }

    @Test(
        "if the music speaks, confirmations are spoken, even while it is paused; words that are still being made leave no file"
    )
    func spoken() async throws {
        let scratch = try Scratch(devices: SimulatedCard.configuration)
        let card = try SimulatedCard(in: scratch.folder)
        try scratch.write("quiet.yaml", "title: Quiet\nbars: [60, 60]\n")
        let temporary = scratch.folder + "/temporary"
        try FileManager.default.createDirectory(atPath: temporary, withIntermediateDirectories: true)
        try await TerminalSession.run(
            ["play", "quiet.yaml", "--device", card.device, "--plain", "--speak", "bars", "--click-level", "off"],
            in: scratch, environment: ["PATH": try Self.slowSpeech(scratch), "TMPDIR": temporary]
        ) { session in
            try session.wait(for: "q ends")
            session.type(" ")
            try session.wait(for: "paused, line 1, bar 1 of 2")
            // Nothing else sounds.
            try session.wait(for: "a voice") {
                try card.recording().samples(channel: 0).contains { abs($0) > 0.1 }
            }
            session.type("+q")
            try session.expectEnd(0)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary).isEmpty)
    }

    @Test("the user's own keys work, and are shown at the stand and by `barline keys`") func ownKeys() async throws {
        let scratch = try Scratch()
        try scratch.write("keys.yaml", TerminalTests.keys)
        let set = try await Program.run(["config", "keys", "pause f5 b, a4-up none, help f1"], in: scratch)
        #expect(set.code == 0, "\(set.errors)")
        let listed = try await Program.run(["keys"], in: scratch).text
        #expect(listed.contains("pause") && listed.contains("f5 b") && listed.contains("none"))
        let twice = try await Program.run(["config", "keys", "pause f5, next-bar f5"], in: scratch)
        #expect(twice.code == 64 && twice.errors.contains("the key 'f5' has two actions: pause and next-bar"))
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
}
