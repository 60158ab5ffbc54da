/// Numbers with a fixed count of decimals, as integers in units of the last decimal: exact both ways.
enum FixedText {
    /// `units` of 10^-`decimals` in decimal: "-0.750" for -750 and three decimals.
    static func text(_ units: Int128, decimals: Int) -> String {
        var digits: [UInt8] = []
        digits.reserveCapacity(32)
        var rest = units.magnitude
        for _ in 0..<decimals {
            digits.append(UInt8(ascii: "0") + UInt8(rest % 10))
            rest /= 10
        }
        if decimals > 0 { digits.append(UInt8(ascii: ".")) }
        repeat {
            digits.append(UInt8(ascii: "0") + UInt8(rest % 10))
            rest /= 10
        } while rest > 0
        if units < 0 { digits.append(UInt8(ascii: "-")) }
        return String(decoding: digits.reversed(), as: UTF8.self)
    }

    /// Reads a decimal number as units of 10^-`decimals`, such as -750 for "-0.75" and three decimals; further decimals
    /// are rounded, halves away from zero. Nil if the text is not a number or has more than 18 digits before its point.
    ///
    /// `decimals` is 0 ... 9; a number written without a point has none.
    static func units(_ bytes: Span<UInt8>, decimals: Int) -> Int128? {
        var position = 0
        let isNegative = bytes.count > 0 && bytes[0] == UInt8(ascii: "-")
        if isNegative { position = 1 }
        let whole = digits(bytes, &position, most: 18)
        guard whole.count > 0 else { return nil }
        var (fraction, missing) = (UInt64(0), decimals)
        var roundsUp = false
        if position < bytes.count {
            guard bytes[position] == UInt8(ascii: ".") else { return nil }
            position += 1
            let kept = digits(bytes, &position, most: decimals)
            (fraction, missing) = (kept.value, decimals - kept.count)
            roundsUp = position < bytes.count && bytes[position] >= UInt8(ascii: "5")
            let dropped = digits(bytes, &position, most: nil)
            guard kept.count + dropped.count > 0, position == bytes.count else { return nil }
        }
        for _ in 0..<missing { fraction *= 10 }
        let scale = (0..<decimals).reduce(UInt64(1)) { scale, _ in scale * 10 }
        let units = Int128(whole.value) * Int128(scale) + Int128(fraction) + (roundsUp ? 1 : 0)
        return isNegative ? -units : units
    }

    /// Reads digits, `most` at most; if that is nil, the value is not computed.
    private static func digits(_ bytes: Span<UInt8>, _ position: inout Int, most: Int?) -> (value: UInt64, count: Int) {
        var (value, count) = (UInt64(0), 0)
        while position < bytes.count, count < most ?? .max {
            let digit = bytes[position] &- UInt8(ascii: "0")
            guard digit < 10 else { break }
            if most != nil { value = value * 10 + UInt64(digit) }
            position += 1
            count += 1
        }
        return (value, count)
    }
}

extension Double {
    /// The number with `decimals` decimals (0 ... 9), rounded to nearest, halves away from zero; `signed` puts a "+"
    /// before numbers above zero. A magnitude above 10^18 is shown as 10^18, NaN as "-".
    package func fixed(_ decimals: Int, signed: Bool = false) -> String {
        guard !isNaN else { return "-" }
        let scale = (0..<decimals).reduce(1.0) { scale, _ in scale * 10 }
        let units = Int128((Swift.min(Swift.max(self, -1e18), 1e18) * scale).rounded())
        return (signed && units > 0 ? "+" : "") + FixedText.text(units, decimals: decimals)
    }
}
