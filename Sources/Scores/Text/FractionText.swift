internal import Languages

extension Fraction {
    /// Reads a positive number: a decimal below a million with at most 12 decimals, or a quotient of two such as `4:3`.
    /// Errors: not a number, zero, or too large; each says which.
    public init(scoreText text: String) throws(TextError) {
        var cursor = TextCursor(text)
        guard let number = try cursor.acceptFraction(), cursor.isAtEnd else {
            throw TextError(
                localized("\(TextError.quoted(text)) is not a number"), hint: localized("for example 8, 8.5 or 4:3"))
        }
        self = number
    }

    /// The number as a score writes it: `8`, `8.5`, `4:3`.
    public var text: String {
        var (rest, twos, fives) = (denominator, 0, 0)
        while rest % 2 == 0 { (rest, twos) = (rest / 2, twos + 1) }
        while rest % 5 == 0 { (rest, fives) = (rest / 5, fives + 1) }
        let decimals = max(twos, fives)
        guard rest == 1, decimals <= 12, floor < Fraction.textLimit else {
            let (above, below) = quotientTexts
            return "\(above):\(below)"
        }
        guard decimals > 0 else { return "\(numerator)" }
        let scale = (0..<decimals).reduce(Int128(1)) { power, _ in power * 10 }
        let (whole, part) = (Int128(numerator) * (scale / Int128(denominator))).quotientAndRemainder(dividingBy: scale)
        return "\(whole).\("\(part)".zeroPadded(to: decimals))"
    }

    /// Numbers in a text must be below this.
    private static let textLimit: Int64 = 1_000_000

    /// Numerator and denominator as texts; if they are too long to be read back, both are divided by a power of ten.
    var quotientTexts: (above: String, below: String) {
        var (decimals, scale) = (0, Int64(1))
        while max(numerator, denominator) / scale >= Fraction.textLimit {
            scale *= 10
            decimals += 1
        }
        func text(_ number: Int64) -> String {
            decimals == 0 ? "\(number)" : "\(number / scale).\("\(number % scale)".zeroPadded(to: decimals))"
        }
        return (text(numerator), text(denominator))
    }

    /// The value of a decimal; nil if it has too many digits or is zero.
    init?(_ decimal: DecimalText) {
        let scale: Int128 = 1_000_000_000_000_000_000
        let scaled = decimal.scaled
        guard decimal.whole < 1_000_000, decimal.decimals <= 12, scaled > 0 else { return nil }
        self.init(Int64(scaled / 1_000_000), Int64(scale / 1_000_000))
    }
}

extension TextCursor {
    /// Reads a positive number or a quotient of two; nil if none comes next.
    mutating func acceptFraction() throws(TextError) -> Fraction? {
        guard let above = try acceptPlainFraction() else { return nil }
        guard accept(":") else { return above }
        guard let below = try acceptPlainFraction() else {
            throw TextError(localized("a number is missing after the ':'"), hint: localized("for example 4:3"))
        }
        return above / below
    }

    /// Reads a tuplet such as `3:2` after blanks; nil if none comes next.
    mutating func acceptTuplet() throws(TextError) -> Fraction? {
        var ahead = self
        ahead.skipBlanks()
        guard let above = try? ahead.acceptPlainFraction(), ahead.accept(":") else { return nil }
        guard let below = try ahead.acceptPlainFraction() else {
            throw TextError(localized("a number is missing after the ':'"), hint: localized("for example 3:2"))
        }
        self = ahead
        return above / below
    }

    private mutating func acceptPlainFraction() throws(TextError) -> Fraction? {
        let digits = acceptDigits()
        guard !digits.isEmpty else { return nil }
        var position = 0
        guard let decimal = try? DecimalText.scan(digits.span, at: &position), decimal.whole < 1_000_000,
            decimal.decimals <= 12
        else { throw TextError(localized("a number must be below 1 000 000, with at most 12 decimals")) }
        guard let number = Fraction(decimal) else { throw TextError(localized("a number here must be more than 0")) }
        return number
    }
}
