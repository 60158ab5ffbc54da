import CDrone
import Foundation
import Testing

@Suite("Voices")
struct VoiceTests {
    static let all = (0..<DRONE_WAVEFORM_COUNT.rawValue).map { drone_waveform(rawValue: $0) }

    /// The peak level of the component with `bin` whole cycles in the samples, by a direct sum.
    static func component(_ samples: [Double], _ bin: Int) -> Double {
        let n = samples.count
        let (stepRe, stepIm) = (cos(2 * .pi * Double(bin) / Double(n)), -sin(2 * .pi * Double(bin) / Double(n)))
        var (re, im, x, y) = (1.0, 0.0, 0.0, 0.0)
        for sample in samples {
            x += sample * re
            y += sample * im
            (re, im) = (re * stepRe - im * stepIm, re * stepIm + im * stepRe)
        }
        return (x * x + y * y).squareRoot() * 2 / Double(n)
    }

    @Test("no voice has a component between its harmonics above -120 dB of its fundamental", arguments: all)
    func purity(voice: drone_waveform) {
        let n = 8192
        // Whole cycles in the window, from C2 up to above C7; primes, so that aliases fall between harmonics.
        for bin in [11, 83, 359] {
            let engine = EngineUnderTest(format: DRONE_S32)
            engine.push(tone(0, hertz: 48_000 * Double(bin) / Double(n), level: 0.9, voice, ramp: 0))
            let samples = engine.render(n).withUnsafeBytes { raw in
                raw.bindMemory(to: Int32.self).map { Double($0) / 2_147_483_648 }
            }
            let fundamental = Self.component(samples, bin)
            var highest = 0.0
            for k in stride(from: 1, to: n / 2, by: 97) where k % bin != 0 {
                highest = max(highest, Self.component(samples, k))
            }
            #expect(20 * log10(highest / fundamental) < -120, "\(voice) at bin \(bin)")
            #expect(abs(samples.reduce(0, +)) / Double(n) < 3e-5)
            let peak = samples.map(abs).max()!
            #expect(peak > 0.8 && peak < 0.902)
        }
    }

    @Test(
        "every voice has its harmonics: the classic ones by formula, the others as chosen by ear",
        arguments: [
            (DRONE_SINE, [1, 0, 0, 0, 0, 0, 0, 0, 0]), (DRONE_TRIANGLE, [1, 0, 0.11111, 0, 0.04, 0, 0, 0, 0]),
            (DRONE_SAWTOOTH, [1, 0.5, 0.33333, 0.25, 0.2, 0.125, 0.0625, 0.03125, 0.01]),
            (DRONE_SQUARE, [1, 0, 0.33333, 0, 0.2, 0, 0, 0, 0]),
            (DRONE_REED_ORGAN, [1, 0.50438, 0.52689, 0.38881, 0.44397, 0.17743, 0.08089, 0.01866, 0.0014]),
            (DRONE_OBOE, [1, 0.76806, 0.69243, 0.6756, 0.69770, 1.01734, 0.53395, 0.43577, 0.01041]),
            (DRONE_STRINGS, [1, 0.68001, 0.73699, 0.49464, 0.42086, 0.18131, 0.064, 0.03598, 0.00258]),
            (DRONE_SHRUTI, [1, 0.7521, 0.73635, 0.78874, 0.74661, 0.3386, 0.22481, 0.08612, 0.00663]),
        ] as [(drone_waveform, [Double])])
    func harmonics(voice: drone_waveform, levels: [Double]) {
        let engine = EngineUnderTest()
        // 16 cycles in the window of the first of them.
        engine.push(tone(0, hertz: 93.75, level: 0.9, voice, ramp: 0))
        let samples = engine.renderFloats(8192).map(Double.init)
        let fundamental = Self.component(samples, 16)
        for (number, level) in zip([1, 2, 3, 4, 5, 8, 16, 32, 100], levels) {
            let found = Self.component(samples, 16 * number) / fundamental
            #expect(abs(found - level) < 2e-5, "harmonic \(number) is \(found)")
        }
    }

    @Test("a drone sounds the same in blocks of any size, including variation and beating", arguments: all)
    func repeatable(voice: drone_waveform) {
        func whole(_ block: Int, seed: UInt32 = 5) -> [Int16] {
            let engine = EngineUnderTest(channels: 2, format: DRONE_S16)
            for note in 0..<3 {
                var event = tone(0, hertz: 220 + 110 * Double(note), level: 0.2, voice, ramp: 2000)
                event.tone.note = UInt32(note)
                event.tone.pan = Double(note) - 1
                (event.tone.shape.variation, event.tone.beating, event.tone.shape.seed) = (0.3, 0.7, seed)
                engine.push(event)
            }
            var samples: [Int16] = []
            while samples.count < 160_000 { samples += engine.render16(min(block, 80_000 - samples.count / 2)) }
            return samples
        }
        let reference = whole(80_000)
        #expect(whole(977) == reference)
        #expect(whole(80_000, seed: 6) != reference)
    }

    @Test("a varying level never falls below its limit, and never rises above the set level")
    func variation() {
        let engine = EngineUnderTest()
        var event = tone(0, hertz: 1000, level: 0.5, ramp: 0)
        (event.tone.shape.variation, event.tone.shape.seed) = (0.4, 11)
        engine.push(event)
        var peaks: [Float] = []
        for _ in 0..<60 { peaks.append(engine.renderFloats(24_000).map(abs).max()!) }
        #expect(peaks.max()! <= 0.5001 && peaks.min()! >= 0.5 * 0.6 - 1e-3)
        #expect(peaks.max()! - peaks.min()! > 0.05)
        // It varies slowly: by less than a quarter of the range in half a second.
        for (a, b) in zip(peaks, peaks.dropFirst()) { #expect(abs(a - b) < 0.1) }
    }

    @Test("a varying level wanders as slowly at every rate", arguments: [UInt32(11_025), 44_100, 96_000, 192_000])
    func wandersByTime(rate: UInt32) {
        /// The level in every eighth of a second.
        func levels(_ rate: UInt32) -> [Float] {
            let engine = EngineUnderTest(rate: rate)
            var event = tone(0, hertz: 1000, level: 0.5, ramp: 0)
            (event.tone.shape.variation, event.tone.shape.seed) = (1, 7)
            engine.push(event)
            let samples = engine.renderFloats(Int(rate) * 8)
            return (0..<64).map { n in
                let begin = n * Int(rate) / 8
                return samples[begin..<begin + Int(rate) / 100].map(abs).max() ?? 0
            }
        }
        let (wanted, got) = (levels(48_000), levels(rate))
        #expect((wanted.max() ?? 0) - (wanted.min() ?? 0) > 0.2)
        for (x, y) in zip(got, wanted) { #expect(abs(x - y) < 0.02) }
    }

    @Test(
        "a varying level makes no step from any frame to the next",
        arguments: [Int64(0), -100_000])
    func wandersSmoothly(first: Int64) {
        func samples(variation: Double) -> [Float] {
            let engine = EngineUnderTest(first: first)
            var event = tone(first, hertz: 1000, level: 0.9, ramp: 0)
            (event.tone.shape.variation, event.tone.shape.seed) = (variation, 3)
            engine.push(event)
            return engine.renderFloats(240_000)
        }
        // The level, where the sound is loud enough to measure it.
        let levels = zip(samples(variation: 0.8), samples(variation: 0)).map { a, b in
            abs(b) > 0.3 ? Double(a) / Double(b) : nil
        }
        #expect(levels.compactMap(\.self).min().map { $0 < 0.8 } == true)
        // At most 0.8 of the level in the 0.75 s between two knots, plus the rounding of single precision.
        for (before, after) in zip(levels, levels.dropFirst()) {
            if let before, let after { #expect(abs(after - before) < 0.8 / 36_000 + 1e-6) }
        }
    }

    @Test("beating has the set frequency, and the peak level stays", arguments: [DRONE_SINE, DRONE_TRIANGLE])
    func beating(waveform: drone_waveform) {
        let engine = EngineUnderTest()
        var event = tone(0, hertz: 500, level: 0.5, waveform, ramp: 0)
        event.tone.beating = 2
        engine.push(event)
        // The envelope in 20 ms pieces over 4 s has 8 maxima.
        let envelope = (0..<200).map { _ in engine.renderFloats(960).map(abs).max()! }
        let middle = (envelope.max()! + envelope.min()!) / 2
        let rises = zip(envelope, envelope.dropFirst()).filter { $0 < middle && $1 >= middle }.count
        #expect(rises == 8)
        #expect(envelope.max()! < 0.501 && envelope.max()! > 0.49)
        #expect(envelope.min()! < 0.3)
    }

    @Test("strings have a third component, as far below the note as the second is above it, times 0.618")
    func strings() throws {
        func samples(beating: Double) -> [Double] {
            let engine = EngineUnderTest()
            var event = tone(0, hertz: 440, level: 0.5, DRONE_STRINGS, ramp: 0)
            event.tone.beating = beating
            engine.push(event)
            return engine.renderFloats(192_000).map(Double.init)
        }
        // Four seconds, so bins of a quarter of a hertz. Below the note's bin 1760 is that of 440 - 20 x 0.618 Hz.
        let (samples, alone) = (samples(beating: 20), samples(beating: 0))
        let levels = (1690...1730).map { (bin: $0, level: Self.component(samples, $0)) }
        let highest = try #require(levels.max { $0.level < $1.level })
        #expect((1710...1711).contains(highest.bin) && highest.level > 0.05)
        // Together they peak at the level of one: each of the other two has 0.35 of the note's level.
        #expect(abs(Self.component(alone, 1760) / Self.component(samples, 1760) - 1.7) < 0.02)
    }

    @Test("brightness tilts the harmonics by 6 dB an octave at most")
    func brightness() {
        func ratio(_ brightness: Double) -> Double {
            let engine = EngineUnderTest()
            var event = tone(0, hertz: 375, level: 0.5, DRONE_SAWTOOTH, ramp: 0)
            event.tone.brightness = brightness
            engine.push(event)
            let samples = engine.renderFloats(4096).map(Double.init)
            return Self.component(samples, 64) / Self.component(samples, 32)
        }
        let plain = ratio(0)
        #expect(abs(plain - 0.5) < 1e-4)
        #expect(abs(ratio(-1) / plain - 0.5) < 1e-3)
        #expect(abs(ratio(0.5) / plain - 2.0.squareRoot()) < 1e-3)
    }

    @Test(
        "changes of pitch, level, voice and pan at any frame leave no step above -70 dBFS",
        arguments: [UInt64(1), 2, 3])
    func noSteps(seed: UInt64) {
        var random = Seeded(state: seed)
        let engine = EngineUnderTest(channels: 2)
        var frame: Int64 = 0
        var changes: [Int] = []
        for _ in 0..<40 {
            frame += Int64.random(in: 4000...9000, using: &random)
            // Voices whose waveforms have no jump.
            var event = tone(
                frame, hertz: .random(in: 50...90, using: &random),
                level: Bool.random(using: &random) ? 0 : .random(in: 0.1...0.4, using: &random),
                Bool.random(using: &random) ? DRONE_SINE : DRONE_TRIANGLE, ramp: 2400)
            event.tone.note = .random(in: 0...1, using: &random)
            event.tone.pan = .random(in: -1...1, using: &random)
            event.tone.crossfade = Bool.random(using: &random)
            engine.push(event)
            changes.append(Int(frame))
        }
        let samples = engine.renderFloats(Int(frame) + 5000)
        // Two notes of 90 Hz: the second difference of a sine is at most 0.4 x 2 x (2 pi 90 / 48000)² a frame, at a
        // corner of a triangle less than 0.4 x 2 x 8 x 90 / 48000, rounded over the frames of its highest harmonics.
        for channel in 0..<2 {
            let one = stride(from: channel, to: samples.count, by: 2).map { Double(samples[$0]) }
            for at in changes {
                func bend(_ n: Int) -> Double { abs(one[n + 1] - 2 * one[n] + one[n - 1]) }
                let usual = ((at - 1200)..<(at - 2)).map(bend).max()!
                let after = ((at + 2)..<(at + 1200)).map(bend).max()!
                #expect(bend(at) < max(usual, after) + 0.000_316)
            }
        }
    }
}
