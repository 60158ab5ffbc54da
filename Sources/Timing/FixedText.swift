/// Numbers with a fixed count of decimals, as integers in units of the last decimal: exact both ways.
package enum FixedText {
    /// `units` of 10^-`decimals` in decimal: "-0.750" for -750 and three decimals.
    package static func text(_ units: Int128, decimals: Int) -> String {
        let digits = String(units.magnitude)
        let padded = String(repeating: "0", count: max(decimals + 1 - digits.count, 0)) + digits
        let point = decimals > 0 ? "." : ""
        return (units < 0 ? "-" : "") + padded.dropLast(decimals) + point + padded.suffix(decimals)
    }

    /// Reads a decimal number as units of 10^-`decimals`, such as -750 for "-0.75" and three decimals; further decimals
    /// are rounded, halves away from zero. Nil if the text is not a number or has more than 18 digits before its point.
    ///
    /// `decimals` is 0 ... 9; a number written without a point has none.
    package static func units(_ text: String, decimals: Int) -> Int128? {
        let parts = text.drop { $0 == "-" }.split(separator: ".", omittingEmptySubsequences: false)
        guard text.prefix(2) != "--", parts.count <= 2, parts[0].utf8.count <= 18,
            parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } })
        else { return nil }
        let fraction = parts.count == 2 ? parts[1] : ""
        let kept = fraction.prefix(decimals) + String(repeating: "0", count: max(decimals - fraction.count, 0))
        guard let known = Int128(parts[0] + kept) else { return nil }
        let units = known + (fraction.dropFirst(decimals).first ?? "0" >= "5" ? 1 : 0)
        return text.hasPrefix("-") ? -units : units
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
