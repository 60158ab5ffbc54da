internal import Glibc
internal import Languages
package import Scores

/// A pitch that is heard, against the nearest note of a tuning, and against the purest interval over a drone.
package struct HeardPitch: Sendable, Equatable {
    /// An interval of small whole numbers over a note of the drone.
    package struct Interval: Sendable, Equatable {
        /// The numbers: 3 and 2 for a fifth, 1 and 2 for the octave below.
        package var over: Int
        package var under: Int
        /// The drone's note, by its place among them.
        package var note: Int
        /// The frequency of the pure interval in Hz, and how far the pitch is from it in cents.
        package var target: Double
        package var cents: Double
    }

    package let hertz: Double
    /// Whether it is the player's for certain.
    package let isSure: Bool
    /// The nearest note, its frequency in Hz, and how far the pitch is from it in cents.
    package let note: Int
    package let target: Double
    package let cents: Double
    /// The purest interval over the drone; nil without a drone, and if none is within half a semitone.
    package let interval: Interval?

    /// The just intervals of an octave.
    private static let pure = [
        (1, 1), (16, 15), (9, 8), (6, 5), (5, 4), (4, 3), (45, 32), (3, 2), (8, 5), (5, 3), (16, 9), (15, 8),
    ]

    /// A pitch in a tuning over drones of these frequencies.
    package init(hertz: Double, isSure: Bool, tuning: Tuning, a4: Double, drones: [Double]) {
        (self.hertz, self.isSure) = (hertz, isSure)
        func frequency(_ note: Int) -> Double { tuning.frequency(of: .note(note, cents: 0), a4: a4) }
        func distance(_ note: Int) -> Double { abs(HeardPitch.cents(hertz, over: frequency(note))) }
        // A Scala map may have its notes anywhere.
        note = (0...135).min { distance($0) < distance($1) } ?? 69
        target = frequency(note)
        cents = HeardPitch.cents(hertz, over: target)
        let intervals = drones.enumerated().compactMap { HeardPitch.interval(hertz, $0.offset, over: $0.element) }
        interval = intervals.min { ($0.over * $0.under, $0.note) < ($1.over * $1.under, $1.note) }
    }

    private static func interval(_ hertz: Double, _ note: Int, over drone: Double) -> Interval? {
        guard hertz > 0, drone > 0 else { return nil }
        let octaves = Int((log2(hertz / drone) + 1.0 / 24).rounded(.down))
        guard abs(octaves) < 9 else { return nil }
        return pure.map { over, under -> Interval in
            var (over, under) = octaves < 0 ? (over, under << -octaves) : (over << octaves, under)
            while over % 2 == 0, under % 2 == 0 { (over, under) = (over / 2, under / 2) }
            let target = drone * Double(over) / Double(under)
            return Interval(
                over: over, under: under, note: note, target: target, cents: HeardPitch.cents(hertz, over: target))
        }.filter { abs($0.cents) < 50 }.min { abs($0.cents) < abs($1.cents) }
    }

    /// An interval in cents.
    private static func cents(_ hertz: Double, over other: Double) -> Double { 1200 * log2(hertz / other) }

    /// The name of the nearest note: `B4`.
    package var name: String { Pitch.note(note, cents: 0).description }

    /// From so many cents on, a pitch is sharp or flat.
    package static let tolerance = 2.0

    /// In words: `B4, 3 cents sharp`, `B4, in tune`, `B4, unsure`.
    package var text: String {
        guard isSure else { return localized("\(name), unsure: the drone has the same pitch") }
        let rounded = Int(abs(cents).rounded())
        guard abs(cents) >= HeardPitch.tolerance else { return localized("\(name), in tune") }
        return cents > 0 ? localized("\(name), \(rounded) cents sharp") : localized("\(name), \(rounded) cents flat")
    }
}
