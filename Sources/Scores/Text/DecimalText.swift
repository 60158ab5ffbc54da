/// An unsigned decimal number as written, such as 2.7: exact to 18 decimals.
package struct DecimalText {
    /// The digits before the point, below 10^15.
    package var whole: Int64
    /// The digits after the point in units of 10^-18, below 10^18.
    package var fraction: Int64
    /// The number of digits after the point, 0 ... 18.
    package var decimals: Int

    /// The number in units of 10^-18.
    package var scaled: Int128 { Int128(whole) * 1_000_000_000_000_000_000 + Int128(fraction) }

    /// Reads a number at `position` and moves `position` past it; a point needs digits on both sides.
    package static func scan(_ bytes: Span<UInt8>, at position: inout Int) throws(DurationText.Fault) -> DecimalText {
        let start = position
        var whole: Int64 = 0
        while position < bytes.count, let digit = digit(bytes[position]) {
            guard whole < 100_000_000_000_000 else { throw .tooLarge }
            whole = whole * 10 + digit
            position += 1
        }
        guard position > start else { throw .malformed }
        guard position < bytes.count, bytes[position] == UInt8(ascii: ".") else {
            return DecimalText(whole: whole, fraction: 0, decimals: 0)
        }
        position += 1
        var (fraction, unit, decimals) = (Int64(0), Int64(1_000_000_000_000_000_000), 0)
        while position < bytes.count, let digit = digit(bytes[position]) {
            guard decimals < 18 else { throw .tooManyDecimals }
            unit /= 10
            fraction += digit * unit
            decimals += 1
            position += 1
        }
        guard decimals > 0 else { throw .malformed }
        return DecimalText(whole: whole, fraction: fraction, decimals: decimals)
    }

    package static func digit(_ byte: UInt8) -> Int64? {
        let value = byte &- UInt8(ascii: "0")
        return value < 10 ? Int64(value) : nil
    }
}

extension Double {
    /// The shortest decimal text that reads back as the same number, without an exponent.
    package var plainText: String {
        let text = description
        guard let e = text.firstIndex(of: "e"), let exponent = Int(text[text.index(after: e)...]) else {
            return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
        }
        let sign = text.hasPrefix("-") ? "-" : ""
        let mantissa = text[..<e].drop { $0 == "-" }.split(separator: ".")
        guard let whole = mantissa.first else { return text }
        let digits = whole + (mantissa.count > 1 && mantissa[1] != "0" ? mantissa[1] : "")
        if exponent < 0 { return sign + "0." + String(repeating: "0", count: -exponent - 1) + digits }
        return sign + digits + String(repeating: "0", count: max(0, exponent + 1 - digits.count))
    }

    /// The number rounded to two decimals, for messages; its magnitude must be below 10^15.
    package var roundedText: String { ((self * 100).rounded() / 100).plainText }
}
