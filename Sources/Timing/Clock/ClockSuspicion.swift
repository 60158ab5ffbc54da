/// The suspicion that a clock has turned: that its rate has changed, or that it has slipped, so that it is now ahead of
/// its filter, or behind. To a filter, a crystal that changes and a CLOCK_MONOTONIC that NTP slews are the same.
///
/// This is the cumulative sum of Page (Biometrika 41, 1954): it grows with errors above `slack` standard deviations on
/// one side, shrinks with all others, and proves a turn above `proof`. The last time that it was zero is the likeliest
/// moment of the turn. From that moment on, a rival of the filter runs beside it, and allows for the turn. It has learned
/// none of these errors as scatter, and takes the filter's place once the turn is proven.
struct ClockSuspicion: Sendable, Equatable {
    /// The sign of the errors: 1 if the clock is ahead of the filter.
    private let side: Double
    private var sum = 0.0
    private(set) var rival: ClockFilter?
    /// The rival's states before each of its observations.
    private(set) var past = ClockPast()

    /// In standard deviations of an observation. One counts for `most` at most: it takes three to prove a turn.
    private static let (slack, most, proof) = (1.0, 4.0, 8.0)

    init(side: Double) { self.side = side }

    /// Takes in an observation, before the filter does. Returns whether the turn is proven.
    mutating func observe(_ observation: ClockObservation, _ filter: ClockFilter) -> Bool {
        // The rival knows the scatter better: the filter has taken errors of a turn for scatter.
        let scatter = (rival ?? filter).scatter
        let variance = filter.variance(at: observation.time) + scatter.variance(of: observation)
        let errors = side * filter.error(of: observation) / variance.squareRoot()
        sum += min(errors, Self.most) - Self.slack
        guard sum > 0 else {
            drop()
            return false
        }
        var other = rival ?? filter
        if rival == nil { other.allowTurn(observation) }
        past.append(other, observation)
        other.observe(observation)
        rival = other
        return sum > Self.proof
    }

    mutating func drop() { self = ClockSuspicion(side: side) }
}
