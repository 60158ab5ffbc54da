package import Scores
package import Timing

/// Finds the speed that the player taps.
package enum Tapping {
    /// The speed at which the beats of a bar (or its seconds, if it has no meter) are as far apart as the taps (times
    /// in ns), rounded to a whole per cent. `stretch` is the speed that the bar has from a program. nil if there are fewer than
    /// two taps.
    package static func speed(_ taps: [Int64], _ bar: TimedBar, at stretch: Speed = .asWritten) -> Speed? {
        guard let first = taps.first, let last = taps.last, taps.count >= 2, last > first else { return nil }
        let gap = Double(last - first) / Double(taps.count - 1)
        let beats = bar.written.meter.map { Double($0.beats.count) }
        let written = (beats.map { bar.duration / $0 } ?? stretch.realDuration(of: .seconds(1))) / .nanoseconds(1)
        let (slowest, fastest) = (Double(Speed.range.lowerBound), Double(Speed.range.upperBound))
        let millionths = (written / gap * 100).rounded() * 10_000
        return Speed(millionths: Int64(min(max(millionths, slowest), fastest)))
    }
}
