import CDrone
import Foundation
import Testing

@Suite("A drone that lasts")
struct LongDroneTests {
    private static let rate = 48_000

    /// The phase of a component in turns, -0.5 ..< 0.5, over all of `samples` with a Hann window; `first` is the frame
    /// of the first sample.
    private static func phase(_ samples: [Double], from first: Int64, hertz: Double) -> Double {
        var (x, y) = (0.0, 0.0)
        for (n, sample) in samples.enumerated() {
            let hann = 1 - cos(2 * .pi * (Double(n) + 0.5) / Double(samples.count))
            // Whole turns are removed first, so that ten minutes cost no precision.
            let turns = (hertz * (Double(first) + Double(n)) / Double(rate)).truncatingRemainder(dividingBy: 1)
            x += sample * hann * cos(2 * .pi * turns)
            y -= sample * hann * sin(2 * .pi * turns)
        }
        return atan2(y, x) / (2 * .pi)
    }

    private static func samples(_ engine: EngineUnderTest, _ count: Int) -> [Double] {
        engine.render(count).withUnsafeBytes { $0.bindMemory(to: Int32.self).map { Double($0) / 2_147_483_648 } }
    }

    @Test("over ten minutes every voice keeps its pitch within 0.001 cent", arguments: VoiceTests.all)
    func pitch(voice: drone_waveform) {
        // C2, B4 at A4 = 442 Hz, C7: the period of none is a whole number of frames.
        for hertz in [65.406_391_325_149_66, 496.128_143_7, 2093.004_522_404_789] {
            let engine = EngineUnderTest(format: DRONE_S32)
            engine.push(tone(0, hertz: hertz, level: 0.9, voice, ramp: 0))
            let begin = Self.phase(Self.samples(engine, 48_000), from: 0, hertz: hertz)
            let late: Int64 = 10 * 60 * 48_000
            engine.take()
            drone_skip(engine.handle, late, 0)
            let end = Self.phase(Self.samples(engine, 48_000), from: late, hertz: hertz)
            // A wrong frequency turns the phase: 0.001 cent by a fifth of a turn for B4, by a thirtieth for C2.
            let turned = end - begin - (end - begin).rounded()
            let cents = 1200 * log2(1 + turned / (600 * hertz))
            #expect(abs(cents) < 1e-5, "\(voice) at \(hertz) Hz: \(cents) cents")
        }
    }

    @Test("no voice has a DC offset above -90 dBFS", arguments: VoiceTests.all)
    func constantPart(voice: drone_waveform) {
        // Frequencies with whole cycles in a second.
        for hertz in [65.0, 496, 2093] {
            let engine = EngineUnderTest(format: DRONE_S32)
            engine.push(tone(0, hertz: hertz, level: 0.9, voice, ramp: 0))
            let mean = Self.samples(engine, 48_000).reduce(0, +) / 48_000
            #expect(20 * log10(abs(mean) + 1e-30) < -90)
        }
    }

    @Test("retuning during a fade does not restart it; a shorter fade ends it sooner")
    func fades() {
        func envelope(_ change: (EngineUnderTest) -> Void) -> [Float] {
            let engine = EngineUnderTest()
            engine.push(tone(0, hertz: 6017, level: 0.5, ramp: 48_000))
            change(engine)
            return (0..<100).map { _ in engine.renderFloats(960).map(abs).max()! }
        }
        let plain = envelope { _ in }
        let tuned = envelope { engine in
            for k in 1...8 {
                engine.push(tone(Int64(k) * 5000, hertz: 6017 * (1 + 1e-6 * Double(k)), level: 0.5, ramp: 48_000))
            }
        }
        for (a, b) in zip(plain, tuned) { #expect(abs(a - b) < 2e-3) }
        let soon = envelope { $0.push(tone(24_000, hertz: 6017, level: 0.5, ramp: 2400)) }
        #expect(soon[28] > 0.499 && plain[28] < 0.4)
    }

    @Test("crossfades that begin before the previous ones end leave no step")
    func crossfades() {
        let engine = EngineUnderTest()
        for k in 0..<60 {
            for note in 0..<8 {
                let step: Int = (k * 7 + note * 3) % 10
                var event = tone(Int64(k) * 4000, hertz: 40 + 5 * Double(step), level: 0.05, ramp: 480_000)
                (event.tone.note, event.tone.crossfade) = (UInt32(note), true)
                engine.push(event)
            }
        }
        let samples = engine.renderFloats(300_000).map(Double.init)
        // Eight notes of 90 Hz and the ones that fade out: a sine's second difference is its level times (2 pi 90 /
        // 48000)² a frame.
        var most = 0.0
        for n in 1..<(samples.count - 1) { most = max(most, abs(samples[n + 1] - 2 * samples[n] + samples[n - 1])) }
        #expect(most < 0.000_316)
    }
}
