internal import Glibc

/// How the estimates of a sound server wander about the truth: how far, and for how long, as learned from their errors.
///
/// Their errors are those of a first-order process. Of several time constants, the likeliest is found: for each one there
/// is a mean of what the errors add to each other, in units of what they should add.
package struct ClockWander: Sendable, Equatable {
    /// The time constant in s, and the variance of an estimate in s².
    package private(set) var (constant, variance): (Double, Double)
    /// For each of `constants`, the variance, and the mean logarithm of the share of it that is new in an error.
    private var variances: [Double]
    private var newShares: [Double]
    private var count = 0

    private static let constants = (0..<9).map { 0.02 * Double(1 << $0) }
    /// After so many seconds old errors are forgotten. At first they are averaged, with `first` errors as assumed.
    private static let (memory, first) = (300.0, 10)
    /// A time constant may be longer than it looks, and then what seems a turn is none. So it is taken to be longer, and
    /// estimates to scatter as much more.
    private static let caution = 1.1
    /// The number of standard deviations at which an error is clipped.
    private static let clip = 4.0

    /// `scatter` is the standard deviation that is assumed at first, in s.
    package init(scatter: Double) {
        variances = [Double](repeating: scatter * scatter, count: Self.constants.count)
        newShares = [Double](repeating: 0, count: Self.constants.count)
        (constant, variance) = (Self.constants[0], scatter * scatter)
    }

    /// How much of an error is left after `dt` seconds.
    package func likeness(after dt: Double) -> Double { exp(-dt / constant) }

    /// The variance of what an estimate adds to the last one, `dt` seconds before.
    package func variance(after dt: Double) -> Double { variance * (1 - likeness(after: 2 * dt)) }

    /// Learns from an error and the one `dt` seconds before.
    package mutating func learn(from error: Double, after last: Double, _ dt: Double) {
        count += 1
        let weight = max(1 / Double(count + Self.first), min(dt / Self.memory, 1))
        for (index, constant) in Self.constants.enumerated() {
            let kept = exp(-dt / constant)
            let share = 1 - kept * kept
            let new = error - kept * last
            let most = Self.clip * Self.clip * variances[index]
            variances[index] += weight * (min(new * new / share, most) - variances[index])
            newShares[index] += weight * (log(share) - newShares[index])
        }
        choose()
    }

    /// Finds the likeliest time constant: the least of a parabola through the costs of three.
    private mutating func choose() {
        let costs = zip(variances, newShares).map { log($0) + $1 }
        guard let best = costs.indices.min(by: { costs[$0] < costs[$1] }) else { return }
        var (moved, other) = (0.0, best)
        if best > 0, best + 1 < costs.count {
            let (shorter, longer) = (costs[best - 1] - costs[best], costs[best + 1] - costs[best])
            if shorter + longer > 0 { moved = min(max((shorter - longer) / (shorter + longer) / 2, -0.5), 0.5) }
            other = moved > 0 ? best + 1 : best - 1
        }
        constant = Self.caution * Self.constants[best] * exp2(moved)
        variance = Self.caution * variances[best] * pow(variances[other] / variances[best], abs(moved))
    }
}
