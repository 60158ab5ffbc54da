/// What a watch has recorded of a run. Pauses are left out of all times.
package struct Activity: Sendable, Equatable {
    /// The laps in order; empty if there are none.
    package var laps: [Lap]
    /// The way over time, in order; empty if it was not recorded.
    package var track: [Point]

    /// One lap.
    package struct Lap: Sendable, Equatable {
        /// How long it took, in seconds.
        package var seconds: Double
        /// How far it went; nil if unknown.
        package var meters: Double?
        /// Whether the watch began the next lap by itself, after a distance.
        package var isAutomatic: Bool

        package init(seconds: Double, meters: Double?, isAutomatic: Bool = false) {
            (self.seconds, self.meters, self.isAutomatic) = (seconds, meters, isAutomatic)
        }
    }

    /// A point of the way.
    package struct Point: Sendable, Equatable {
        /// The time since the start, in seconds.
        package var seconds: Double
        /// The distance since the start.
        package var meters: Double

        package init(seconds: Double, meters: Double) { (self.seconds, self.meters) = (seconds, meters) }
    }

    package init(laps: [Lap] = [], track: [Point] = []) { (self.laps, self.track) = (laps, track) }

    /// The length in seconds.
    package var seconds: Double { max(laps.reduce(0) { $0 + $1.seconds }, track.last?.seconds ?? 0) }

    /// The distance; nil if it was not recorded.
    package var meters: Double? {
        if let last = track.last { return last.meters }
        let known = laps.compactMap(\.meters)
        return known.count == laps.count && !laps.isEmpty ? known.reduce(0, +) : nil
    }

    /// Whether the laps can be intervals: at least one was not begun by distance alone.
    var hasOwnLaps: Bool { laps.dropLast().contains { !$0.isAutomatic } }

    /// The distance at a time, between two points of the way.
    package func meters(at seconds: Double) -> Double {
        var (low, high) = (0, track.count)
        while low < high {
            let middle = (low + high) / 2
            if track[middle].seconds < seconds { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return track.first?.meters ?? 0 }
        guard low < track.count else { return track[track.count - 1].meters }
        let (a, b) = (track[low - 1], track[low])
        let share = b.seconds > a.seconds ? (seconds - a.seconds) / (b.seconds - a.seconds) : 1
        return a.meters + (b.meters - a.meters) * share
    }
}
