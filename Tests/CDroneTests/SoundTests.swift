import CDrone
import Foundation
import Shared
import Testing

@Suite("Sound")
struct SoundTests {
    /// The length of each click sound in seconds.
    static let lengths = [0.06, 0.1, 0.05, 0.25, 0.04, 0.055, 0.018, 0.09, 0.22, 0.28, 0.6, 0.36, 0.44]

    @Test(
        "a click begins between two frames, where its fraction says",
        arguments: everySound, [UInt32(44_100), 48_000, 96_000])
    func fraction(sound: drone_sound, rate: UInt32) {
        func samples(_ fraction: Double) -> [Float] {
            let engine = EngineUnderTest(rate: rate)
            engine.push(click(40, fraction, sound))
            return engine.renderFloats(Int(max(Self.lengths[Int(sound.rawValue)] + 0.01, 0.11) * Double(rate)))
        }
        let whole = samples(0)
        for fraction in [0.1, 0.37, 0.5, 0.9] {
            #expect(abs(Samples.delay(of: samples(fraction), after: whole) - fraction) < 0.001)
        }
    }

    @Test("a click makes no sound before its onset, and is over after its length")
    func extent() {
        for (sound, length) in zip(everySound, Self.lengths) {
            let engine = EngineUnderTest()
            engine.push(click(100, 0.7, sound, level: 1))
            let samples = engine.renderFloats(30_000)
            #expect(samples[...100].allSatisfy { $0 == 0 })
            #expect(samples[101...103].contains { $0 != 0 })
            let end = 101 + Int(length * 48_000)
            #expect(samples[(end - 100)..<end].contains { $0 != 0 })
            #expect(samples[(end + 1)...].allSatisfy { $0 == 0 })
            let peak = samples.map(abs).max()!
            #expect(peak > 0.93 && peak < 1.001, "\(sound)")
        }
    }

    @Test(
        "a click with another pitch and length has its partials shifted, in the same proportion, and the right length")
    func pitchAndLength() {
        func samples(pitch: Double, length: Double) -> [Double] {
            let engine = EngineUnderTest()
            engine.push(click(0, level: 0.9, pitch: pitch, length: length))
            return engine.renderFloats(12_000).map(Double.init)
        }
        /// The second partial of the wood block over its first.
        func proportion(pitch: Double) -> Double {
            let window = Array(samples(pitch: pitch, length: 1)[..<4096])
            func strength(_ hertz: Double) -> Double {
                let bin = Int((hertz * pitch * 4096 / 48_000).rounded())
                return (bin - 2...bin + 2).map { VoiceTests.component(window, $0) }.max() ?? 0
            }
            return strength(2950) / strength(1500)
        }
        for pitch in [0.5, 0.75, 2] { #expect(abs(proportion(pitch: pitch) / proportion(pitch: 1) - 1) < 0.1) }
        for length in [0.5, 1, 3] {
            let end = Int(0.060 * length * 48_000)
            let whole = samples(pitch: 1, length: length)
            #expect(whole[(end - 100)..<end].contains { $0 != 0 } && whole[(end + 1)...].allSatisfy { $0 == 0 })
        }
    }

    @Test("the drone's frequency is exact to a ten-thousandth of a cent", arguments: [DRONE_SINE, DRONE_TRIANGLE])
    func frequency(waveform: drone_waveform) {
        let hertz = 442 * pow(2, 2.0 / 12)
        let engine = EngineUnderTest()
        engine.push(tone(0, hertz: hertz, level: 0.5, waveform, ramp: 0))
        // The phase at the start and after 20 s, each over a Hann window.
        func phase(_ samples: [Float], _ first: Int) -> Double {
            var (re, im) = (0.0, 0.0)
            for i in 0..<samples.count {
                let w = 0.5 - 0.5 * cos(2 * .pi * Double(i) / Double(samples.count))
                let turns = (hertz / 48_000 * Double(first + i)).truncatingRemainder(dividingBy: 1)
                re += w * Double(samples[i]) * cos(2 * .pi * turns)
                im -= w * Double(samples[i]) * sin(2 * .pi * turns)
            }
            return atan2(im, re) / (2 * .pi)
        }
        let early = phase(engine.renderFloats(24_000), 0)
        #expect(drone_seek(engine.handle, 960_000) == DRONE_OK)
        let late = phase(engine.renderFloats(24_000), 960_000)
        let cents = 1200 * log2(1 + (late - early) / (hertz * 20))
        #expect(abs(cents) < 0.0001)
    }

    @Test("changes of level, pitch and shape leave no step", arguments: [DRONE_SINE, DRONE_TRIANGLE])
    func noStep(waveform: drone_waveform) {
        let other = waveform == DRONE_SINE ? DRONE_TRIANGLE : DRONE_SINE
        let engine = EngineUnderTest()
        let hertz = 440.0
        engine.push(tone(0, hertz: hertz, level: 0.5, waveform, ramp: 2400))
        engine.push(tone(5013, hertz: hertz, level: 0.1, waveform, ramp: 2400))
        engine.push(tone(9007, hertz: hertz * 1.02, level: 0.5, waveform, ramp: 2400))
        engine.push(tone(14_011, hertz: hertz, level: 0.5, other, ramp: 2400))
        engine.push(tone(15_001, hertz: hertz, level: 0.5, waveform, ramp: 2400))
        engine.push(tone(20_003, hertz: hertz, level: 0, waveform, ramp: 2400))
        let samples = engine.renderFloats(24_000).map(Double.init)
        // The steepest slope of either shape at 450 Hz and half level (a triangle's 4 f a, a sine's 2 pi f a).
        let steepest = 2 * Double.pi * 450 * 0.5 / 48_000
        for i in 1..<samples.count { #expect(abs(samples[i] - samples[i - 1]) < steepest * 1.05) }
        #expect(samples[22_500...].allSatisfy { $0 == 0 })
    }

    @Test("a note that returns while it fades out rises from its current level")
    func turnsRound() {
        let engine = EngineUnderTest()
        engine.push(tone(0, hertz: 6017, level: 0.5, ramp: 0))
        engine.push(tone(24_000, hertz: 6017, level: 0, ramp: 9600))
        // Half of the fade has passed.
        engine.push(tone(28_800, hertz: 6017, level: 0.5, ramp: 9600))
        _ = engine.renderFloats(28_800)
        let levels = (0..<20).map { _ in engine.renderFloats(480).map(abs).max() ?? 0 }
        #expect(levels[0] > 0.249 && levels[0] < 0.27)
        for (before, after) in zip(levels, levels.dropFirst()) { #expect(after > before - 1e-3) }
        #expect(levels[19] > 0.495)
    }

    @Test("a triangle has no harmonic above half the rate, and so no aliases")
    func triangleIsBandLimited() {
        let engine = EngineUnderTest()
        // 48 000 / 4096 × 171: whole cycles in the window, so that any sound in another bin than a harmonic's is an
        // alias.
        let n = 4096
        let bin = 171
        engine.push(tone(0, hertz: 48_000 * Double(bin) / Double(n), level: 1, DRONE_TRIANGLE, ramp: 0))
        let samples = engine.renderFloats(n).map(Double.init)
        var highest = 0.0
        for k in stride(from: 1, to: n / 2, by: 7) where k % bin != 0 {
            var (re, im) = (0.0, 0.0)
            for i in 0..<n {
                let x = 2 * Double.pi * Double(k * i % n) / Double(n)
                re += samples[i] * cos(x)
                im += samples[i] * sin(x)
            }
            highest = max(highest, (re * re + im * im).squareRoot() * 2 / Double(n))
        }
        // 130 dB below full scale: the noise of 24-bit mantissas.
        #expect(highest < 3e-7)
    }

    @Test(
        "every click sound has its designed length and shape, with another pitch and length too",
        arguments: [
            (DRONE_SOUND_BAR, 1.0, 1.0, 2880, [0.192517, 0.691908, -0.243022, -0.293624, -0.012999]),
            (DRONE_SOUND_BAR, 2, 0.5, 1440, [0.206634, 0.152768, 0.569858, 0.085799, 0]),
            (DRONE_SOUND_LINE, 1, 1, 4800, [0.216749, 0.301707, -0.260197, -0.209604, 0.025539]),
            (DRONE_SOUND_COUNT_IN, 1, 1, 2400, [0.168909, 0.861211, -0.711075, 0.239604, 0.012217]),
            (DRONE_SOUND_SECTION, 1, 1, 12_000, [0.175395, 0.543889, 0.772615, -0.437554, -0.346603]),
            (DRONE_SOUND_BEAT, 1, 1, 1920, [0.058577, 0.490661, 0.858773, -0.125276, 0.000405]),
            (DRONE_SOUND_ACCENT, 1, 1, 2640, [0.235870, 0.154532, 0.171959, -0.269249, -0.001415]),
            (DRONE_SOUND_SUBDIVISION, 1, 1, 864, [0.257932, -0.408175, -0.454628, 0.010283, 0]),
            (DRONE_SOUND_WARNING, 1, 1, 4320, [0.011997, 0.133599, -0.760184, -0.528574, 0.115958]),
            (DRONE_SOUND_RUN, 1, 1, 10_560, [0.007322, 0.049515, -0.928947, -0.440777, 0.404852]),
            (DRONE_SOUND_RUN, 2, 0.5, 5280, [0.009711, 0.024613, -0.893257, -0.013160, -0.505587]),
            (DRONE_SOUND_WALK, 1, 1, 13_440, [0.009594, 0.038824, -0.403738, -0.595004, -0.601733]),
            (DRONE_SOUND_WALK, 2, 0.5, 6720, [0.006721, 0.051390, 0.493842, -0.685786, -0.569741]),
            (DRONE_SOUND_WARM_UP, 1, 1, 17_280, [0.000084, 0.001050, 0.132520, 0.166918, 0.042421]),
            (DRONE_SOUND_COOL_DOWN, 1, 1, 21_120, [0.000434, -0.002046, -0.136433, -0.718229, 0.256118]),
            (DRONE_SOUND_END, 1, 1, 28_800, [0.004332, 0.045998, -0.135176, 0.958471, -0.391623]),
        ] as [(drone_sound, Double, Double, Int, [Float])])
    func shape(sound: drone_sound, pitch: Double, length: Double, frames: Int, wanted: [Float]) {
        let engine = EngineUnderTest()
        engine.push(click(0, 0, sound, level: 1, pitch: pitch, length: length))
        let samples = engine.renderFloats(48_000)
        #expect(samples.lastIndex { $0 != 0 } == frames - 1)
        for (frame, level) in zip([3, 7, 50, 500, 1500], wanted) {
            #expect(abs(samples[frame] - level) < 2e-6, "frame \(frame) is \(samples[frame])")
        }
    }
}
