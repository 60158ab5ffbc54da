/// How fast one runs; meters per second inside, shown as a pace (time for a kilometer or mile) or as a speed.
public struct Pace: Sendable, Hashable {
    /// The speed in meters per second.
    public var metersPerSecond: Double

    /// The speeds that a run or an interval can have: 1 mm/s to 100 m/s.
    public static let range = 0.001...100.0

    /// A pace of so many meters per second.
    public init(metersPerSecond: Double) { self.metersPerSecond = metersPerSecond }

    /// The pace that covers a distance in a time; the time is not zero.
    public init(_ distance: Distance, in time: Duration) { metersPerSecond = distance.meters / time.inSeconds }

    /// A time for one of a unit, such as 5:00 for a kilometer; the time is not zero.
    public init(_ time: Duration, per unit: DistanceUnit) { self.init(unit.distance, in: time) }

    /// So many of a unit of pace or speed: seconds for a pace, the number itself for a speed. Not zero.
    public init(_ value: Double, _ unit: PaceUnit) {
        metersPerSecond = unit.isPace ? unit.meters / value : value * unit.meters / unit.seconds
    }

    /// Its value in a unit: seconds for a pace, the number itself for a speed.
    public func value(in unit: PaceUnit) -> Double {
        unit.isPace ? unit.meters / metersPerSecond : metersPerSecond * unit.seconds / unit.meters
    }

    /// How long one of a unit takes.
    public func time(per unit: DistanceUnit) -> Duration { time(for: unit.distance) }

    /// How long a distance takes, at most 2⁵⁸ s.
    public func time(for distance: Distance) -> Duration { Duration(inSeconds: distance.meters / metersPerSecond) }

    /// How far one gets in a time.
    public func distance(in time: Duration) -> Distance { Distance(meters: metersPerSecond * time.inSeconds) }

    /// Whether a run or an interval can have it: finite, 1 mm/s to 100 m/s.
    public var isValid: Bool { Pace.range.contains(metersPerSecond) }
}

/// A unit that paces and speeds are read and shown in.
public enum PaceUnit: String, Sendable, CaseIterable {
    /// Minutes for a kilometer.
    case perKilometer = "min/km"
    /// Minutes for a mile.
    case perMile = "min/mi"
    /// Kilometers an hour.
    case kilometersPerHour = "km/h"
    /// Miles an hour.
    case milesPerHour = "mph"
    /// Meters a second.
    case metersPerSecond = "m/s"

    /// Whether its value is a time for a way, less when one is faster.
    public var isPace: Bool { self == .perKilometer || self == .perMile }

    /// The way it names, in meters.
    var meters: Double {
        switch self {
        case .perKilometer, .kilometersPerHour: DistanceUnit.kilometers.meters
        case .perMile, .milesPerHour: DistanceUnit.miles.meters
        case .metersPerSecond: 1
        }
    }

    /// The time it names, in seconds; for a pace the one that its value counts.
    var seconds: Double {
        switch self {
        case .perKilometer, .perMile, .metersPerSecond: 1
        case .kilometersPerHour, .milesPerHour: 3600
        }
    }
}

extension Duration {
    /// The duration in seconds, to the nearest Double.
    public var inSeconds: Double { self / .seconds(1) }

    /// A duration of so many seconds; what is not finite or beyond 2⁵⁸ s is held at that.
    public init(inSeconds seconds: Double) {
        let limit = 288_230_376_151_711_744.0
        self = .seconds(seconds.isFinite ? min(max(seconds, -limit), limit) : (seconds < 0 ? -limit : limit))
    }
}
