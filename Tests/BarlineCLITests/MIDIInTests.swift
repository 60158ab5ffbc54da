internal import Glibc
internal import Shared
internal import Testing

/// Buttons of MIDI devices, on a machine without ALSA's sequencer; `make vm` tries them where there is one.
@Suite(.enabled(if: access("/dev/snd/seq", F_OK) != 0)) struct MIDIInTests {
    private let reason =
        "ALSA's sequencer for MIDI cannot be opened (No such file or directory); `sudo modprobe snd-seq` loads it"

    @Test("--midi-in without a sequencer is an error, and the setting alone is a note")
    func noSequencer() async throws {
        let scratch = try Scratch()
        try scratch.write("small.yaml", SampleTexts.small)
        let asked = try await Program.run(["play", "small.yaml", "--device", "null", "--midi-in", "all"], in: scratch)
        #expect(asked.code == 69 && asked.errors == "barline: error: \(reason)\n")
        let set = try await Program.run(["config", "midi-in", "nanoKONTROL"], in: scratch)
        #expect(set.code == 0)
        let played = try await Program.run(["play", "small.yaml", "--device", "null"], in: scratch)
        #expect(played.code == 0 && played.errors == "barline: note: \(reason); the music goes on\n")
        let off = try await Program.run(["play", "small.yaml", "--device", "null", "--midi-in", "off"], in: scratch)
        #expect(off.code == 0 && off.errors.isEmpty)
    }

    @Test("--learn needs a terminal")
    func learns() async throws {
        let learnt = try await Program.run(["keys", "--learn"], in: try Scratch())
        #expect(learnt.code == 64 && learnt.errors.contains("--learn needs a terminal, because you press keys"))
        let listed = try await Program.run(["keys", "--midi-in", "all"], in: try Scratch())
        #expect(listed.code == 64 && listed.errors.contains("--midi-in says what --learn listens to: add --learn"))
    }
}
