public import Scores

/// A pace or speed: stored in meters per second, shown as a pace (time per kilometer or mile) or as a speed.
public struct Pace: Sendable, Hashable {
    /// The speed in meters per second.
    public var metersPerSecond: Double
    /// The unit in which it was written, to write it back so; nil if nobody wrote it. It does not count in comparisons.
    var written: PaceUnit?

    /// The speeds that a run or an interval can have: 1 mm/s to 100 m/s.
    public static let range = 0.001...100.0

    /// Makes a pace from meters per second.
    public init(metersPerSecond: Double) { self.metersPerSecond = metersPerSecond }

    /// Makes the pace that covers a distance in a time; the time must not be zero.
    public init(_ distance: Distance, in time: Duration) { metersPerSecond = distance.meters / time.inSeconds }

    /// Makes a pace from the time for one unit, such as 5:00 per kilometer; the time must not be zero.
    public init(_ time: Duration, per unit: DistanceUnit) { self.init(unit.distance, in: time) }

    /// Makes a pace from a value in a unit: seconds for a pace, the number itself for a speed. Must not be zero.
    public init(_ value: Double, _ unit: PaceUnit) {
        metersPerSecond = unit.isPace ? unit.meters / value : value * unit.meters / unit.seconds
    }

    init(written value: Double, _ unit: PaceUnit) {
        self.init(value, unit)
        written = unit
    }

    /// Whether two paces are equally fast.
    public static func == (a: Pace, b: Pace) -> Bool { a.metersPerSecond == b.metersPerSecond }

    /// Hashes the speed.
    public func hash(into hasher: inout Hasher) { hasher.combine(metersPerSecond) }

    /// Its value in a unit: seconds for a pace, the number itself for a speed.
    public func value(in unit: PaceUnit) -> Double {
        unit.isPace ? unit.meters / metersPerSecond : metersPerSecond * unit.seconds / unit.meters
    }

    /// The time for one unit of distance.
    public func time(per unit: DistanceUnit) -> Duration { time(for: unit.distance) }

    /// The time for a distance, at most 2⁵⁸ s.
    public func time(for distance: Distance) -> Duration { Duration(inSeconds: distance.meters / metersPerSecond) }

    /// The distance covered in a time.
    public func distance(in time: Duration) -> Distance { Distance(meters: metersPerSecond * time.inSeconds) }

    /// Whether it is in the range of runs and intervals: finite, 1 mm/s to 100 m/s.
    public var isValid: Bool { Pace.range.contains(metersPerSecond) }
}

/// A unit of paces and speeds in texts.
public enum PaceUnit: String, Sendable, CaseIterable {
    /// Minutes per kilometer.
    case perKilometer = "min/km"
    /// Minutes per mile.
    case perMile = "min/mi"
    /// Kilometers per hour.
    case kilometersPerHour = "km/h"
    /// Miles per hour.
    case milesPerHour = "mph"
    /// Meters per second.
    case metersPerSecond = "m/s"

    /// Whether its value is a time per distance, which is smaller if one is faster.
    public var isPace: Bool { self == .perKilometer || self == .perMile }

    /// The distance in its name, in meters.
    var meters: Double {
        switch self {
        case .perKilometer, .kilometersPerHour: DistanceUnit.kilometers.meters
        case .perMile, .milesPerHour: DistanceUnit.miles.meters
        case .metersPerSecond: 1
        }
    }

    /// The time in its name, in seconds; 1 for a pace, whose value is in seconds.
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

    /// Makes a duration from seconds, clamped to ±2⁵⁸ s; a value that is not finite becomes one of these limits.
    public init(inSeconds seconds: Double) {
        let limit = 288_230_376_151_711_744.0
        self = .seconds(seconds.isFinite ? min(max(seconds, -limit), limit) : (seconds < 0 ? -limit : limit))
    }
}
