internal import Shared
internal import Testing

/// Media keys and the controls of the desktop, by a bus of their own; playerctl is the other side.
@Suite struct MediaKeysTests {
    private let long = "title: Long & slow\nlines: [[300, 600], [900]]\n"

    @Test("media keys pause, resume, jump and end the music, and the desktop sees what plays")
    func controls() async throws {
        let (scratch, desktop) = (try Scratch(), try await Desktop.make(hasDaemon: false))
        try scratch.write("long.yaml", long)
        async let playing = Program.run(
            ["play", "long.yaml", "--device", "null", "--media-keys"], in: scratch, environment: desktop.environment)
        @Sendable func ask(_ words: String...) async throws -> String {
            try await Slots.run(isAwaited: true) { try desktop.run("/usr/bin/playerctl", ["-p", "barline"] + words) }
        }
        @Sendable func expect(_ wanted: String, of words: [String], after command: [String] = []) async throws {
            if !command.isEmpty {
                _ = try await Slots.run(isAwaited: true) {
                    try desktop.run("/usr/bin/playerctl", ["-p", "barline"] + command)
                }
            }
            try await wait(for: "\(wanted) of \(words), after \(command)") {
                let said = try await Slots.run(isAwaited: true) {
                    try desktop.run("/usr/bin/playerctl", ["-p", "barline"] + words)
                }
                return said.hasPrefix(wanted)
            }
        }
        try await expect("Playing", of: ["status"])
        try await expect("Long & slow", of: ["metadata", "title"])
        #expect(try await ask("metadata", "mpris:length") == "1800000000")
        try await expect("Paused", of: ["status"], after: ["pause"])
        try await expect("Paused", of: ["status"], after: ["pause"])
        try await expect("Playing", of: ["status"], after: ["play"])
        try await expect("Playing", of: ["status"], after: ["play"])
        try await expect("Paused", of: ["status"], after: ["play-pause"])
        try await expect("300.0", of: ["position"], after: ["next"])
        try await expect("0.0", of: ["position"], after: ["previous"])
        try await expect("900.0", of: ["position"], after: ["position", "1000"])
        try await expect("0.0", of: ["position"], after: ["stop"])
        #expect(try await ask("status") == "Paused")
        // Calls that are no calls of a player, and places that are none.
        let object = ["--session", "--print-reply", "--dest=org.mpris.MediaPlayer2.barline", "/org/mpris/MediaPlayer2"]
        for call in [
            ["org.mpris.MediaPlayer2.Player.Seek", "string:far"], ["org.mpris.MediaPlayer2.Player.Nothing"],
            ["org.mpris.MediaPlayer2.Player.Seek", "int64:-9223372036854775808"],
            ["org.mpris.MediaPlayer2.Player.SetPosition", "objpath:/x", "int64:-5"],
            ["org.freedesktop.DBus.Properties.Get", "string:", "string:Position"],
            ["org.freedesktop.DBus.Properties.Get", "string:org.mpris.MediaPlayer2.Player", "string:Nothing"],
        ] {
            _ = try await Slots.run(isAwaited: true) { try desktop.run("/usr/bin/dbus-send", object + call) }
        }
        #expect(try await ask("status") == "Paused")
        try await expect("0.0", of: ["position"])
        _ = try await Slots.run(isAwaited: true) {
            try desktop.run("/usr/bin/dbus-send", object + ["org.mpris.MediaPlayer2.Quit"])
        }
        let played = try await playing
        #expect(played.code == 0 && played.errors.isEmpty, "\(played.errors)")
    }

    @Test("the button of a headset is the lap button where an interval waits for it")
    func lap() async throws {
        let (scratch, desktop) = (try Scratch(), try await Desktop.make(hasDaemon: false))
        async let playing = Program.run(
            [
                "play", "run 0:00.2, rest until lap, run 10:00", "--count-in", "0", "--no-cues", "--device", "null",
                "--media-keys",
            ],
            in: scratch,
            environment: desktop.environment)
        @Sendable func ask(_ words: String...) async throws -> String {
            try await Slots.run(isAwaited: true) { try desktop.run("/usr/bin/playerctl", ["-p", "barline"] + words) }
        }
        @Sendable func status() async throws -> String {
            try await Program.run(["status", "--json"], in: scratch, environment: desktop.environment, isAwaited: true)
                .text
        }
        try await wait(for: "the player on the bus") { try await !ask("status").isEmpty }
        try await wait(for: "the wait for the lap button") { try await status().contains("\"holding\"") }
        _ = try await ask("play-pause")
        try await wait(for: "the next interval") {
            try await status().contains("\"playing\"")
        } orTell: {
            try await status()
        }
        #expect(
            try await Program.run(["stop"], in: scratch, environment: desktop.environment, isAwaited: true).text
                == "stopped\n")
        #expect(try await playing.code == 0)
    }
}
