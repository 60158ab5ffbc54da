internal import Scores

/// How fast a person can run, so that a slip such as `10k 5:30` is noticed.
enum FastestRun {
    /// Distances in meters with the times of world records in seconds (World Athletics and IAU, as of 2025).
    private static let records: [(meters: Double, seconds: Double)] = [
        (100, 9.58), (200, 19.19), (400, 43.03), (800, 100.91), (1000, 131.96), (1500, 206), (3000, 437.55),
        (5000, 755.36), (10_000, 1571), (21_097.5, 3450), (42_195, 7235), (100_000, 21_935), (319_614, 86_400),
    ]
    /// The most at any moment, in m/s: the fastest sprinters reach 12.4 m/s.
    private static let sprint = 12.5
    /// How much faster than a record a run may be.
    private static let margin = 1.05

    /// Whether nobody has run a distance this fast, not even nearly. Between records, times grow as a power of distances.
    static func isBeaten(by speed: Double, over distance: Distance) -> Bool {
        let meters = distance.meters
        guard meters >= records[0].meters else { return speed > sprint }
        let after = min(records.firstIndex { $0.meters > meters } ?? records.count, records.count - 1)
        let (a, b) = (records[after - 1], records[after])
        let share = logarithm(meters / a.meters) / logarithm(b.meters / a.meters)
        let (low, high) = (a.meters / a.seconds, b.meters / b.seconds)
        return speed > (low + (high - low) * share) * margin
    }

    /// log₂ of a positive number, near enough to lie between two records.
    private static func logarithm(_ value: Double) -> Double {
        Double(value.exponent) + value.significand - 1
    }
}

extension Run {
    /// Whether nobody has run this fast over this distance.
    package var isFasterThanAnyone: Bool { FastestRun.isBeaten(by: pace.metersPerSecond, over: distance) }
}

extension Splits {
    /// The first split that is faster than anybody has run this distance; nil if there is none.
    package var fasterThanAnyone: Row? {
        rows.first { FastestRun.isBeaten(by: $0.pace.metersPerSecond, over: $0.distance) }
    }
}

extension TextCursor {
    /// What was probably meant by a distance and a time that nobody runs: minutes instead of seconds, or a pace. Nil if
    /// neither makes sense.
    func meantInstead(_ a: Found, _ b: Found) -> String? {
        let (way, other) = if case .distance = a.value { (a, b) } else { (b, a) }
        guard case .distance(let distance) = way.value, case .time(let time) = other.value else { return nil }
        let (shown, clock) = (text(way.range), text(other.range))
        guard clock.allSatisfy({ $0.isNumber || $0 == ":" }), clock.split(separator: ":").count == 2 else { return nil }
        var meant: [(text: String, pace: Pace)] = [("\(shown) in \(clock):00", Pace(distance, in: time * 60))]
        if let unit = DistanceUnit(mentionedIn: shown) {
            meant.append(("\(shown) @ \(clock)/\(unit.rawValue)", Pace(time, per: unit)))
        }
        // Most run near 3 m/s.
        func oddity(_ pace: Pace) -> Double { max(pace.metersPerSecond / 3, 3 / pace.metersPerSecond) }
        let likely = meant.filter { !FastestRun.isBeaten(by: $0.pace.metersPerSecond, over: distance) }
        return likely.min { oddity($0.pace) < oddity($1.pace) }?.text
    }
}
