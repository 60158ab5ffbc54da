internal import Glibc
internal import Shared
internal import Testing

/// The samples that a sound device receives, recorded by ALSA's `file` plugin.
@Suite struct PlaySoundTests {
    private static let recorder = """
        pcm.capture { type file; slave.pcm { type null }; file "ROOT/device.raw"; format raw }
        pcm.default { type file; slave.pcm { type null }; file "ROOT/default.raw"; format raw }
        """
    private static let score = """
        drone: {pitch: B4, level: -20 dB}
        count-in: 0.3
        lines:
          - bars: [0.2, 0.15]
          - bars: [0.3, 0.123]

        """

    struct Format: Sendable, CustomTestStringConvertible {
        var bits: String
        var channels: Int
        var rate: Int

        static let all = ["16", "24", "32f"].flatMap { bits in
            [1, 2].flatMap { channels in [44100, 48000].map { Format(bits: bits, channels: channels, rate: $0) } }
        }
        var options: [String] { ["--bits", bits, "--channels", "\(channels)", "--rate", "\(rate)"] }
        var bytesPerFrame: Int { channels * (bits == "16" ? 2 : bits == "24" ? 3 : 4) }
        var testDescription: String { options.joined(separator: " ") }
    }

    @Test("the device receives the samples that render writes", arguments: Format.all)
    func theDeviceReceivesTheSamplesThatRenderWrites(format: Format) async throws {
        let scratch = try Scratch(devices: PlaySoundTests.recorder)
        try scratch.write("score.yaml", PlaySoundTests.score)
        let played = try await Program.run(
            ["play", "score.yaml", "--device", "capture", "--clock", "card"] + format.options, in: scratch)
        #expect(played.code == 0 && played.errors == "", "\(played.errors)")
        let rendered = try await Program.run(["render", "score.yaml", "-o", "-"] + format.options, in: scratch)
        #expect(rendered.code == 0 && rendered.errors == "", "\(rendered.errors)")
        try expectSame(scratch.captured("device.raw"), rendered.output, frame: format.bytesPerFrame)
    }

    /// Options mean the same in `play` and `render`.
    @Test(
        "every option sounds the same in play and in render",
        arguments: [
            ["--speed", "130%"], ["--from", "1.2", "--to", "2.1", "--times", "2"],
            ["--drone", "off", "--count-in", "0"],
            ["--click-level", "off", "--waveform", "triangle", "--a4", "415"],
            ["--drone", "F#5", "--drone-level", "3%"],
        ])
    func everyOptionSoundsTheSameInPlayAndInRender(options: [String]) async throws {
        let scratch = try Scratch(devices: PlaySoundTests.recorder)
        try scratch.write("score.yaml", PlaySoundTests.score)
        let played = try await Program.run(["play", "score.yaml", "--clock", "card"] + options, in: scratch)
        #expect(played.code == 0 && played.errors == "", "\(played.errors)")
        let rendered = try await Program.run(["render", "score.yaml", "-o", "-"] + options, in: scratch)
        try expectSame(scratch.captured("default.raw"), rendered.output, frame: 4)
    }

    @Test("a drone fades in and out without a click") func aDroneFadesInAndOutWithoutAClick() async throws {
        let scratch = try Scratch(devices: PlaySoundTests.recorder)
        let outcome = try await Program.run(
            ["drone", "A4", "--level", "-12dB", "--device", "capture"], in: scratch
        ) { running in
            if try running.text.contains("drone A4") && scratch.captured("device.raw").count > 200_000 {
                running.sendOnce(SIGINT)
            }
        }
        #expect(outcome.text == "drone A4 440.00 Hz, until Ctrl-C\n")
        #expect(outcome.errors == "" && outcome.code == 0)
        let bytes = try scratch.captured("device.raw")
        let samples = stride(from: 0, to: bytes.count, by: 4).map {
            Int(Int16(truncatingIfNeeded: Int(bytes[$0]) | Int(bytes[$0 + 1]) << 8))
        }
        let peak = samples.map(abs).max() ?? 0
        #expect((8200...8240).contains(peak), "-12 dB of 32768")
        // A sine of 440 Hz at this level takes steps of at most 2π × 440 / 48000 × peak, and dither adds 2.
        let largest = zip(samples, samples.dropFirst()).map { abs($1 - $0) }.max() ?? .max
        #expect(largest <= 476)
        #expect(samples.last == 0)
    }

    private func expectSame(_ device: [UInt8], _ rendered: [UInt8], frame: Int) throws {
        let heard = Array(device.droppingSilence(frame: frame))
        let expected = Array(rendered.droppingSilence(frame: frame))
        try #require(!expected.isEmpty && heard.count >= expected.count)
        #expect(firstDifference(Array(heard.prefix(expected.count)), expected) == nil)
        #expect(heard.dropFirst(expected.count).allSatisfy { $0 == 0 }, "behind the end there is silence")
    }
}
