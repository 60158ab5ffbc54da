import Application
import Glibc
import Shared
import SimulatedCardSupport
import Testing
import UserSettings

/// What the doctor finds.
@Suite struct DoctorTests {
    /// The findings of an examination: lines of state and subject, and of advice.
    private func findings(
        _ device: String = "nothere", in home: Home, code: Int32 = 69, _ settings: [String: String] = [:],
        _ change: (inout DoctorRequest) -> Void = { $0.plays = false }
    ) async throws -> [String] {
        // No card of this machine is opened.
        SimulatedCard.configureThisProcess()
        var request = DoctorRequest(version: "0.0.1")
        request[Setting.device] = device
        change(&request)
        let ended = try await home.run(request, settings) { try await $0.examine() }
        #expect(ended == code && home.errors == "", "\(ended) \(home.errors)")
        return home.text.split(separator: "\n").map(String.init)
    }

    private func findings(
        playing settings: [String: SimulatedCard.Value], code: Int32 = 69
    ) async throws -> [String] {
        let home = Home()
        let card = try SimulatedCard(in: home.folder.path, settings)
        return try await findings(card.device, in: home, code: code) { $0.plays = true }
    }

    @Test("a card that works is opened and played, and nothing is a problem") func good() async throws {
        let lines = try await findings(playing: [:], code: 0)
        #expect(
            lines.contains { $0.hasPrefix("  ok      device '") && $0.contains("48000 Hz and 2 channels") }, "\(lines)")
        #expect(lines.contains { $0.hasPrefix("  ok      test sound: 4 clicks and a drone") }, "\(lines)")
        #expect(!lines.contains { $0.contains("PROBLEM") }, "\(lines)")
    }

    @Test("a device that does not exist is a problem with advice, and nothing is played; a sound server is named")
    func missing() async throws {
        let home = Home()
        let socket = try SilentSocket(home.folder("pipewire-0"))
        let lines = try await findings(in: home) { $0.plays = true }
        let index = try #require(
            lines.firstIndex { $0.hasPrefix("  PROBLEM device 'nothere': there is no sound device") })
        // `play` ends if the device that was chosen is missing.
        #expect(lines[index + 1].hasPrefix("          -> ") && !lines[index + 1].contains("silently"))
        #expect(!lines.contains { $0.contains("test sound") })
        // Whether or not ALSA can reach it.
        let server = try #require(lines.first { $0.contains("sound server: PipeWire runs") })
        #expect(server.contains("ALSA can reach it") || server.contains("ALSA's module for it is missing"))
        withExtendedLifetime(socket) {}
        // Files and sockets that were left behind are no servers, and a variable is no proof of one.
        let left = Home()
        try left.folder.write("pipewire-0", "")
        try left.folder.write("pulse/x", "")
        _ = try SilentSocket(left.folder("pulse/native"))
        #expect(try await findings(in: left).contains { $0.contains("sound server: none runs") })
        let named = try await findings(in: left, ["PULSE_SERVER": "tcp:127.0.0.1:9"])
        #expect(named.contains { $0.contains("sound server: PULSE_SERVER is set to 'tcp:127.0.0.1:9', ") }, "\(named)")
    }

    @Test("a file or a folder that keeps something and cannot be written is noted")
    func locked() async throws {
        for (folder, name) in [
            (".config", ".lock"), (".local/state", ".lock"), (".local/state", "goals.csv"), (".local/state", "scores"),
        ] {
            let home = Home()
            let path = home.folder("home/\(folder)/barline")
            try home.folder.write("home/\(folder)/barline/x", "")
            // Nobody can open a link to itself, not even root.
            try #require(symlink(name, "\(path)/\(name)") == 0)
            let lines = try await findings(in: home)
            #expect(
                lines.contains { $0.hasPrefix("  note    folder of ") && $0.hasSuffix("/\(name) cannot be written") },
                "\(lines)")
        }
    }

    @Test("a card that refuses is a problem that names the other program") func busy() async throws {
        let lines = try await findings(playing: ["busy_for": 3_600_000])
        let index = try #require(lines.firstIndex { $0.contains("is busy: another program uses it") }, "\(lines)")
        #expect(lines[index].hasPrefix("  PROBLEM "))
        #expect(lines[index + 1].contains("fuser"))
    }

    @Test("a card that goes away during the test sound is a problem") func away() async throws {
        let lines = try await findings(playing: ["disconnect_at": 900.01])
        #expect(lines.contains { $0.hasPrefix("  PROBLEM test sound: the device was lost: ") }, "\(lines)")
        #expect(!lines.contains { $0.contains("have been played") }, "\(lines)")
    }

    @Test("JSON has an object for each finding") func json() async throws {
        let lines = try await findings(in: Home()) { ($0.plays, $0.json) = (false, true) }
        #expect(lines.first == "[" && lines.last == "]")
        #expect(lines[1].hasPrefix(#"  {"state": "good", "subject": "system", "seen": "barline 0.0.1, "#))
        #expect(lines.contains { $0.contains(#""state": "problem", "subject": "device 'nothere'""#) })
    }

    @Test("a folder of scores that cannot be read is noted by the doctor and by the list of scores")
    func unreadableScores() async throws {
        let home = Home()
        try home.folder.write("data/barline/x", "")
        try #require(symlink("scores", home.folder("data/barline/scores")) == 0)
        let why = "/data/barline/scores' cannot be read: Too many levels of symbolic links"
        let lines = try await findings(in: home)
        #expect(
            lines.contains { $0.hasPrefix("  note    folder of scores and plans: '") && $0.hasSuffix(why) }, "\(lines)")
        let told = try await home.scores()
        #expect(told.errors == "barline: note: '\(why.dropFirst())\n" && told.text.contains("metronome"))
    }

    @Test("without a home folder or a session, the doctor says which variables to set") func folders() async throws {
        let none = [
            "HOME": "", "XDG_CONFIG_HOME": "", "XDG_DATA_HOME": "", "XDG_STATE_HOME": "", "XDG_RUNTIME_DIR": "",
        ]
        let lines = try await findings(in: Home(), none)
        let advice = lines.filter { $0.hasPrefix("          -> set HOME or XDG_") }
        #expect(advice.count == 3, "\(lines)")
        #expect(lines.contains { $0.hasPrefix("  note    session: XDG_RUNTIME_DIR is not set") })
        let home = Home()
        let long = home.folder(String(repeating: "x", count: 100))
        try #require(mkdir(long, 0o700) == 0)
        for (folder, said) in [
            ("/proc/nowhere", "'/proc/nowhere/barline': "), ("here", "XDG_RUNTIME_DIR is not set to an absolute path"),
            (long, "x/barline/session': the path is too long for a socket"),
        ] {
            let lines = try await findings(in: Home(), ["XDG_RUNTIME_DIR": folder])
            #expect(lines.contains { $0.hasPrefix("  note    session: ") && $0.contains(said) }, "\(lines)")
        }
    }

    @Test("a delay is not measured without its devices") func latency() async throws {
        SimulatedCard.configureThisProcess()
        let home = Home()
        for (device, examination, code, why) in [
            ("none", DoctorRequest.Examination.latency, Int32(69), "there is no sound device 'none'"),
            ("null", .latency, 69, "there is no microphone 'none'"), ("null", .taps, 64, "--taps needs a terminal"),
        ] {
            var request = DoctorRequest(version: "")
            (request[Setting.device], request[Setting.input], request.examination) = (device, "none", examination)
            #expect(try await home.run(request) { try await $0.examine() } == code)
            #expect(home.errors.contains(why), "\(home.errors)")
        }
    }
}
