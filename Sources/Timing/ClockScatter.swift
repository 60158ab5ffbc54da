/// The scatter of the observations of a clock, as learned from their errors: how far they are off, and how much they tell.
///
/// The errors of a card's own pointer are independent of each other. Those of a sound server's estimate wander: an error
/// that is like the last one tells nothing new. If errors are alike as those of a first-order process, an observation
/// counts for (1 - r) / (1 + r) of an independent one, where r is their correlation. It follows from the mean squared
/// difference of successive errors (von Neumann, Annals of Mathematical Statistics 12, 1941).
package struct ClockScatter: Sendable, Equatable {
    /// The variance of observations, in s², without the steps of a pointer (`blur`).
    private var variance: Double
    /// The mean squared difference of successive errors, in s².
    private var roughness = 0.0
    private var lastError = 0.0
    private let least: Double
    /// The longest time constant with which errors wander, in s; 0 if they are independent.
    package let memory: Double

    /// The standard deviation that is assumed at first, in s.
    private static let first = 100e-6
    /// The least weight of the newest error: after about as many observations as this goes into 1, old ones are forgotten.
    private static let leastWeight = 0.02

    /// `least` is the least standard deviation of an observation, in s.
    package init(least: Double, memory: Double) {
        variance = max(Self.first, least) * max(Self.first, least)
        (self.least, self.memory) = (least, memory)
    }

    /// The variance of an observation, in s². With steps (`blur`), a pointer is seen anywhere within a step.
    package func variance(of observation: ClockObservation) -> Double {
        variance + observation.blur * observation.blur / 12
    }

    /// How much an observation counts that comes `dt` seconds after the last one, as a share of an independent one.
    package func weight(after dt: Double) -> Double {
        guard memory > 0 else { return 1 }
        let learned = roughness < 2 * variance ? roughness / (4 * variance - roughness) : 1
        return max(learned, dt / (dt + 2 * memory))
    }

    /// Learns from an error, of which the state explains the variance `expected`: slow averages, quicker at first.
    package mutating func learn(
        from error: Double, _ observation: ClockObservation, expected: Double, weight: Double, count: Int
    ) {
        let first = 1 / Double(count + 2)
        let explained = max(error * error - expected - observation.blur * observation.blur / 12, 0)
        variance = max(variance + max(first, Self.leastWeight * weight) * (explained - variance), least * least)
        let difference = error - lastError
        roughness += max(first, Self.leastWeight) * (difference * difference - roughness)
        lastError = error
    }
}
