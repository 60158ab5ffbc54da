internal import Foundation
internal import Testing

/// Notes while something plays: at a terminal they come to the screen, in a pipe to standard error.
@Suite struct ScreenNoticeTests {
    private let noDesktop = ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent"]
    private let note = "barline: note: desktop notifications are not available"

    @Test("a note is shown in the stand, not across it, and again after it; Ctrl-L draws a damaged picture again")
    func noteOnStand() async throws {
        let scratch = try Scratch()
        let text = try await TerminalSession.run(
            ["every", "1s", "--notify", "--device", "null"], in: scratch, environment: noDesktop
        ) { [note] session in
            try session.wait(for: note)
            let rows = session.picture.rows
            #expect(rows.last?.hasPrefix("  " + note) == true && rows.count { $0.contains("barline:") } == 1)
            #expect(rows.first?.hasPrefix("  Every 1 s") == true)
            session.type("\u{0C}")
            try session.wait(for: "the whole picture") { session.text.ranges(of: "\u{1B}[2J").count == 2 }
            session.type("q")
            try session.expectEnd(0)
            return session.text
        }
        let parts = text.components(separatedBy: "\u{1B}[?1049l")
        #expect(parts.count == 2 && !parts[0].contains(note + " (No such file or directory)\r\n"))
        #expect(parts[1].components(separatedBy: note).count == 2)
        // A terminal with synchronized output shows each picture at one moment, and is left without the mode.
        let modes = text.components(separatedBy: "\u{1B}[?2026").dropFirst().map { $0.prefix(1) }
        #expect(modes.count > 4 && modes.last == "l")
        #expect(zip(modes, modes.dropFirst()).allSatisfy { $0 == "l" || $1 == "l" })
    }

    @Test("on a plain terminal a note is a line of its own, once, with a bus on which nobody shows notifications, too")
    func noteOnPlain() async throws {
        let scratch = try Scratch()
        let desktop = try await Desktop.make(hasDaemon: false)
        let text = try await TerminalSession.run(
            ["every", "1s", "--notify", "--plain", "--device", "null"], in: scratch, environment: desktop.environment
        ) { [note] session in
            try session.wait(for: note)
            session.type("q")
            try session.expectEnd(0)
            return session.text
        }
        // It comes before the first line or after it. A terminal ends lines with "\r\n", which is one character.
        #expect(text.split(whereSeparator: \.isNewline).count { $0.hasPrefix(note) } == 1)
        #expect(text.components(separatedBy: note).count == 2)
    }

    @Test("without a bus, notifications and media keys have one note each, and the music goes on")
    func noBus() async throws {
        let scratch = try Scratch()
        let played = try await Program.run(
            ["play", "6x(run 0:00.1)", "--device", "null", "--notify", "--count-in", "0", "--no-cues"], in: scratch,
            environment: noDesktop.merging(["BARLINE_MEDIA_KEYS": "on"]) { $1 })
        #expect(played.code == 0 && played.text.hasSuffix("\nend\n"))
        let keys = "barline: note: media keys do not arrive: there is no session bus; the music goes on"
        let lines = played.errors.split(separator: "\n").sorted { $0 > $1 }
        #expect(lines.count == 2 && lines[0] == keys && lines[1].hasPrefix(note + " ("), "\(played.errors)")
    }
}
