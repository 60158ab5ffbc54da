import Foundation
import Playback
import Shared
import Testing

/// The test signals of EBU Tech 3341 (2016), table 1, and what follows from BS.1770.
@Suite("Loudness")
struct LoudnessTests {
    /// A stereo sine of 1 kHz in sections of (peak in dBFS, seconds), added in blocks of odd sizes.
    private func loudness(
        _ sections: [(Double, Double)], rate: Int = 48_000, channels: Int = 2
    ) throws -> LoudnessMeter {
        var meter = try #require(LoudnessMeter(rate: rate, channels: channels))
        var frame = 0
        for (level, seconds) in sections {
            let amplitude = pow(10, level / 20)
            let end = frame + Int(seconds * Double(rate))
            while frame < end {
                let block = min(end - frame, 3001)
                Samples.tone(amplitude, of: 1000, from: frame, count: block, rate: rate, channels: channels)
                    .withUnsafeBufferPointer { meter.add($0) }
                frame += block
            }
        }
        return meter
    }

    @Test(
        "the signals of EBU Tech 3341 have the loudness that it states, within its tolerance of 0.1 LU",
        arguments: [
            ([(-23, 20)], -23), ([(-33, 20)], -33), ([(-36, 10), (-23, 60), (-36, 10)], -23),
            ([(-72, 10), (-36, 10), (-23, 60), (-36, 10), (-72, 10)], -23), ([(-26, 20), (-20, 20.1), (-26, 20)], -23),
        ] as [([(Double, Double)], Double)])
    func references(sections: [(Double, Double)], loudness: Double) throws {
        let measured = try #require(try self.loudness(sections).integrated)
        #expect(abs(measured - loudness) < 0.1, "\(measured)")
    }

    @Test("the loudness does not depend on the rate", arguments: [8000, 11_025, 22_050, 44_100, 96_000, 192_000])
    func rates(rate: Int) throws {
        let measured = try #require(try loudness([(-20, 5)], rate: rate).integrated)
        #expect(abs(measured + 20) < 0.1, "\(measured)")
    }

    @Test("one channel is heard on both sides, and is as loud as two that are alike") func oneChannel() throws {
        let measured = try #require(try loudness([(-20, 5)], channels: 1).integrated)
        #expect(abs(measured + 20) < 0.1, "\(measured)")
    }

    @Test("silence around a sound does not count, and silence alone has no loudness") func silence() throws {
        let measured = try #require(try loudness([(-.infinity, 60), (-20, 20), (-.infinity, 60)]).integrated)
        #expect(abs(measured + 20) < 0.1, "\(measured)")
        #expect(try loudness([(-.infinity, 5)]).integrated == nil)
        #expect(try loudness([(-20, 0.3)]).integrated == nil)
        #expect(try abs(loudness([(-6, 1)]).peak - 0.501) < 0.001)
    }
}
