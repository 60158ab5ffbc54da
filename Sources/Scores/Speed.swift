/// How fast a score is played: at 100 % as written; at 50 % a bar of 3 s lasts 6 s. Exact to a millionth, and the
/// steps of a practice program to any fraction of one.
public struct Speed: Sendable, Hashable {
    /// Millionths of the written speed: 1 000 000 is 100 %.
    public let millionths: Int64
    /// The speed exactly, as `part` of `whole`: some ratios of two speeds are no whole millionths.
    private let part, whole: Int64

    /// As written, 100 %.
    public static let asWritten = Speed(unchecked: 1_000_000)
    /// The valid range, in millionths: 5 % to 1000 %.
    public static let range: ClosedRange<Int64> = 50_000...10_000_000

    private init(unchecked millionths: Int64) {
        (self.millionths, part, whole) = (millionths, millionths, Speed.asOne)
    }

    private static let asOne: Int64 = 1_000_000

    /// Makes a speed; nil outside 5 % to 1000 %.
    public init?(millionths: Int64) {
        guard Speed.range.contains(millionths) else { return nil }
        self.init(unchecked: millionths)
    }

    /// The speed that makes `wanted` on top of `other`, exactly; nil outside 5 % to 1000 %.
    package init?(_ wanted: Speed, over other: Speed) {
        let (part, whole) = (wanted.millionths, other.millionths)
        guard Speed.range.lowerBound * whole <= part * Speed.asOne, part * Speed.asOne <= Speed.range.upperBound * whole
        else { return nil }
        let (quotient, remainder) = (part * Speed.asOne).quotientAndRemainder(dividingBy: whole)
        millionths = 2 * remainder < whole ? quotient : quotient + 1
        (self.part, self.whole) = remainder == 0 ? (quotient, Speed.asOne) : (part, whole)
    }

    /// The two speeds whose ratio it is, if it is no whole number of millionths.
    package var ratio: (part: Int64, whole: Int64)? { whole == Speed.asOne ? nil : (part, whole) }

    /// The speed as a factor: 1 as written.
    package var factor: Double { Double(part) / Double(whole) }

    /// The percentage, for display.
    public var percent: Double { Double(millionths) / 10_000 }

    /// The speed plus `points` percentage points, clamped to the range.
    public func adding(percentagePoints points: Int) -> Speed {
        // The range spans less than 1000 points, so that this clamp changes no result.
        let sum = millionths + Int64(min(max(points, -1000), 1000)) * 10_000
        return Speed(unchecked: min(max(sum, Speed.range.lowerBound), Speed.range.upperBound))
    }

    /// This speed on top of another one, to the nearest millionth; clamped to the range.
    public func on(_ other: Speed) -> Speed {
        let (part, whole) = (Int128(part) * Int128(other.part), Int128(whole) * Int128(other.whole))
        let product = Int64(Speed.scaled(part, by: Int128(Speed.asOne), over: whole))
        return Speed(unchecked: min(max(product, Speed.range.lowerBound), Speed.range.upperBound))
    }

    /// How long `duration` of the score lasts at this speed, to the nearest attosecond.
    public func realDuration(of duration: Duration) -> Duration {
        Duration(attoseconds: Speed.scaled(duration.attoseconds, by: Int128(whole), over: Int128(part)))
    }

    /// How much of the score passes in `duration` at this speed, to the nearest attosecond.
    public func scoreDuration(of duration: Duration) -> Duration {
        Duration(attoseconds: Speed.scaled(duration.attoseconds, by: Int128(part), over: Int128(whole)))
    }

    /// value × numerator / denominator, rounded to nearest, halves away from zero.
    private static func scaled(_ value: Int128, by numerator: Int128, over denominator: Int128) -> Int128 {
        // The product fits up to 500 000 years.
        let limit: Int128 = 17_000_000_000_000_000_000_000_000_000_000
        let clamped = min(max(value, -limit), limit)
        let (quotient, remainder) = (clamped * numerator).quotientAndRemainder(dividingBy: denominator)
        guard 2 * remainder.magnitude >= denominator.magnitude else { return quotient }
        return clamped < 0 ? quotient - 1 : quotient + 1
    }
}
