import Glibc
import Hearing
import Testing

/// The pitch of made tones with the harmonics of the drone's eight waveforms.
@Suite("Pitch")
struct PitchTests {
    /// A tone of 1 s and more, of which each harmonic has the amplitude that the drone's waveform has.
    static func tone(
        _ waveform: Waveform, seconds: Double, rate: Int, level: Double, nominal: Double, _ hertz: (Double) -> Double
    ) -> [Float] {
        let count = max(1, Int(min(Double(rate) / 2.1, 12_000) / nominal))
        let amplitudes = (1...count).map { waveform.amplitude($0, hertz: nominal) }
        var (phase, peak) = (0.0, 0.0)
        let values = (0..<Int(seconds * Double(rate))).map { n -> Double in
            var value = 0.0
            // The sine of each harmonic by those of the two before: sin kx = 2 cos x sin (k - 1)x - sin (k - 2)x.
            let twice = 2 * cos(phase)
            var (before, harmonic) = (0.0, sin(phase))
            for amplitude in amplitudes {
                value += amplitude * harmonic
                (before, harmonic) = (harmonic, twice * harmonic - before)
            }
            phase += 2 * .pi * hertz(Double(n) / Double(rate)) / Double(rate)
            peak = max(peak, abs(value))
            return value
        }
        return values.map { Float($0 / peak * level) }
    }

    static func hertz(_ note: Int, _ cents: Double) -> Double {
        440 * exp2(Double(note - 69) / 12 + cents / 1200)
    }

    static let rate = 24_000
    /// From E2, the lowest note of a guitar, to F6.
    private static let notes = [40, 47, 54, 61, 68, 75, 82, 89]

    /// The errors in cents of the frames from 80 ms after the beginning of a note on; and when it was shown first.
    private static func errors(
        _ tracker: PitchTracker, _ sound: [Float], begin: Double, _ hertz: Double
    ) -> (errors: [Double], unsure: Int, first: Double) {
        var tracker = tracker
        var (errors, unsure, first) = ([Double](), 0, Double.infinity)
        for frame in tracker.add(sound) {
            let error = frame.hertz.map { 1200 * log2($0 / hertz) }
            if let error, frame.isSure, frame.seconds > begin, abs(error) < 50 {
                first = min(first, frame.seconds - begin)
            }
            guard frame.seconds > begin + 0.08 else { continue }
            if let error, frame.isSure { errors.append(error) } else { unsure += 1 }
        }
        return (errors, unsure, first)
    }

    @Test("a steady tone is right within 0.2 cents, and shown 80 ms after it began", arguments: Waveform.allCases)
    func steady(waveform: Waveform) {
        for note in Self.notes {
            for cents in [-50, -20, -0.1, 0.1, 3, 50] {
                let hertz = Self.hertz(note, cents)
                let sound =
                    [Float](repeating: 0, count: Self.rate / 10)
                    + Self.tone(waveform, seconds: 0.4, rate: Self.rate, level: 0.1, nominal: hertz) { _ in hertz }
                let heard = Self.errors(PitchTracker(rate: Self.rate), sound, begin: 0.1, hertz)
                let worst = heard.errors.map(abs).max() ?? .infinity
                #expect(worst < 0.2 && heard.unsure == 0, "\(note) \(cents): \(worst), \(heard.unsure) unsure")
                #expect(heard.first < 0.08, "\(note) \(cents): \(heard.first)")
            }
        }
    }

    @Test("the mean of a vibrato is right within 2 cents", arguments: Waveform.allCases)
    func vibrato(waveform: Waveform) {
        for note in Self.notes {
            let hertz = Self.hertz(note, 7)
            let sound = Self.tone(waveform, seconds: 1.2, rate: Self.rate, level: 0.1, nominal: hertz) { seconds in
                hertz * exp2(30 * sin(2 * .pi * 5 * seconds) / 1200)
            }
            let heard = Self.errors(PitchTracker(rate: Self.rate), sound, begin: 0, hertz).errors
            let cycles = heard.suffix(heard.count / 20 * 20)
            let mean = cycles.reduce(0, +) / Double(cycles.count)
            #expect(cycles.count >= 100 && abs(mean) < 2, "\(note): \(mean)")
        }
    }

    @Test("with a drone 10 dB louder at another pitch, the same", arguments: Waveform.allCases)
    func drone(waveform: Waveform) {
        let drone = Self.hertz(71, 0)
        for under in [Waveform.sine, .reedOrgan] {
            let partials = under == .sine ? [drone] : (1...24).map { Double($0) * drone }
            for note in [40, 45, 52, 56, 62, 66, 69, 73, 76, 80, 85] {
                let hertz = Self.hertz(note, -20)
                let player = Self.tone(waveform, seconds: 0.4, rate: Self.rate, level: 0.1, nominal: hertz) { _ in hertz
                }
                let begin = 1.5
                var sound = Self.tone(
                    under, seconds: begin + 0.4, rate: Self.rate, level: 0.316, nominal: drone
                ) { _ in drone }
                for (n, value) in player.enumerated() { sound[Int(begin * Double(Self.rate)) + n] += value }
                let tracker = PitchTracker(rate: Self.rate, drone: partials)
                let heard = Self.errors(tracker, sound, begin: begin, hertz)
                let worst = heard.errors.map(abs).max() ?? .infinity
                #expect(worst < 0.2 && heard.unsure == 0, "\(under) \(note): \(worst), \(heard.unsure) unsure")
                #expect(heard.first < 0.08, "\(under) \(note): \(heard.first)")
            }
        }
    }

    @Test(
        "a fundamental that begins 40 Hz below the drone is heard by its other harmonics",
        arguments: [Waveform.square, .sawtooth])
    func near(waveform: Waveform) {
        let (drone, hertz, begin) = (Self.hertz(71, 0), Self.hertz(69, 50), 2.5)
        var sound = Self.tone(.reedOrgan, seconds: begin + 0.4, rate: Self.rate, level: 0.316, nominal: drone) { _ in
            drone
        }
        let player = Self.tone(waveform, seconds: 0.4, rate: Self.rate, level: 0.1, nominal: hertz) { _ in hertz }
        for (n, value) in player.enumerated() { sound[Int(begin * Double(Self.rate)) + n] += value }
        let tracker = PitchTracker(rate: Self.rate, drone: (1...24).map { Double($0) * drone })
        let heard = Self.errors(tracker, sound, begin: begin, hertz)
        #expect((heard.errors.map(abs).max() ?? 9) < 0.2 && heard.unsure == 0, "\(heard)")
    }

    @Test("a pure tone 40 Hz beside the drone is sure once the level of the drone is found again, and then right")
    func young() {
        let drone = Self.hertz(71, 0)
        for hertz in [drone - 41, drone + 38] {
            let begin = 2.5
            var sound = Self.tone(
                .reedOrgan, seconds: begin + 0.8, rate: Self.rate, level: 0.316, nominal: drone
            ) { _ in drone }
            let player = Self.tone(.sine, seconds: 0.8, rate: Self.rate, level: 0.1, nominal: hertz) { _ in hertz }
            for (n, value) in player.enumerated() { sound[Int(begin * Double(Self.rate)) + n] += value }
            let tracker = PitchTracker(rate: Self.rate, drone: (1...24).map { Double($0) * drone })
            let heard = Self.errors(tracker, sound, begin: begin, hertz)
            #expect((heard.errors.map(abs).max() ?? 9) < 0.2 && heard.errors.count >= 40, "\(hertz): \(heard)")
            #expect(heard.first < 0.3, "\(hertz): \(heard.first)")
        }
    }

    @Test("a drone from another crystal is followed", arguments: [-200.0, -50, 50, 200])
    func crystal(ppm: Double) {
        let drone = Self.hertz(71, 0)
        var sound = Self.tone(.reedOrgan, seconds: 2, rate: Self.rate, level: 0.316, nominal: drone) { _ in
            drone * (1 + ppm * 1e-6)
        }
        let hertz = Self.hertz(66, 12)
        let player = Self.tone(.oboe, seconds: 0.5, rate: Self.rate, level: 0.1, nominal: hertz) { _ in hertz }
        for (n, value) in player.enumerated() { sound[Self.rate * 3 / 2 + n] += value }
        let partials = (1...24).map { Double($0) * drone }
        let heard = Self.errors(PitchTracker(rate: Self.rate, drone: partials), sound, begin: 1.5, hertz)
        #expect((heard.errors.map(abs).max() ?? 9) < 0.2 && heard.unsure == 0)
    }

    @Test("in unison with a drone that wanders a note is never sure, and alone the drone is no note")
    func unison() {
        let drone = Self.hertz(71, 0)
        let partials = (1...24).map { Double($0) * drone }
        let under = Self.tone(.reedOrgan, seconds: 2.5, rate: Self.rate, level: 0.3, nominal: drone) { _ in drone }
        for cents in [-20.0, -3, 0, 3, 20] {
            let hertz = drone * exp2(cents / 1200)
            var sound = under
            let player = Self.tone(.oboe, seconds: 1, rate: Self.rate, level: 0.1, nominal: hertz) { _ in hertz }
            for (n, value) in player.enumerated() { sound[Self.rate * 3 / 2 + n] += value }
            var tracker = PitchTracker(rate: Self.rate, drone: partials, isSteady: false)
            let frames = tracker.add(sound)
            #expect(frames.filter { $0.seconds > 0.5 }.allSatisfy { !$0.isSure }, "\(cents)")
            #expect(frames.filter { $0.seconds > 1 && $0.seconds < 1.5 }.allSatisfy { $0.hertz == nil }, "\(cents)")
        }
    }

    @Test("at most one frame in two hundred is an octave off, with noise and from note to note")
    func octaves() {
        var random: UInt64 = 5
        func noise() -> Float {
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Float(random >> 40) / Float(1 << 24) - 0.5
        }
        var (frames, wrong) = (0, 0)
        for waveform in Waveform.allCases {
            var (sound, truth): ([Float], [(end: Double, hertz: Double)]) = ([], [])
            for note in stride(from: 40, through: 88, by: 2) {
                let hertz = Self.hertz(note * 37 % 49 + 40, 4)
                sound += Self.tone(waveform, seconds: 0.3, rate: Self.rate, level: 0.1, nominal: hertz) { _ in hertz }
                truth.append((Double(sound.count) / Double(Self.rate), hertz))
            }
            for index in sound.indices { sound[index] += noise() * 0.004 }
            var tracker = PitchTracker(rate: Self.rate)
            for frame in tracker.add(sound) where frame.isSure {
                guard let hertz = frame.hertz else { continue }
                // Where one note follows another, either may be told.
                let near = truth.filter { frame.seconds - 0.06 <= $0.end && frame.seconds > $0.end - 0.3 }
                frames += 1
                wrong += near.contains { abs(1200 * log2(hertz / $0.hertz)) < 100 } ? 0 : 1
            }
        }
        #expect(frames > 5000)
        #expect(Double(wrong) <= 0.005 * Double(frames), "\(wrong) of \(frames)")
    }

    @Test("silence, noise and the numbers that a broken device gives are no notes")
    func nothing() {
        var tracker = PitchTracker(rate: 48_000, drone: [494, -3, 1e9])
        #expect(tracker.add([Float](repeating: 0, count: 48_000)).allSatisfy { $0.hertz == nil && !$0.isSure })
        #expect(tracker.add([Float](repeating: .nan, count: 48_000)).allSatisfy { $0.hertz == nil })
        #expect(tracker.add([Float](repeating: .infinity, count: 4800)).allSatisfy { $0.hertz == nil })
        var random: UInt64 = 9
        let noise = (0..<48_000).map { _ -> Float in
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Float(random >> 40) / Float(1 << 24) - 0.5
        }
        #expect(tracker.add(noise).allSatisfy { $0.hertz == nil })
    }

    @Test("at every rate of a device the pitch is the same", arguments: [16_000, 22_050, 44_100, 48_000, 96_000])
    func rates(rate: Int) {
        let hertz = Self.hertz(74, 12)
        let sound = Self.tone(.oboe, seconds: 0.5, rate: rate, level: 0.1, nominal: hertz) { _ in hertz }
        let heard = Self.errors(PitchTracker(rate: rate), sound, begin: 0, hertz)
        #expect((heard.errors.map(abs).max() ?? 9) < 0.2 && heard.unsure == 0)
    }
}

/// The drone's waveforms, as `Sources/CDrone/wavetable.c` has them.
enum Waveform: CaseIterable {
    case sine, triangle, sawtooth, square, reedOrgan, oboe, strings, shruti

    func amplitude(_ h: Int, hertz: Double) -> Double {
        let odd = Double(h % 2)
        switch self {
        case .sine: return h == 1 ? 1 : 0
        case .triangle: return (h / 2 % 2 == 0 ? odd : -odd) / Double(h * h)
        case .sawtooth: return 1 / Double(h)
        case .square: return odd / Double(h)
        case .reedOrgan: return shaped(h, hertz, (0.9, 0.8, 0.35, 7000), [(500, 300, 1), (1500, 500, 0.5)])
        case .oboe: return shaped(h, hertz, (0.5, 1, 0.12, 6500), [(1050, 300, 1), (2900, 500, 0.45)])
        case .strings:
            return shaped(
                h, hertz, (1, 1, 0.4, 9000), [(290, 80, 0.8), (500, 150, 0.8), (1000, 400, 0.5), (2700, 700, 0.5)])
        case .shruti:
            return shaped(h, hertz, (0.7, 1, 0.3, 8000), [(450, 200, 1), (1250, 350, 0.8), (2500, 600, 0.5)])
        }
    }

    private func shaped(
        _ h: Int, _ hertz: Double, _ shape: (fall: Double, even: Double, floor: Double, roof: Double),
        _ formants: [(hertz: Double, width: Double, gain: Double)]
    ) -> Double {
        let frequency = Double(h) * hertz
        let resonance = formants.reduce(shape.floor) { sum, formant in
            let away = (frequency - formant.hertz) / formant.width
            return sum + formant.gain / (1 + away * away)
        }
        let roof = frequency / shape.roof
        return pow(Double(h), -shape.fall) * (h % 2 == 1 ? 1 : shape.even) * resonance / (1 + roof * roof * roof * roof)
    }
}
