internal import Languages
internal import Scores

/// A value as it is typed into a row of the calculator, and the units that it chooses.
///
/// Without a unit, it is in the unit of its row. Digits without a colon are a time from its end: `930` is 9:30, and
/// `0002500` is 25:00. With a unit, such as `10k`, `9:30/mi`, `930/mi` or `half`, that becomes the unit of the row.
struct TypedQuantity {
    let value: RunQuantity
    private(set) var distanceUnit: DistanceUnit
    private(set) var paceUnit: PaceUnit

    /// Reads the text of a row. Errors: not a value of this row, or out of its range.
    init(
        _ text: String, _ row: Run.Quantity, _ distanceUnit: DistanceUnit, _ paceUnit: PaceUnit
    ) throws(Problem) {
        (self.distanceUnit, self.paceUnit) = (distanceUnit, paceUnit)
        let typed = text.lowercased().drop { $0 == " " }
        // In a row there is one value, so a comma is a decimal sign, if it does not separate thousands.
        let parts = typed.prefix { $0.isASCII && $0.isNumber || ".,:".contains($0) }.split(
            separator: ",", omittingEmptySubsequences: false)
        if parts.count == 2, parts[1].count == 3, parts.joined().allSatisfy(\.isNumber) {
            throw TextCursor.thousands(parts.joined(separator: ","), 0..<text.utf8.count)
        }
        let text = String(typed).replacing(",", with: ".")
        let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == "." || $0 == ":") }
        let unit = text.dropFirst(number.count).filter { $0 != " " }
        if !unit.isEmpty {
            // 930/mi is 9:30/mi.
            let isDigits = row == .pace && unit.hasPrefix("/") && !number.isEmpty && !number.contains(":")
            let written = isDigits ? try TypedQuantity.clock(String(number)).clock + unit : text
            var scanner = TextCursor(commented: Array(written.utf8))
            let found = try scanner.quantity()
            guard found.value.quantity == row, scanner.next == nil else {
                throw Problem(found.range, row.says.isNot, hint: TypedQuantity.example(row))
            }
            value = found.value
            if row == .distance { self.distanceUnit = DistanceUnit.named[String(unit)] ?? distanceUnit }
            if row == .pace { self.paceUnit = TypedQuantity.paceUnits[String(unit)] ?? paceUnit }
            return
        }
        switch row {
        case .distance: value = .distance(Distance(try TypedQuantity.decimal(text, row), distanceUnit))
        case .time: value = .time(try TypedQuantity.clock(text))
        case .pace:
            if paceUnit.isPace {
                let time = try TypedQuantity.clock(text)
                guard time > .zero else {
                    throw Problem(0..<text.utf8.count, localized("a pace must be more than 0:00"))
                }
                value = .pace(Pace(time, per: paceUnit == .perMile ? .miles : .kilometers))
            } else {
                value = .pace(Pace(try TypedQuantity.decimal(text, row), paceUnit))
            }
        }
    }

    private static let paceUnits: [String: PaceUnit] = [
        "/km": .perKilometer, "/k": .perKilometer, "min/km": .perKilometer, "/mi": .perMile, "/mile": .perMile,
        "min/mi": .perMile, "km/h": .kilometersPerHour, "kmh": .kilometersPerHour, "kph": .kilometersPerHour,
        "mph": .milesPerHour, "mi/h": .milesPerHour, "m/s": .metersPerSecond,
    ]

    private static func example(_ row: Run.Quantity) -> String {
        switch row {
        case .distance: localized("for example 10k, 26.2mi or half")
        case .time: localized("for example 2500 or 25:00")
        case .pace: localized("for example 930, 9:30/mi or 12 km/h")
        }
    }

    private static func decimal(_ text: String, _ row: Run.Quantity) throws(Problem) -> Double {
        guard !text.contains(":"), text.contains(where: \.isNumber), let value = Double(text), value.isFinite, value > 0
        else {
            throw Problem(0..<text.utf8.count, row.isNot(TextError.shown(text)), hint: example(row))
        }
        return value
    }

    /// Reads `9:30`, or the digits `930`, whose last two are seconds and the two before them minutes.
    private static func clock(_ text: String) throws(Problem) -> Duration {
        if text.contains(":") { return try Duration(runText: text) }
        let range = 0..<text.utf8.count
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard let digits = parts.first, parts.count <= 2, text.contains(where: \.isNumber), digits.count <= 9,
            let all = Int(digits.isEmpty ? "0" : digits)
        else { throw Problem(range, Run.Quantity.time.isNot(TextError.shown(text)), hint: example(.time)) }
        let (hours, minutes, seconds) = (all / 10_000, all / 100 % 100, all % 100)
        // The first number that is not zero may be more than 59: 90 is a minute and a half.
        guard seconds < 60 || all < 100, minutes < 60 || all < 10_000 else {
            throw Problem(
                range, localized("minutes and seconds after a larger number must be 0 to 59"), hint: example(.time))
        }
        var time = Duration.seconds(hours * 3600 + minutes * 60 + seconds)
        if parts.count == 2, !parts[1].isEmpty {
            do throws(TextError) { time += try Duration(scoreText: "0." + parts[1] + "s", as: .time) } catch {
                if parts[1].contains(where: { $0 != "0" }) { throw Problem(range, error) }
            }
        }
        return time
    }
}
