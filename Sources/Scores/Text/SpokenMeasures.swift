package import Languages

/// A unit of distances.
public enum DistanceUnit: String, Sendable, CaseIterable {
    /// Meters.
    case meters = "m"
    /// Kilometers.
    case kilometers = "km"
    /// International miles.
    case miles = "mi"

    /// One unit in meters. A mile is 1609.344 m exactly (international yard and pound agreement, 1959).
    public var meters: Double {
        switch self {
        case .meters: 1
        case .kilometers: 1000
        case .miles: 1609.344
        }
    }

    /// The unit of a runner who counts in miles, or else in kilometers.
    fileprivate init(inMiles: Bool) { self = inMiles ? .miles : .kilometers }
}

/// Distances, paces and speeds in words that a voice can read.
extension Language {
    /// A number of units as spoken: "400 meters", "1,5 Kilometer". `number` has a decimal point.
    package func count(_ number: String, _ unit: DistanceUnit) -> String {
        let (shown, isOne) = (withComma(number), number == "1")
        return switch unit {
        case .meters: isOne ? spoken("1 meter") : spoken("\(shown) meters")
        case .kilometers: isOne ? spoken("1 kilometer") : spoken("\(shown) kilometers")
        case .miles: isOne ? spoken("1 mile") : spoken("\(shown) miles")
        }
    }

    /// A distance so far: "350 meters so far", "3.4 kilometers so far"; with tenths.
    package func soFar(meters: Double, inMiles: Bool) -> String {
        let meters = meters.isFinite ? meters : 0
        let isShort = !inMiles && meters < 999.5
        let unit = DistanceUnit(inMiles: inMiles)
        let distance =
            isShort
            ? count("\(Int(max(meters, 0).rounded()))", .meters) : count(Language.tenths(meters / unit.meters), unit)
        return spoken("\(distance) so far")
    }

    /// A pace: "5 minutes 30 per kilometer"; nil if it is a day or more.
    package func pace(metersPerSecond: Double, inMiles: Bool) -> String? {
        let exact = DistanceUnit(inMiles: inMiles).meters / metersPerSecond
        guard exact > 0, exact < 86_400 else { return nil }
        let all = Int((exact + 1e-6).rounded())
        // As runners say it, without the word for seconds: "5 minutes 30", but "5 minutes 5 seconds".
        let isShort = (60..<3600).contains(all) && all % 60 >= 10
        let time = isShort ? words(.seconds(all - all % 60)) + " \(all % 60)" : words(.seconds(all))
        return inMiles ? spoken("\(time) per mile") : spoken("\(time) per kilometer")
    }

    /// A speed as a treadmill shows it: "10.9 kilometers per hour", "6.2 miles per hour".
    package func speed(metersPerSecond: Double, inMiles: Bool) -> String {
        let unit = DistanceUnit(inMiles: inMiles)
        return spoken("\(count(Language.tenths(metersPerSecond * 3600 / unit.meters), unit)) per hour")
    }

    /// Says that everything is done.
    package var finished: String { spoken("finished") }

    private static func tenths(_ value: Double) -> String {
        let tenths = value.isFinite ? Int((min(max(value, 0), 1e12) * 10 + 1e-6).rounded()) : 0
        return "\(tenths / 10)" + (tenths % 10 == 0 ? "" : ".\(tenths % 10)")
    }
}
