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
        let why = "there is no /dev/snd/seq; sudo modprobe snd-seq makes it"
        #expect(played.errors == "barline: note: no MIDI goes out (\(why)); the music goes on\n")
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
