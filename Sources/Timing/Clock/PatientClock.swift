/// A clock model that looks for a second before it believes: by then the scatter of the observations is known.
///
/// A pointer that a timer moves in steps of 4 ms is 1.2 ms off at any look. A model that took the first looks for exact ones
/// would be certain of a wrong rate, and would take minutes to learn better. Who has a second's time waits instead.
package struct PatientClock: Sendable, Equatable {
    /// The model; without observations in the first second.
    package private(set) var model: ClockModel
    private let leastNoise: Double
    private var early: [ClockObservation] = []
    private var hasLearnt = false

    /// How long it looks first, in ns, and how many observations are needed to tell a scatter.
    private static let (patience, fewest): (Int64, Int) = (1_000_000_000, 10)

    /// As a `ClockModel` without a known rate. The estimates of a sound server, which wander, are believed at once.
    package init(nominalRate: Int, noise: Double, wanders: Bool) {
        model = ClockModel(nominalRate: nominalRate, noise: noise, wanders: wanders)
        (leastNoise, hasLearnt) = (noise, wanders)
    }

    /// Takes in an observation.
    package mutating func observe(_ observation: ClockObservation) {
        guard !hasLearnt else { return model.observe(observation) }
        if let last = early.last, observation.time <= last.time { return }
        early.append(observation)
        guard let first = early.first, observation.time - first.time >= PatientClock.patience,
            early.count >= PatientClock.fewest
        else { return }
        settle()
    }

    /// Believes what has been observed, even if it is little.
    package mutating func settle() {
        guard !hasLearnt, early.count > 2 else { return }
        hasLearnt = true
        let noise = max(leastNoise, PatientClock.scatter(of: early, rate: Double(model.nominalRate)))
        model = ClockModel(nominalRate: model.nominalRate, noise: noise)
        for observation in early { model.observe(observation) }
        early = []
    }

    /// Forgets the position, after the device was closed or ran over.
    package mutating func restart() {
        early = []
        model.restart()
    }

    /// The standard deviation of observations from the straight line that fits them best, in s.
    private static func scatter(of observations: [ClockObservation], rate: Double) -> Double {
        guard let first = observations.first, observations.count > 2 else { return 0 }
        let points = observations.map { one in
            let time = Double(one.time - first.time) * 1e-9
            return (time: time, error: Double(one.frame - first.frame) / rate - time)
        }
        let count = Double(points.count)
        let (time, error) = (points.reduce(0) { $0 + $1.time } / count, points.reduce(0) { $0 + $1.error } / count)
        let along = points.reduce(0) { $0 + ($1.time - time) * ($1.time - time) }
        let slope = along > 0 ? points.reduce(0) { $0 + ($1.time - time) * ($1.error - error) } / along : 0
        let rest = points.reduce(0) { sum, point in
            let off = point.error - error - slope * (point.time - time)
            return sum + off * off
        }
        return (rest / (count - 2)).squareRoot()
    }
}
