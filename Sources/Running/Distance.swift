/// A length of way; metres inside, whatever unit it was read in or is shown in.
public struct Distance: Sendable, Hashable {
    /// The length in metres.
    public var metres: Double

    /// The longest distance that a text or a run can have: 100 000 km.
    public static let limit = Distance(metres: 100_000_000)
    /// The shortest: 1 mm.
    public static let least = Distance(metres: 0.001)

    /// A distance of so many metres.
    public init(metres: Double) { self.metres = metres }

    /// So many of a unit.
    public init(_ count: Double, _ unit: DistanceUnit) { metres = count * unit.metres }

    /// The marathon, 42 195 m (World Athletics, Technical Rules, rule 55).
    public static let marathon = Distance(metres: 42_195)
    /// The half marathon, 21 097.5 m.
    public static let halfMarathon = Distance(metres: 21_097.5)
    /// Nothing of way.
    public static let zero = Distance(metres: 0)

    /// How many of a unit it is.
    public func count(in unit: DistanceUnit) -> Double { metres / unit.metres }

    /// Whether a run or an interval can have it: finite, 1 mm to 100 000 km.
    public var isValid: Bool { (Distance.least.metres...Distance.limit.metres).contains(metres) }
}

extension Distance: Comparable {
    /// Whether one way is shorter than another.
    public static func < (a: Distance, b: Distance) -> Bool { a.metres < b.metres }

    /// Two ways after each other.
    public static func + (a: Distance, b: Distance) -> Distance { Distance(metres: a.metres + b.metres) }

    /// What is left of one way after another; negative where the other is longer.
    public static func - (a: Distance, b: Distance) -> Distance { Distance(metres: a.metres - b.metres) }

    /// So many times the way.
    public static func * (distance: Distance, factor: Double) -> Distance {
        Distance(metres: distance.metres * factor)
    }

    /// How many times one way goes into another.
    public static func / (a: Distance, b: Distance) -> Double { a.metres / b.metres }
}

/// A unit that distances are read and shown in.
public enum DistanceUnit: String, Sendable, CaseIterable {
    /// Metres.
    case metres = "m"
    /// Kilometres.
    case kilometres = "km"
    /// International miles.
    case miles = "mi"

    /// One of it in metres. A mile is 1609.344 m exactly (international yard and pound agreement, 1959).
    public var metres: Double {
        switch self {
        case .metres: 1
        case .kilometres: 1000
        case .miles: 1609.344
        }
    }

    /// One of it.
    public var distance: Distance { Distance(metres: metres) }
}
