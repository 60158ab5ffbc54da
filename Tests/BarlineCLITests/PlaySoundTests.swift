internal import Glibc
internal import Testing

/// The samples that a sound device receives, recorded by ALSA's `file` plugin.
@Suite struct PlaySoundTests {
    private static let recorder = """
        pcm.capture { type file; slave.pcm { type null }; file "ROOT/device.raw"; format raw }
        """

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
        let samples = stride(from: 0, to: bytes.count, by: 4).map { place -> Int in
            let (low, high) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
            return Int(Int16(bitPattern: low | high << 8))
        }
        let peak = samples.map(abs).max() ?? 0
        #expect((8200...8240).contains(peak), "-12 dB of 32768")
        // A sine of 440 Hz at this level takes steps of at most 2π × 440 / 48000 × peak, and dither adds 2.
        let largest = zip(samples, samples.dropFirst()).map { abs($1 - $0) }.max() ?? .max
        #expect(largest <= 476)
        #expect(samples.last == 0)
    }
}
