/// The scatter of the observations of a clock that are independent of each other, as learned from their errors.
package struct ClockScatter: Sendable, Equatable {
    /// The variance of observations, in s², without the steps of a pointer (`blur`).
    private var variance: Double
    private let least: Double

    /// The standard deviation that is assumed at first, in s.
    private static let first = 100e-6
    /// The least weight of the newest error: after about as many observations as this goes into 1, old ones are forgotten.
    private static let leastWeight = 0.02

    /// `least` is the least standard deviation of an observation, in s.
    package init(least: Double) {
        variance = max(Self.first, least) * max(Self.first, least)
        self.least = least
    }

    /// The variance of an observation, in s². With steps (`blur`), a pointer is seen anywhere within a step.
    package func variance(of observation: ClockObservation) -> Double {
        variance + observation.blur * observation.blur / 12
    }

    /// Learns from an error, of which the state explains the variance `expected`: a slow average, quicker at first.
    package mutating func learn(from error: Double, _ observation: ClockObservation, expected: Double, count: Int) {
        let first = 1 / Double(count + 2)
        let weight = max(first, Self.leastWeight)
        let explained = max(error * error - expected - observation.blur * observation.blur / 12, 0)
        variance = max(variance + weight * (explained - variance), least * least)
    }
}
