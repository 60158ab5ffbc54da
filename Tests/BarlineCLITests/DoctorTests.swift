import Shared
import SimulatedCardSupport
import Testing

@Suite("The doctor")
struct DoctorTests {
    /// The findings of a run: subject, state and advice.
    private func findings(
        _ arguments: [String], in scratch: Scratch, code: Int32, _ environment: [String: String] = [:]
    )
        async throws -> [String]
    {
        let outcome = try await Program.run(["doctor"] + arguments, in: scratch, environment: environment)
        #expect(outcome.code == code && outcome.errors == "", "\(outcome.code) \(outcome.errors)")
        return outcome.text.split(separator: "\n").map(String.init)
    }

    @Test("a card that works is opened and played, and nothing is a problem") func good() async throws {
        let scratch = try Scratch(devices: SimulatedCard.configuration)
        let card = try SimulatedCard(in: scratch.folder, [:])
        let lines = try await findings(["--device", card.device], in: scratch, code: 0)
        #expect(
            lines.contains { $0.hasPrefix("  ok      device '") && $0.contains("48000 Hz and 2 channels") }, "\(lines)")
        #expect(lines.contains { $0.hasPrefix("  ok      test sound: 4 clicks and a drone") }, "\(lines)")
        #expect(!lines.contains { $0.contains("PROBLEM") }, "\(lines)")
    }

    @Test("a device that does not exist is a problem with advice, and nothing is played") func missing() async throws {
        let scratch = try Scratch()
        let lines = try await findings(["--device", "nothere"], in: scratch, code: 69)
        let index = try #require(
            lines.firstIndex { $0.hasPrefix("  PROBLEM device 'nothere': there is no sound device") })
        #expect(lines[index + 1].hasPrefix("          -> "))
        #expect(!lines.contains { $0.contains("test sound") })
    }

    @Test("a card that refuses is a problem that names the other program") func busy() async throws {
        let scratch = try Scratch(devices: SimulatedCard.configuration)
        let card = try SimulatedCard(in: scratch.folder, ["busy_for": 3_600_000])
        let lines = try await findings(["--device", card.device], in: scratch, code: 69)
        let index = try #require(lines.firstIndex { $0.contains("is busy: another program uses it") }, "\(lines)")
        #expect(lines[index].hasPrefix("  PROBLEM "))
        #expect(lines[index + 1].contains("fuser"))
    }

    @Test("a card that goes away during the test sound is a problem") func away() async throws {
        let scratch = try Scratch(devices: SimulatedCard.configuration)
        let card = try SimulatedCard(in: scratch.folder, ["disconnect_at": 900.01])
        let lines = try await findings(["--device", card.device], in: scratch, code: 69)
        #expect(lines.contains { $0.hasPrefix("  PROBLEM test sound: the device was lost: ") }, "\(lines)")
        #expect(!lines.contains { $0.contains("have been played") }, "\(lines)")
    }

    @Test("--json prints an object for each finding") func json() async throws {
        let scratch = try Scratch()
        let outcome = try await Program.run(["doctor", "--json", "--no-sound", "--device", "nothere"], in: scratch)
        #expect(outcome.code == 69)
        let lines = outcome.text.split(separator: "\n")
        #expect(lines.first == "[" && lines.last == "]")
        #expect(
            lines.dropFirst().first?.hasPrefix(#"  {"state": "good", "subject": "system", "seen": "barline "#) == true)
        #expect(outcome.text.contains(#""state": "problem", "subject": "device 'nothere'""#))
    }

    @Test("without a home folder or a session, the doctor says which variables to set") func folders() async throws {
        let none = [
            "HOME": "", "XDG_CONFIG_HOME": "", "XDG_DATA_HOME": "", "XDG_STATE_HOME": "", "XDG_RUNTIME_DIR": "",
        ]
        let lines = try await findings(["--no-sound", "--device", "nothere"], in: try Scratch(), code: 69, none)
        let advice = lines.filter { $0.hasPrefix("          -> set HOME or XDG_") }
        #expect(advice.count == 3, "\(lines)")
        #expect(lines.contains { $0.hasPrefix("  note    session: XDG_RUNTIME_DIR is not set") })
    }

    @Test("a running sound server is named, whether or not ALSA can reach it") func servers() async throws {
        let scratch = try Scratch()
        try scratch.write("pipewire-0", "")
        let lines = try await findings(
            ["--no-sound", "--device", "nothere"], in: scratch, code: 69, ["XDG_RUNTIME_DIR": scratch.folder])
        let server = try #require(lines.first { $0.contains("sound server: PipeWire runs") })
        #expect(server.contains("ALSA can reach it") || server.contains("ALSA's module for it is missing"))
    }

    @Test("on a machine without sound, the doctor says what makes sound possible") func silent() async throws {
        // This machine may have a sound card; the configuration has none.
        let scratch = try Scratch(devices: "pcm.!default { type hw card 77 }\n")
        let lines = try await findings([], in: scratch, code: 69)
        let index = try #require(lines.firstIndex { $0.hasPrefix("  PROBLEM device 'default': ") }, "\(lines)")
        let hasCard = !lines.contains { $0.contains("the kernel knows no sound card that plays") }
        #expect(
            lines[index + 1].contains(hasCard ? "choose one of the devices below" : "connect or enable a sound card"))
        #expect(!lines.contains { $0.contains("test sound") })
    }

    @Test("the doctor reports if libwebsockets is missing, or if the port is in use") func browsers() async throws {
        let scratch = try Scratch()
        // The loader finds these first, and they are no libraries.
        for number in 17...19 { try scratch.write("libwebsockets.so.\(number)", "") }
        let missing = try await findings(
            ["--no-sound", "--device", "nothere"], in: scratch, code: 69, ["LD_LIBRARY_PATH": scratch.folder])
        let index = try #require(
            missing.firstIndex { $0.hasPrefix("  note    page for browsers: the library libwebsockets") }, "\(missing)")
        #expect(missing[index + 1].hasPrefix("          -> `sudo apt install libwebsockets"))
        let there = try await findings(["--no-sound", "--device", "nothere"], in: scratch, code: 69)
        let page = try #require(there.first { $0.contains("page for browsers: ") })
        #expect(page.contains("`barline serve` can use port 8573") || page.contains("port 8573 cannot be used"))
    }
}
