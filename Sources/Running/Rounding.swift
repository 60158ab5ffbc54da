public import Scores

/// The rounding of every number of a run: to nearest, halves away from zero.
///
/// A value within a millionth of a half counts as a half, so that 0.1 + 0.2 rounds like 0.3.
package enum Rounding {
    /// A value as a whole number of units of its last decimal, clamped to what a Double can hold exactly.
    package static func units(_ value: Double, decimals: Int) -> Int64 {
        let scaled = value * pow10(clamped(decimals))
        guard scaled.isFinite else { return 0 }
        let magnitude = min(scaled.magnitude, 9e15)
        let whole = magnitude.rounded(.down)
        let rounded = magnitude - whole >= 0.5 - 1e-6 ? whole + 1 : whole
        return Int64(scaled < 0 ? -rounded : rounded)
    }

    /// `decimals`, clamped to 0 ... 9.
    package static func clamped(_ decimals: Int) -> Int { min(max(decimals, 0), 9) }

    package static func pow10(_ exponent: Int) -> Double { (0..<exponent).reduce(1) { value, _ in value * 10 } }

    /// A value with exactly `decimals` decimals.
    package static func fixed(_ value: Double, decimals: Int) -> String {
        let decimals = clamped(decimals)
        let units = units(value, decimals: decimals)
        let sign = units < 0 ? "-" : ""
        guard decimals > 0 else { return sign + "\(units.magnitude)" }
        let unit = UInt64(pow10(decimals))
        let (whole, fraction) = units.magnitude.quotientAndRemainder(dividingBy: unit)
        let digits = "\(fraction)"
        return sign + "\(whole)." + String(repeating: "0", count: decimals - digits.count) + digits
    }

    /// A value with at most `decimals` decimals, without trailing zeros.
    package static func short(_ value: Double, decimals: Int) -> String {
        withoutZeros(fixed(value, decimals: decimals))
    }

    /// A number or a clock without the zeros at the end of its decimals.
    package static func withoutZeros(_ text: String) -> String {
        guard text.contains(".") else { return text }
        let short = text[...(text.utf8.lastIndex { $0 != UInt8(ascii: "0") } ?? text.startIndex)]
        return String(short.last == "." ? short.dropLast() : short)
    }

    /// Seconds as a clock with exactly `decimals` decimals.
    package static func clock(_ seconds: Double, decimals: Int) -> String {
        let decimals = clamped(decimals)
        let units = units(seconds, decimals: decimals)
        let unit = Int64(pow10(decimals))
        let (whole, fraction) = units.quotientAndRemainder(dividingBy: unit)
        let exact = Duration.seconds(whole) + .seconds(fraction) / Double(unit)
        return exact.clock(decimals: decimals)
    }
}

extension Distance {
    /// The distance in a unit with at most `decimals` decimals, such as "26.2 mi".
    public func text(in unit: DistanceUnit, decimals: Int? = nil) -> String {
        Rounding.short(count(in: unit), decimals: decimals ?? unit.decimals) + " " + unit.rawValue
    }

    /// The distance in the unit in which it was probably written, such as "400 m"; if it is round in none, in `unit`.
    public func writtenText(in unit: DistanceUnit) -> String {
        for written in DistanceUnit.allCases
        where exactText == Rounding.short(count(in: written), decimals: 3) + written.rawValue {
            return text(in: written)
        }
        return text(in: unit)
    }

    /// The text in the unit in which it was written, or else the shortest one, that reads back as the same distance.
    public var exactText: String {
        func text(in unit: DistanceUnit) -> String? {
            let short = Rounding.short(count(in: unit), decimals: 6)
            return Double(short).map { Distance($0, unit) } == self ? short + unit.rawValue : nil
        }
        return written.flatMap(text)
            ?? DistanceUnit.allCases.compactMap(text).min { ($0.utf8.count, $0) < ($1.utf8.count, $1) }
            ?? "\(meters.plainText)m"
    }
}

extension Pace {
    /// The pace in a unit: minutes and seconds for a pace, two decimals for a speed; with the unit's name.
    public func text(in unit: PaceUnit, decimals: Int? = nil) -> String {
        guard unit.isPace else { return Rounding.short(value(in: unit), decimals: decimals ?? 2) + " " + unit.rawValue }
        let suffix = unit == .perKilometer ? "/km" : "/mi"
        return Rounding.clock(value(in: unit), decimals: decimals ?? 0) + " " + suffix
    }

    /// The pace with tenths of seconds, if there are any: a runner who rounds them away misses a goal.
    public func goalText(in unit: PaceUnit) -> String {
        text(in: unit, decimals: unit.isPace ? 1 : 2).replacing(".0 /", with: " /")
    }

    /// A text that reads back as the same pace to within 10⁻¹², if it can in the unit in which it was written.
    public var exactText: String { exactText(per: .kilometers) }

    /// The same; a pace that is round in no unit is written per `preferred`, with as many decimals as it needs.
    package func exactText(per preferred: DistanceUnit) -> String {
        let units: [PaceUnit] = [.perKilometer, .perMile, .kilometersPerHour, .milesPerHour]
        if let written, let text = roundText(in: written) ?? longText(in: written) { return text }
        for unit in units {
            if let text = roundText(in: unit) { return text }
        }
        return longText(in: preferred.paceUnit) ?? metersPerSecond.plainText + "m/s"
    }

    /// The pace in a unit of paces, with as many decimals as it needs; nil if twelve are too few.
    private func longText(in unit: PaceUnit) -> String? {
        guard unit.isPace else { return nil }
        let distance = unit == .perMile ? DistanceUnit.miles : .kilometers
        let clock = time(per: distance).clock(decimals: 12)
        return isSame(clock, per: distance) ? Rounding.withoutZeros(clock) + "/" + distance.rawValue : nil
    }

    /// The pace in a unit in which it has few decimals; nil if it has many.
    private func roundText(in unit: PaceUnit) -> String? {
        guard unit.isPace else {
            let short = Rounding.short(value(in: unit), decimals: 3)
            return Double(short).map { $0 > 0 && isSame(Pace($0, unit)) } == true ? short + unit.rawValue : nil
        }
        let distance = unit == .perMile ? DistanceUnit.miles : .kilometers
        let clocks = [0, 1].map { Rounding.clock(value(in: unit), decimals: $0) }
        return clocks.first { isSame($0, per: distance) }.map { $0 + "/" + distance.rawValue }
    }

    private func isSame(_ pace: Pace) -> Bool { (pace.metersPerSecond / metersPerSecond - 1).magnitude < 1e-12 }

    private func isSame(_ clock: String, per unit: DistanceUnit) -> Bool {
        guard let time = try? Duration(scoreText: clock, as: .time), time > .zero else { return false }
        return isSame(Pace(time, per: unit))
    }
}

extension Duration {
    /// The time as runners write it: m:ss or h:mm:ss, with `decimals` decimals, by the same rounding rule.
    public func runText(decimals: Int = 0) -> String { Rounding.clock(inSeconds, decimals: decimals) }

    /// The same with at most `decimals` decimals, without trailing zeros.
    public func shortText(decimals: Int) -> String {
        Rounding.withoutZeros(runText(decimals: decimals))
    }

    /// A computed time as runners read it: in whole seconds, and with hundredths if it is less than a minute.
    public func shownText() -> String { self < .seconds(60) ? shortText(decimals: 2) : runText() }

    /// With how many decimals the finish of a run is told, wherever it stands: those of a time that was given, at most three; of a
    /// computed one none, and hundredths for sprinters.
    package func finishDecimals(isGiven: Bool) -> Int {
        let exact = shortText(decimals: 3)
        let given = isGiven ? (0...2).first { shortText(decimals: $0) == exact } ?? 3 : 0
        return max(given, self < .seconds(120) ? 2 : 0)
    }

    /// The finish of a run, without trailing zeros: `49:59.6` if that was given, `50:00` if it was computed.
    package func finishText(isGiven: Bool) -> String { shortText(decimals: finishDecimals(isGiven: isGiven)) }
}
