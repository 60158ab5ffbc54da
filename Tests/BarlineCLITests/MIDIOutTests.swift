import Foundation
import Shared
import Testing

/// MIDI to other machines. What goes out is tested in simulated time, and with Linux's own sequencer in an emulator.
@Suite struct MIDIOutTests {
    private static let hasSequencer = FileManager.default.fileExists(atPath: "/dev/snd/seq")

    @Test("without a sequencer, a note says so once and the music plays to its end", .enabled(if: !hasSequencer))
    func noSequencer() async throws {
        let scratch = try Scratch()
        try scratch.write("small.yaml", "bars: [0.5, {duration: 1.5, send: midi note 3 on}]")
        let played = try await Program.run(
            ["play", "small.yaml", "--device", "null", "--midi", "24:0", "--midi-clock"], in: scratch)
        #expect(played.code == 0)
        let note =
            "barline: note: ALSA's sequencer for MIDI cannot be opened (No such file or directory); `sudo modprobe snd-seq` "
            + "loads it; the music goes on\n"
        #expect(played.errors == note)
        // The same by a setting.
        for words in [["midi", "UM-ONE, 24:0"], ["midi-clock", "on"]] {
            #expect(try await Program.run(["config"] + words, in: scratch).code == 0)
        }
        let set = try await Program.run(["play", "small.yaml", "--device", "null"], in: scratch)
        #expect(set.code == 0 && set.errors == note, "\(set.errors)")
        let off = try await Program.run(
            ["play", "small.yaml", "--device", "null", "--midi", "off", "--no-midi-clock"], in: scratch)
        #expect(off.code == 0 && off.errors.contains("the score sends MIDI"), "\(off.errors)")
    }

    @Test("the setting mtc means scores that have a timecode, of a rate that MIDI has; others are played as without it")
    func mtcOfSettings() async throws {
        let scratch = try Scratch()
        try scratch.write("plain.yaml", "bars: [0.1, 0.1]")
        try scratch.write("slow.yaml", "timecode: 01:00:00:00 @ 23.976\nbars: [0.1, 0.1]")
        #expect(try await Program.run(["config", "mtc", "on"], in: scratch).code == 0)
        let plain = try await Program.run(["play", "plain.yaml", "--device", "null"], in: scratch)
        #expect(plain.code == 0 && !plain.errors.contains("timecode"), "\(plain.errors)")
        let slow = try await Program.run(["play", "slow.yaml", "--device", "null"], in: scratch)
        let note =
            "barline: note: MIDI timecode has no rate of 23.976: use --ltc-start with @ 24; the music goes on\n"
        #expect(slow.code == 0 && slow.errors.contains(note), "\(slow.errors)")
    }

    @Test(
        "timecode that MIDI cannot carry is refused with what would do",
        arguments: [
            ([], "the score has no timecode: add one with --ltc-start '01:00:00:00 @ 25'"),
            (
                ["--ltc-start", "01:00:00:00 @ 23.976"],
                "MIDI timecode has no rate of 23.976: use --ltc-start with @ 24"
            ),
            (
                ["--ltc-start", "01:00:00:00 @ 29.97 ndf"],
                "MIDI timecode has no rate of 29.97 ndf: use --ltc-start with @ 29.97"
            ),
        ])
    func rates(options: [String], why: String) async throws {
        let outcome = try await Program.run(
            ["play", "sequenza-vii", "--device", "null", "--mtc"] + options, in: try Scratch())
        #expect(outcome.code == 64 && outcome.errors.contains(why), "\(outcome.errors)")
    }
}
