/// How fast a score is played: at 100 % as written; at 50 % a bar of 3 s lasts 6 s. Exact to a millionth.
public struct Speed: Sendable, Hashable {
    /// Millionths of the written speed: 1 000 000 is 100 %.
    public let millionths: Int64

    /// As written, 100 %.
    public static let asWritten = Speed(unchecked: 1_000_000)
    /// The valid range, in millionths: 5 % to 1000 %.
    public static let range: ClosedRange<Int64> = 50_000...10_000_000

    private init(unchecked millionths: Int64) { self.millionths = millionths }

    /// Makes a speed; nil outside 5 % to 1000 %.
    public init?(millionths: Int64) {
        guard Speed.range.contains(millionths) else { return nil }
        self.millionths = millionths
    }

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
        let product = Int64(Speed.scaled(Int128(millionths), by: Int128(other.millionths), over: 1_000_000))
        return Speed(unchecked: min(max(product, Speed.range.lowerBound), Speed.range.upperBound))
    }

    /// How long `duration` of the score lasts at this speed, to the nearest attosecond.
    public func realDuration(of duration: Duration) -> Duration {
        Duration(attoseconds: Speed.scaled(duration.attoseconds, by: 1_000_000, over: Int128(millionths)))
    }

    /// How much of the score passes in `duration` at this speed, to the nearest attosecond.
    public func scoreDuration(of duration: Duration) -> Duration {
        Duration(attoseconds: Speed.scaled(duration.attoseconds, by: Int128(millionths), over: 1_000_000))
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
