import Glibc
import Hearing
import Testing

/// A drone in a recording, and notes of a player beside it.
@Suite("Steady tones")
struct SteadyTonesTests {
    private static let rate = HeardTake.rate

    /// The partials of a drone as a microphone hears it, whose crystal is 150 ppm off.
    private static let drone: [(hertz: Double, level: Double)] = [(246.94, 0.02), (493.88, 0.03), (987.77, 0.008)]
    private static let skew = 1.00015

    private static func tones(_ partials: [(hertz: Double, level: Double)], seconds: Double) -> [Float] {
        var samples = [Float](repeating: 0, count: Int(seconds * Double(rate)))
        for (hertz, level) in partials {
            for n in samples.indices {
                let turns: Double = (hertz * Double(n) / Double(rate)).truncatingRemainder(dividingBy: 1)
                samples[n] += Float(level * sin(2 * .pi * turns + hertz))
            }
        }
        return samples
    }

    private static func heard(_ seconds: Double) -> [Float] {
        tones(drone.map { ($0.hertz * skew, $0.level) }, seconds: seconds)
    }

    /// Notes of 0.3 to 1.5 s at these pitches, ten times as loud as the drone, with pauses and a phase of their own each.
    private static func player(_ pitches: [Double], seconds: Double) -> [Float] {
        var samples = [Float](repeating: 0, count: Int(seconds * Double(rate)))
        var (random, begin) = (SystemlessNoise(7), 0.4)
        while begin < seconds - 2 {
            let hertz = pitches[Int(abs(random.next()) * 0.999 * Float(pitches.count))]
            let (length, phase) = (0.9 + 0.6 * Double(random.next()), 3 * Double(random.next()))
            let count = Int(length * Double(rate))
            for n in 0..<count {
                let t = Double(n) / Double(rate)
                let swell = min(1, t / 0.02, (length - t) / 0.05)
                let vibrato: Double = 0.3 * sin(2 * .pi * 5 * t)
                let turn: Double = 2 * .pi * hertz * t + phase + vibrato
                samples[Int(begin * Double(rate)) + n] += Float(0.3 * swell * sin(turn))
            }
            begin += length + 0.35 + 0.25 * Double(random.next())
        }
        return samples
    }

    private static func sum(_ a: [Float], _ b: [Float]) -> [Float] { zip(a, b).map { $0 + $1 } }

    /// The power of a sound as decibels.
    private static func decibels(_ samples: some Collection<Float>) -> Double {
        let power: Double = samples.reduce(1e-20) { $0 + Double($1) * Double($1) }
        return 10 * log10(power / Double(samples.count))
    }

    @Test("a drone alone is 60 dB softer afterwards, although the recorder's crystal is 150 ppm off")
    func alone() {
        let heard = Self.heard(30)
        let left = SteadyTones.removed(Self.drone.map(\.hertz), from: heard)
        #expect(Self.decibels(heard) - Self.decibels(left) > 60)
    }

    @Test("its partials are found in a recording within 0.05 Hz, and none in noise or in notes that come and go")
    func found() {
        var random = SystemlessNoise(3)
        let noise = (0..<Self.rate * 30).map { _ in 0.001 * random.next() }
        let notes = Self.player([440, 523.25, 587.33, 659.26], seconds: 30)
        let found = SteadyTones.frequencies(in: Self.sum(Self.sum(noise, notes), Self.heard(30)))
        #expect(found.count == 3)
        for partial in Self.drone { #expect(found.contains { abs($0 - partial.hertz * Self.skew) < 0.05 }) }
        #expect(SteadyTones.frequencies(in: Self.sum(noise, notes)).isEmpty)
    }

    @Test("beside a player at other pitches the drone is 25 dB softer, and the player's notes stay as they were")
    func beside() {
        let (drone, player) = (Self.heard(40), Self.player([440, 523.25, 587.33, 659.26], seconds: 40))
        let left = SteadyTones.removed(Self.drone.map(\.hertz), from: Self.sum(drone, player))
        let rest = zip(left, player).map { $0 - $1 }
        #expect(Self.decibels(drone) - Self.decibels(rest) > 25)
        #expect(abs(Self.decibels(left) - Self.decibels(player)) < 0.05)
    }

    @Test("in unison with a player, the drone is 15 dB softer, and the player's notes stay as they were")
    func unison() {
        let (drone, player) = (Self.heard(40), Self.player([493.88, 493.88, 440, 587.33], seconds: 40))
        let left = SteadyTones.removed(Self.drone.map(\.hertz), from: Self.sum(drone, player))
        let rest = zip(left, player).map { $0 - $1 }
        #expect(Self.decibels(drone) - Self.decibels(rest) > 15)
        #expect(abs(Self.decibels(left) - Self.decibels(player)) < 0.05)
    }

    @Test("a player without a drone keeps each note, also those at the frequencies that are taken out")
    func withoutDrone() {
        let player = Self.player([493.88, 440, 987.77], seconds: 40)
        #expect(SteadyTones.removed(Self.drone.map(\.hertz), from: player) == player)
    }

    @Test("where the drone stops, no tone is added in its place")
    func stops() {
        let (drone, player) = (Self.heard(40), Self.player([440, 587.33], seconds: 40))
        var sound = drone
        for n in sound.count / 2..<sound.count { sound[n] = 0 }
        let left = SteadyTones.removed(Self.drone.map(\.hertz), from: Self.sum(sound, player))
        let rest = zip(left, player).map { $0 - $1 }
        #expect(Self.decibels(drone) - Self.decibels(rest[..<(Self.rate * 18)]) > 25)
        #expect(Self.decibels(drone) - Self.decibels(rest[(Self.rate * 22)...]) > 25)
    }
}
