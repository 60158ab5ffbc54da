import Glibc
import Hearing
import Testing

/// The pitch of notes whose sound is not that of a made wave: strings are stiff, players swell, fade and ring on.
@Suite("The pitch of a note")
struct NotePitchTests {
    private static let rate = PitchTests.rate

    /// A sound of partials, each with a frequency and an amplitude at each time.
    private static func sound(
        _ seconds: Double, _ partials: [(hertz: (Double) -> Double, amplitude: (Double) -> Double)]
    ) -> [Float] {
        var phases = partials.map { _ in 0.0 }
        return (0..<Int(seconds * Double(rate))).map { n in
            let time = Double(n) / Double(rate)
            var value = 0.0
            for (index, partial) in partials.enumerated() {
                value += partial.amplitude(time) * sin(phases[index])
                phases[index] += 2 * .pi * partial.hertz(time) / Double(rate)
            }
            return Float(value)
        }
    }

    private static func notes(_ sound: [Float]) -> [HeardNote] {
        HeardNote.all(in: sound, rate: rate, drone: [], isSteady: true, begins: [])
    }

    private static func cents(_ note: HeardNote?, _ hertz: Double) -> Double {
        note.map { 1200 * log2($0.hertz / hertz) } ?? .infinity
    }

    @Test("a stiff string has the pitch of its lowest partials", arguments: [45, 57, 69, 76])
    func stiff(key: Int) {
        let first = PitchTests.hertz(key, 3)
        // As the strings of a piano.
        let stiffness = [45: 0.0002, 57: 0.0004, 69: 0.001][key, default: 0.0015]
        let notes = Self.notes(
            Self.sound(
                1,
                (1...6).map { h in
                    let sharp = ((1 + stiffness * Double(h * h)) / (1 + stiffness)).squareRoot()
                    return ({ _ in first * Double(h) * sharp }, { 0.2 * pow(Double(h), -1.2) * exp(-1.5 * $0) })
                }))
        #expect(notes.count == 1 && notes[0].isSure && abs(Self.cents(notes.first, first)) < 1, "\(notes)")
    }

    @Test("what rings on after a note does not count, also in a room", arguments: [7.0, 12])
    func release(damping: Double) {
        let hertz = PitchTests.hertz(64, 0)
        let ringing: (Double) -> Double = { $0 < 0.6 ? 1 : exp(-damping * ($0 - 0.6)) }
        let notes = Self.notes(
            Self.sound(
                1,
                (1...4).map { h in
                    ({ hertz * Double(h) * ($0 < 0.66 ? 1 : 0.98) }, { 0.2 / Double(h) * ringing($0) })
                }))
        #expect(notes.count == 1 && notes[0].isSure && abs(Self.cents(notes.first, hertz)) < 0.5, "\(notes)")
    }

    @Test(
        "with whichever part of a vibrato a note begins and ends, its pitch is the mean", arguments: [0.7, 0.83, 1.0])
    func vibrato(seconds: Double) {
        let hertz = PitchTests.hertz(67, -8)
        for start in stride(from: 0, to: 1, by: 0.125) {
            let sound = PitchTests.tone(.oboe, seconds: seconds, rate: Self.rate, level: 0.1, nominal: hertz) {
                hertz * exp2(30 * sin(2 * .pi * (5.5 * $0 + start)) / 1200)
            }
            let notes = Self.notes(sound)
            #expect(notes.count == 1 && abs(Self.cents(notes.first, hertz)) < 0.5, "\(start): \(notes)")
        }
    }

    @Test("a note whose fundamental fades for a moment stays one note")
    func fading() {
        let hertz = PitchTests.hertz(75, 5)
        let notes = Self.notes(
            Self.sound(
                1.5,
                [
                    ({ _ in hertz }, { 0.2 * min(1, pow(($0 - 0.7) / 0.16, 2)) }),
                    ({ _ in 2 * hertz }, { _ in 0.05 }),
                ]))
        #expect(notes.count == 1 && notes[0].isSure && abs(Self.cents(notes.first, hertz)) < 0.5, "\(notes)")
    }

    @Test("breath noise 20 dB below a note moves its pitch by less than a cent", arguments: Waveform.allCases)
    func breath(waveform: Waveform) {
        for key in [52, 64, 76, 86] {
            let hertz = PitchTests.hertz(key, 11)
            var random = SystemlessNoise(UInt64(key))
            let notes = Self.notes(
                PitchTests.tone(waveform, seconds: 0.8, rate: Self.rate, level: 0.2, nominal: hertz) { _ in hertz }
                    .map { $0 + 0.02 * random.next() })
            #expect(notes.count == 1 && notes[0].isSure && abs(Self.cents(notes.first, hertz)) < 1, "\(key): \(notes)")
        }
    }

    @Test("a second harmonic that a vibrato moves into the drone and out of it counts at no moment of a note")
    func hidden() {
        let drone = PitchTests.hertz(71, 0)
        // Without the drone's note, the second harmonic pulls the pitch up; 20 cents sharp, as in a sampled violin.
        func notes(_ cents: Double) -> [HeardNote] {
            let hertz = PitchTests.hertz(59, cents)
            func wave(_ seconds: Double) -> Double { exp2(25 * sin(2 * .pi * 5.5 * seconds) / 1200) }
            let player = Self.sound(
                1.2,
                [(1.0, 0.05), (2 * exp2(20.0 / 1200), 0.1), (3, 0.03), (4, 0.02)].map { harmonic, amplitude in
                    ({ hertz * harmonic * wave($0) }, { _ in amplitude })
                })
            var sound = Self.sound(4, [({ _ in drone }, { _ in 0.15 })])
            for (n, value) in player.enumerated() { sound[n + Self.rate * 5 / 2] += value }
            return HeardNote.all(in: sound, rate: Self.rate, drone: [drone], isSteady: true, begins: [2.5])
                .filter { $0.begin > 2.4 && $0.end - $0.begin > 0.5 }
        }
        for cents in [-40.0, -25, -10, 0, 10, 25, 40] {
            let notes = notes(cents)
            #expect(
                notes.count == 1 && abs(Self.cents(notes.first, PitchTests.hertz(59, cents))) < 2, "\(cents): \(notes)")
        }
    }

    @Test("a note whose first harmonic a vibrato moves into the drone and out of it is unsure")
    func hiddenFundamental() {
        let drone = PitchTests.hertz(71, 0)
        // 9 Hz below the drone; of a stiff string, so that only the first harmonic tells the pitch.
        let hertz = drone - 9
        func wave(_ seconds: Double) -> Double { 1.2 * sin(2 * .pi * 5.5 * seconds) / hertz + 1 }
        let player = Self.sound(
            1.2,
            [(1.0, 0.1), (2 * exp2(7.0 / 1200), 0.05), (3 * exp2(15.0 / 1200), 0.03)].map { harmonic, amplitude in
                ({ hertz * harmonic * wave($0) }, { _ in amplitude })
            })
        var sound = Self.sound(4, [({ _ in drone }, { _ in 0.15 })])
        for (n, value) in player.enumerated() { sound[n + Self.rate * 5 / 2] += value }
        let notes = HeardNote.all(in: sound, rate: Self.rate, drone: [drone], isSteady: false, begins: [2.5])
        #expect(!notes.isEmpty && notes.allSatisfy { !$0.isSure }, "\(notes)")
    }

    @Test("a second harmonic far from its place is heard there, not a turn away from it", arguments: [72, 84])
    func farHarmonic(key: Int) {
        let hertz = PitchTests.hertz(key, 0)
        for away in [-60.0, -30, 30, 60] {
            let notes = Self.notes(
                Self.sound(
                    0.6, [({ _ in hertz }, { _ in 0.05 }), ({ _ in 2 * hertz * exp2(away / 1200) }, { _ in 0.1 })]))
            let share = Self.cents(notes.first, hertz) / away
            #expect(notes.count == 1 && share > 0.4 && share < 0.75, "\(away): \(notes)")
        }
    }

    @Test("a wide vibrato whose harmonics move against each other is unsure if it is short")
    func unrest() {
        let hertz = PitchTests.hertz(85, 0)
        // Each harmonic is shifted at its own moments, as in the body of a violin.
        func note(_ seconds: Double, moves: Double) -> [HeardNote] {
            Self.notes(
                Self.sound(
                    seconds,
                    (1...3).map { h in
                        let start = Double(h) * 2 * .pi / 3
                        return (
                            { time in
                                let turn = 2 * .pi * 5.5 * time
                                return hertz * Double(h) * exp2((25 * sin(turn) + moves * sin(2 * turn + start)) / 1200)
                            }, { time in 0.1 * (1 + 0.8 * sin(2 * .pi * 5.5 * time + start)) }
                        )
                    }))
        }
        #expect(note(0.6, moves: 0).map(\.isSure) == [true])
        #expect(note(0.6, moves: 12).map(\.isSure) == [false])
        #expect(note(3, moves: 12).map(\.isSure) == [true])
    }

    @Test("two players who beat are unsure, and one of them is not")
    func beating() {
        let hertz = PitchTests.hertz(69, 0)
        let one: (hertz: (Double) -> Double, amplitude: (Double) -> Double) = ({ _ in hertz }, { _ in 0.1 })
        let both = Self.notes(Self.sound(1.5, [one, ({ _ in hertz + 5 }, { _ in 0.09 })]))
        #expect(both.allSatisfy { !$0.isSure }, "\(both)")
        #expect(Self.notes(Self.sound(1.5, [one])).map(\.isSure) == [true])
    }
}
