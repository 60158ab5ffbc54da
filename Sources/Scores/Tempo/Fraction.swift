/// An exact positive number as a fraction in lowest terms, for note values, meters and tempos.
public struct Fraction: Sendable, Hashable, Comparable {
    /// The number above the line; more than zero.
    public let numerator: Int64
    /// The number below the line; more than zero.
    public let denominator: Int64

    /// One.
    public static let one = Fraction(1)

    /// Makes a fraction of two positive numbers, in lowest terms. A number below 1 counts as 1.
    public init(_ numerator: Int64, _ denominator: Int64 = 1) {
        self.init(nearest: Int128(max(numerator, 1)), Int128(max(denominator, 1)))
    }

    /// A quotient of two positive numbers in lowest terms; if these do not fit into 63 bits, a close approximation, accurate to 18 digits.
    package init(nearest numerator: Int128, _ denominator: Int128) {
        // Most terms fit into 64 bits, and dividing those is several times faster.
        if let above = Int64(exactly: numerator), let below = Int64(exactly: denominator) {
            let divisor = below == 0 ? above : Self.greatestDivisor(below, above % below)
            (self.numerator, self.denominator) = (above / divisor, below / divisor)
            return
        }
        var (a, b) = (numerator, denominator)
        while b > Int128(Int64.max) { (a, b) = (b, a % b) }
        if b != 0 { a = Int128(Self.greatestDivisor(Int64(b), Int64(a % b))) }
        var (above, below) = (numerator / a, denominator / a)
        while max(above, below) > Int128(Int64.max) { (above, below) = (above / 2 + above % 2, below / 2 + below % 2) }
        self.numerator = Int64(above)
        self.denominator = Int64(below)
    }

    /// The greatest number that divides both.
    private static func greatestDivisor(_ a: Int64, _ b: Int64) -> Int64 {
        var (a, b) = (a, b)
        while b != 0 { (a, b) = (b, a % b) }
        return a
    }

    /// The product; exact as long as both terms fit into 63 bits.
    public static func * (a: Fraction, b: Fraction) -> Fraction {
        Fraction(nearest: Int128(a.numerator) * Int128(b.numerator), Int128(a.denominator) * Int128(b.denominator))
    }

    /// The quotient; exact as long as both terms fit into 63 bits.
    public static func / (a: Fraction, b: Fraction) -> Fraction {
        Fraction(nearest: Int128(a.numerator) * Int128(b.denominator), Int128(a.denominator) * Int128(b.numerator))
    }

    /// The sum; exact as long as both terms fit into 63 bits.
    public static func + (a: Fraction, b: Fraction) -> Fraction {
        let (left, overflow) = (Int128(a.numerator) * Int128(b.denominator))
            .addingReportingOverflow(Int128(b.numerator) * Int128(a.denominator))
        let below = Int128(a.denominator) * Int128(b.denominator)
        return overflow ? Fraction(nearest: Int128.max / 2, below / 2) : Fraction(nearest: left, below)
    }

    /// The difference; nil unless it is more than zero.
    package static func - (a: Fraction, b: Fraction) -> Fraction? {
        let (left, right) = (Int128(a.numerator) * Int128(b.denominator), Int128(b.numerator) * Int128(a.denominator))
        guard left > right else { return nil }
        return Fraction(nearest: left - right, Int128(a.denominator) * Int128(b.denominator))
    }

    /// Smaller numbers first.
    public static func < (a: Fraction, b: Fraction) -> Bool {
        Int128(a.numerator) * Int128(b.denominator) < Int128(b.numerator) * Int128(a.denominator)
    }

    /// The nearest Double.
    public var value: Double { Double(numerator) / Double(denominator) }

    /// The number rounded down to a whole number.
    public var floor: Int64 { numerator / denominator }

    /// A duration of this many seconds, to the nearest attosecond; at most a million times a million seconds.
    package var seconds: Duration {
        let (whole, rest) = numerator.quotientAndRemainder(dividingBy: denominator)
        let scaled = Int128(rest) * 1_000_000_000_000_000_000
        let (part, remainder) = scaled.quotientAndRemainder(dividingBy: Int128(denominator))
        let fraction = Int64(2 * remainder >= Int128(denominator) ? part + 1 : part)
        return .seconds(whole) + Duration(secondsComponent: 0, attosecondsComponent: fraction)
    }
}
