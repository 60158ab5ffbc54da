/// A length of way; meters inside, whatever unit it was read in or is shown in.
public struct Distance: Sendable, Hashable {
    /// The length in meters.
    public var meters: Double

    /// The longest distance that a text or a run can have: 100 000 km.
    public static let limit = Distance(meters: 100_000_000)
    /// The shortest: 1 mm.
    public static let least = Distance(meters: 0.001)

    /// A distance of so many meters.
    public init(meters: Double) { self.meters = meters }

    /// So many of a unit.
    public init(_ count: Double, _ unit: DistanceUnit) { meters = count * unit.meters }

    /// The marathon, 42 195 m (World Athletics, Technical Rules, rule 55).
    public static let marathon = Distance(meters: 42_195)
    /// The half marathon, 21 097.5 m.
    public static let halfMarathon = Distance(meters: 21_097.5)
    /// Nothing of way.
    public static let zero = Distance(meters: 0)

    /// How many of a unit it is.
    public func count(in unit: DistanceUnit) -> Double { meters / unit.meters }

    /// Whether a run or an interval can have it: finite, 1 mm to 100 000 km.
    public var isValid: Bool { (Distance.least.meters...Distance.limit.meters).contains(meters) }
}

extension Distance: Comparable {
    /// Whether one way is shorter than another.
    public static func < (a: Distance, b: Distance) -> Bool { a.meters < b.meters }

    /// Two ways after each other.
    public static func + (a: Distance, b: Distance) -> Distance { Distance(meters: a.meters + b.meters) }

    /// What is left of one way after another; negative where the other is longer.
    public static func - (a: Distance, b: Distance) -> Distance { Distance(meters: a.meters - b.meters) }

    /// So many times the way.
    public static func * (distance: Distance, factor: Double) -> Distance {
        Distance(meters: distance.meters * factor)
    }

    /// How many times one way goes into another.
    public static func / (a: Distance, b: Distance) -> Double { a.meters / b.meters }
}

/// A unit that distances are read and shown in.
public enum DistanceUnit: String, Sendable, CaseIterable {
    /// Meters.
    case meters = "m"
    /// Kilometers.
    case kilometers = "km"
    /// International miles.
    case miles = "mi"

    /// One of it in meters. A mile is 1609.344 m exactly (international yard and pound agreement, 1959).
    public var meters: Double {
        switch self {
        case .meters: 1
        case .kilometers: 1000
        case .miles: 1609.344
        }
    }

    /// One of it.
    public var distance: Distance { Distance(meters: meters) }
}
