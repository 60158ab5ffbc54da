import Shared
import Testing

/// What the doctor finds that is the same for all of a process: its ALSA configuration and its libraries.
@Suite struct DoctorTests {
    /// The findings of a run on a machine that cannot be heard: subject, state and advice.
    private func findings(
        _ arguments: [String], in scratch: Scratch, _ environment: [String: String] = [:]
    ) async throws -> [String] {
        let outcome = try await Program.run(["doctor"] + arguments, in: scratch, environment: environment)
        #expect(outcome.code == 69 && outcome.errors == "", "\(outcome.code) \(outcome.errors)")
        return outcome.text.split(separator: "\n").map(String.init)
    }

    @Test(
        "without sound, the doctor says what makes it possible; it reports a missing libwebsockets, a port in use, a silent desktop"
    )
    func machine() async throws {
        // This machine may have a sound card; the configuration has none.
        let scratch = try Scratch()
        let lines = try await findings([], in: scratch)
        let index = try #require(lines.firstIndex { $0.hasPrefix("  PROBLEM device 'default': ") }, "\(lines)")
        let hasCard = !lines.contains { $0.contains("the kernel knows no sound card that plays") }
        #expect(
            lines[index + 1].contains(hasCard ? "choose one of the devices below" : "connect or enable a sound card"))
        #expect(!lines.contains { $0.contains("test sound") })
        // With a default device that is configured wrongly, `play` ends.
        let wrong = try Scratch(devices: "pcm.!default { type hw card 77 }\n")
        let why = "the sound device 'default' cannot be opened: Invalid argument"
        let found = try await findings(["--no-sound"], in: wrong)
        #expect(found.contains { $0.hasSuffix(why) } && !found.contains { $0.contains("silently") }, "\(found)")
        #expect(try await Program.run(["devices"], in: wrong).errors == "barline: note: \(why)\n")
        #expect(try await Program.run(["devices"], in: scratch).errors.contains("counts silently"))
        let chosen = try await Program.run(["devices"], in: scratch, environment: ["BARLINE_DEVICE": "nothere"])
        #expect(chosen.errors == "")
        // The loader finds these first, and they are no libraries.
        for number in 17...19 { try scratch.write("libwebsockets.so.\(number)", "") }
        let missing = try await findings(
            ["--no-sound", "--device", "nothere"], in: scratch, ["LD_LIBRARY_PATH": scratch.folder])
        let page = try #require(
            missing.firstIndex { $0.hasPrefix("  note    page for browsers: the library libwebsockets") }, "\(missing)")
        #expect(missing[page + 1].hasPrefix("          -> `sudo apt install libwebsockets"))
        // The session bus accepts connections, and says nothing.
        let bus = try SilentSocket(scratch.folder + "/bus")
        let there = try await findings(
            ["--no-sound", "--device", "nothere"], in: scratch, ["DBUS_SESSION_BUS_ADDRESS": "unix:path=\(bus.path)"])
        #expect(
            there.contains { $0.hasPrefix("  note    notifications: the desktop shows none (no answer)") },
            "\(there)")
        let free = try #require(there.first { $0.contains("page for browsers: ") })
        #expect(free.contains("`barline serve` can use port 8573") || free.contains("port 8573 cannot be used"))
    }
}
