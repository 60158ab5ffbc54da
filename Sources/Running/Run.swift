internal import Languages
internal import Scores

/// A distance, a time and a pace that belong together: any two give the third, which is locked as the result.
///
/// The three always agree. Setting one of the other two recomputes the result and nothing else.
public struct Run: Sendable, Hashable {
    /// The distance.
    public private(set) var distance: Distance
    /// The time.
    public private(set) var time: Duration
    /// The pace.
    public private(set) var pace: Pace
    /// The one of the three that follows from the other two.
    public private(set) var result: Quantity

    /// The three quantities of a run.
    public enum Quantity: String, Sendable, CaseIterable {
        /// The distance.
        case distance
        /// The time.
        case time
        /// The pace.
        case pace
    }

    /// Makes a run of a distance in a time; the pace is the result. Errors: a value out of range; see `RunError`.
    public init(_ distance: Distance, in time: Duration) throws(RunError) {
        self.init(checked: distance, time, Pace(distance, in: time), .pace)
        try check()
    }

    /// Makes a run of a distance at a pace; the time is the result. Errors: a value out of range; see `RunError`.
    public init(_ distance: Distance, at pace: Pace) throws(RunError) {
        self.init(checked: distance, pace.time(for: distance), pace, .time)
        try check()
    }

    /// Makes a run of a time at a pace; the distance is the result. Errors: a value out of range; see `RunError`.
    public init(_ time: Duration, at pace: Pace) throws(RunError) {
        self.init(checked: pace.distance(in: time), time, pace, .distance)
        try check()
    }

    /// The run with which a calculator begins, a marathon in four hours. Most ask for the time, so that is the result.
    package static var first: Run {
        let time = Duration.seconds(4 * 3600)
        return Run(checked: .marathon, time, Pace(.marathon, in: time), .time)
    }

    private init(checked distance: Distance, _ time: Duration, _ pace: Pace, _ result: Quantity) {
        (self.distance, self.time, self.pace, self.result) = (distance, time, pace, result)
    }

    /// Writes the pace, if nobody wrote it, per this unit.
    mutating func writePace(per unit: DistanceUnit) { pace.written = pace.written ?? unit.paceUnit }

    /// Locks another of the three as the result. No value changes.
    public mutating func lock(_ quantity: Quantity) { result = quantity }

    /// Sets the distance. Errors: it is the result, or a value would be out of range; then nothing changes.
    public mutating func set(_ distance: Distance) throws(RunError) {
        switch result {
        case .distance: throw .isResult(.distance)
        case .time: self = try Run(distance, at: pace)
        case .pace: self = try Run(distance, in: time)
        }
    }

    /// Sets the time. Errors: it is the result, or a value would be out of range; then nothing changes.
    public mutating func set(_ time: Duration) throws(RunError) {
        switch result {
        case .distance: self = try Run(time, at: pace)
        case .time: throw .isResult(.time)
        case .pace: self = try Run(distance, in: time)
        }
    }

    /// Sets the pace. Errors: it is the result, or a value would be out of range; then nothing changes.
    public mutating func set(_ pace: Pace) throws(RunError) {
        switch result {
        case .distance: self = try Run(time, at: pace)
        case .time: self = try Run(distance, at: pace)
        case .pace: throw .isResult(.pace)
        }
    }

    /// Sets one of the three. Errors: as above.
    mutating func set(_ value: RunQuantity) throws(RunError) {
        switch value {
        case .distance(let distance): try set(distance)
        case .time(let time): try set(time)
        case .pace(let pace): try set(pace)
        }
    }

    /// The possible times of a run: up to 10 000 h, as for a score.
    public static let timeRange = Duration.milliseconds(1)...Score.durationLimit

    private func check() throws(RunError) {
        guard distance.isValid else { throw .distance(isResult: result == .distance) }
        guard Run.timeRange.contains(time) else { throw .time(isResult: result == .time) }
        guard pace.isValid else { throw .pace(isResult: result == .pace) }
    }
}

/// The error for three values that are not a run.
public enum RunError: Error, Equatable, CustomStringConvertible {
    /// The distance is not 1 mm to 100 000 km; `isResult` tells whether it follows from the other two.
    case distance(isResult: Bool)
    /// The time is not 1 ms to 10 000 h.
    case time(isResult: Bool)
    /// The pace is not 1 mm/s to 100 m/s.
    case pace(isResult: Bool)
    /// The quantity to be set is the result of the other two.
    case isResult(Run.Quantity)

    /// The error as a phrase without a full stop.
    public var description: String {
        switch self {
        case .distance(isResult: true): localized("the resulting distance is not 1 mm to 100 000 km")
        case .distance(isResult: false): localized("a distance must be 1 mm to 100 000 km")
        case .time(isResult: true): localized("the resulting time is not 1 ms to 10 000 h")
        case .time(isResult: false): localized("a time must be 1 ms to 10 000 h")
        case .pace(isResult: true): localized("the resulting speed is not 0.001 to 100 m/s")
        case .pace(isResult: false): localized("a speed must be 0.001 to 100 m/s")
        case .isResult(.distance):
            localized("the distance is the result of the other two; to set it, lock another one")
        case .isResult(.time): localized("the time is the result of the other two; to set it, lock another one")
        case .isResult(.pace): localized("the pace is the result of the other two; to set it, lock another one")
        }
    }
}
