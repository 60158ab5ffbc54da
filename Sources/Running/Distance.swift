public import Scores

/// A distance: stored in meters, whatever unit it is read or shown in.
public struct Distance: Sendable, Hashable {
    /// The length in meters.
    public var meters: Double
    /// The unit in which it was written, to write it back so; nil if nobody wrote it. It does not count in comparisons.
    var written: DistanceUnit?

    /// The longest distance of a text or run: 100 000 km.
    public static let limit = Distance(meters: 100_000_000)
    /// The shortest distance: 1 mm.
    public static let least = Distance(meters: 0.001)

    /// Makes a distance from meters.
    public init(meters: Double) { self.meters = meters }

    /// Makes a distance from a number of units.
    public init(_ count: Double, _ unit: DistanceUnit) { meters = count * unit.meters }

    init(written count: Double, _ unit: DistanceUnit) {
        self.init(count, unit)
        written = unit
    }

    /// The marathon, 42 195 m (World Athletics, Technical Rules, rule 55).
    public static let marathon = Distance(meters: 42_195)
    /// The half marathon, 21 097.5 m.
    public static let halfMarathon = Distance(meters: 21_097.5)
    /// No distance.
    public static let zero = Distance(meters: 0)

    /// Whether two distances have the same length.
    public static func == (a: Distance, b: Distance) -> Bool { a.meters == b.meters }

    /// Hashes the length.
    public func hash(into hasher: inout Hasher) { hasher.combine(meters) }

    /// The distance in a unit.
    public func count(in unit: DistanceUnit) -> Double { meters / unit.meters }

    /// Whether it is in the range of runs and intervals: finite, 1 mm to 100 000 km.
    public var isValid: Bool { (Distance.least.meters...Distance.limit.meters).contains(meters) }
}

extension Distance: Comparable {
    /// Whether one distance is shorter than the other.
    public static func < (a: Distance, b: Distance) -> Bool { a.meters < b.meters }

    /// The sum of two distances.
    public static func + (a: Distance, b: Distance) -> Distance { Distance(meters: a.meters + b.meters) }

    /// The difference of two distances; negative if the second is longer.
    public static func - (a: Distance, b: Distance) -> Distance { Distance(meters: a.meters - b.meters) }

    /// A multiple of a distance.
    public static func * (distance: Distance, factor: Double) -> Distance {
        Distance(meters: distance.meters * factor)
    }

    /// The ratio of two distances.
    public static func / (a: Distance, b: Distance) -> Double { a.meters / b.meters }
}

extension DistanceUnit {
    /// How many decimals a distance has that is shown in this unit.
    var decimals: Int { self == .meters ? 0 : 3 }

    /// One unit as a distance.
    public var distance: Distance { Distance(meters: meters) }

    /// The unit of paces of a runner who uses this unit: per mile, or else per kilometer.
    package var paceUnit: PaceUnit { self == .miles ? .perMile : .perKilometer }
}
