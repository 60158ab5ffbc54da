import Glibc
import Hearing
import Testing

/// A player in unison with the drone, or an octave above it, where the drone was heard alone before.
@Suite("In unison with the drone")
struct UnisonTests {
    private static let rate = PitchTests.rate
    private static let drone = PitchTests.hertz(71, 0)
    private static let partials = (1...24).map { Double($0) * drone }

    /// A drone of `seconds` that is 10 dB louder than a player, whose card's crystal is off by `ppm`.
    private static func under(_ seconds: Double, ppm: Double = 0, level: Double = 0.316) -> [Float] {
        PitchTests.tone(.reedOrgan, seconds: seconds, rate: rate, level: level, nominal: drone) { _ in
            drone * (1 + ppm * 1e-6)
        }
    }

    private static func add(
        _ waveform: Waveform, _ hertz: Double, at begin: Double, seconds: Double, to sound: inout [Float]
    ) {
        let player = PitchTests.tone(waveform, seconds: seconds, rate: rate, level: 0.1, nominal: hertz) { _ in hertz }
        let count = player.count
        for (n, value) in player.enumerated() {
            let swell = min(1, Double(n) / 480, Double(count - n) / 960)
            sound[Int(begin * Double(rate)) + n] += value * Float(swell)
        }
    }

    private static func notes(_ sound: [Float], isSteady: Bool = true) -> [HeardNote] {
        HeardNote.all(in: sound, rate: rate, drone: partials, isSteady: isSteady, begins: [])
    }

    @Test(
        "a note is right within 3 cents, also an octave above the drone, or unsure",
        arguments: [Waveform.sine, .square, .oboe, .strings])
    func right(waveform: Waveform) {
        var (sure, all) = (0, 0)
        for ppm in [-150.0, 0] {
            var (sound, truth) = (Self.under(24, ppm: ppm), [(begin: Double, hertz: Double)]())
            for (index, cents) in [-30, -10, -3, -0.5, 0, 0.5, 3, 10, 30].enumerated() {
                let hertz = Self.drone * exp2(cents / 1200) * (index % 4 == 3 ? 2 : 1)
                truth.append((2.5 + 2.3 * Double(index), hertz))
                Self.add(waveform, hertz, at: truth[index].begin, seconds: 1.3, to: &sound)
            }
            let notes = Self.notes(sound).filter(\.isSure)
            for note in notes {
                let near = truth.first { abs($0.begin - note.begin) < 0.1 }
                let error = near.map { 1200 * log2(note.hertz / $0.hertz) }
                #expect(abs(error ?? 99) < 3, "\(ppm) ppm: \(note)")
            }
            (sure, all) = (sure + notes.count, all + truth.count)
        }
        #expect(10 * sure >= 9 * all, "\(sure) of \(all)")
    }

    @Test("before the drone was heard alone, a note is unsure, and so it is if the drone wanders")
    func unknown() {
        var sound = Self.under(6)
        Self.add(.oboe, Self.drone * 1.003, at: 0.2, seconds: 2, to: &sound)
        #expect(Self.notes(sound).allSatisfy { !$0.isSure })
        var late = Self.under(6)
        Self.add(.oboe, Self.drone * 1.003, at: 2.5, seconds: 2, to: &late)
        #expect(Self.notes(late).count == 1 && Self.notes(late).allSatisfy(\.isSure))
        #expect(Self.notes(late, isSteady: false).allSatisfy { !$0.isSure })
    }

    @Test("after the microphone or the volume has been moved, nothing is sure that was played meanwhile")
    func moved() {
        for gain: Float in [0, 0.5, 0.8, 1.3, 3] {
            var sound = Self.under(12)
            Self.add(.oboe, Self.drone * 1.002, at: 3, seconds: 2, to: &sound)
            for n in Self.rate * 4..<sound.count { sound[n] *= gain }
            Self.add(.oboe, Self.drone * 1.002, at: 6, seconds: 1, to: &sound)
            let notes = Self.notes(sound)
            #expect(notes.allSatisfy { !$0.isSure || $0.begin > 9 }, "\(gain): \(notes)")
        }
    }

    @Test("a player who is hardly louder than what is left of the drone is unsure")
    func soft() {
        var (sound, random) = (Self.under(7), SystemlessNoise(5))
        for n in sound.indices { sound[n] += 0.02 * random.next() }
        Self.add(.oboe, Self.drone * 1.003, at: 3, seconds: 2, to: &sound)
        #expect(Self.notes(sound).allSatisfy { !$0.isSure })
    }

    @Test("with headphones, the recording has no drone, and each note is sure")
    func headphones() {
        var sound = [Float](repeating: 0, count: Self.rate * 10)
        for begin in [1.0, 3, 5, 7] {
            Self.add(.oboe, Self.drone * 1.003, at: begin, seconds: 1.3, to: &sound)
        }
        let notes = Self.notes(sound)
        #expect(notes.count == 4 && notes.allSatisfy(\.isSure))
        for note in notes { #expect(abs(1200 * log2(note.hertz / Self.drone / 1.003)) < 0.2) }
    }

    @Test("the drift of a long note is told, and that of a vibrato is none")
    func drift() throws {
        let hertz = PitchTests.hertz(66, 0)
        let sinking = PitchTests.tone(.oboe, seconds: 4, rate: Self.rate, level: 0.1, nominal: hertz) { seconds in
            hertz * exp2((8 - 5 * seconds) / 1200)
        }
        let note = try #require(
            HeardNote.all(in: sinking, rate: Self.rate, drone: [], isSteady: true, begins: []).first)
        #expect(abs((note.drift ?? 0) + 5 * (note.end - note.begin)) < 0.5)
        #expect(abs(1200 * log2(note.hertz / hertz) + 2) < 1 && note.isSure)
        let vibrato = PitchTests.tone(.oboe, seconds: 4, rate: Self.rate, level: 0.1, nominal: hertz) { seconds in
            hertz * exp2(30 * sin(2 * .pi * 5 * seconds) / 1200)
        }
        let steady = try #require(
            HeardNote.all(in: vibrato, rate: Self.rate, drone: [], isSteady: true, begins: []).first)
        #expect(abs(steady.drift ?? 9) < 2 && abs(1200 * log2(steady.hertz / hertz)) < 2)
        // A bar that begins meanwhile begins another note.
        let two = HeardNote.all(in: vibrato, rate: Self.rate, drone: [], isSteady: true, begins: [2])
        #expect(two.count == 2 && two.last?.drift != nil && two.allSatisfy { $0.end - $0.begin > 1.8 })
    }
}
