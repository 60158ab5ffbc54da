internal import Languages
public import Scores

/// A distance, a time or a pace, as read from a text.
package enum RunQuantity: Equatable {
    case distance(Distance)
    case time(Duration)
    case pace(Pace)

    package var quantity: Run.Quantity {
        switch self {
        case .distance: .distance
        case .time: .time
        case .pace: .pace
        }
    }
}

extension TextCursor {
    /// A quantity and its place.
    package typealias Found = (value: RunQuantity, range: Range<Int>)

    /// Examples of quantities, for a message.
    package static let example = localized("for example 400m, 5k, 26.2mi, 0:30, 25 min, 5:30/km or 6 mph")

    /// Whether a quantity comes next: a digit, or the name of a race.
    package var isAtQuantity: Bool {
        if let next, TextCursor.isDigit(next) { return true }
        return TextCursor.races[text(word()).lowercased()] != nil
    }

    /// Whether the colon that comes next is not a part of a time, as in `at 30:00: "Drink"`.
    private var isLastColon: Bool { position + 1 < bytes.count && " \t\"".utf8.contains(bytes[position + 1]) }

    /// Whether a text to speak comes next: `at` or `every`, and a quantity.
    package var isAtRemark: Bool {
        var ahead = self
        guard ahead.accept(word: "at", "every") else { return false }
        ahead.skipBlanks()
        return ahead.isAtQuantity
    }

    private static let races = [
        "marathon": Distance.marathon, "half-marathon": .halfMarathon, "half": .halfMarathon,
        "mile": Distance(1, .miles),
    ]

    /// Reads a distance, time or pace. Moves the position to its end, or to the fault.
    package mutating func quantity() throws(Problem) -> Found {
        let start = position
        let name = word()
        if let race = TextCursor.races[text(name).lowercased()] {
            position = name.upperBound
            var ahead = self
            ahead.skipBlanks()
            if text(name).lowercased() == "half", ahead.accept(word: "marathon") { position = ahead.position }
            return (.distance(race), start..<position)
        }
        guard let next, TextCursor.isDigit(next) else {
            if let next, next == UInt8(ascii: "-") || bytes[position...].starts(with: "\u{2212}".utf8) {
                throw Problem(
                    token(), localized("a distance, time or pace cannot be negative"), hint: TextCursor.example)
            }
            let token = token()
            throw Problem(
                token,
                token.isEmpty
                    ? localized("expected a distance, time or pace")
                    : localized("expected a distance, time or pace, not \(TextError.shown(text(token)))"),
                hint: TextCursor.example)
        }
        let value = try measured(from: start)
        try check(value, start..<position)
        return (value, start..<position)
    }

    private func check(_ value: RunQuantity, _ range: Range<Int>) throws(Problem) {
        switch value {
        case .distance(let distance) where !distance.isValid:
            throw Problem(range, RunError.distance(isResult: false).description)
        case .time(let time) where !Run.timeRange.contains(time):
            throw Problem(range, RunError.time(isResult: false).description)
        case .pace(let pace) where !pace.isValid:
            throw Problem(range, RunError.pace(isResult: false).description)
        default: break
        }
    }

    private mutating func measured(from start: Int) throws(Problem) -> RunQuantity {
        while let byte = next, TextCursor.isDigit(byte) || byte == UInt8(ascii: ".") || byte == UInt8(ascii: ":") {
            if byte == UInt8(ascii: ":"), isLastColon { break }
            position += 1
        }
        if let end = try endOfDecimals(after: start) { position = end }
        let number = start..<position
        let isClock = bytes[number].contains(UInt8(ascii: ":"))
        let seconds = isClock ? try duration(number) : .zero
        let plain = isClock ? 0 : try decimal(number)
        var ahead = self
        ahead.skipBlanks()
        if ahead.accept("/") || ahead.accept(word: "per") {
            ahead.skipBlanks()
            guard isClock else {
                throw Problem(
                    number, localized("a pace must be in minutes and seconds"),
                    hint: localized("for example 5:30/km or 10:00/mi"))
            }
            position = ahead.position
            return .pace(try pace(seconds, number))
        }
        let unit = ahead.word()
        let unitText = text(unit)
        if isClock {
            if unitText.lowercased() == "min" {
                ahead.position = unit.upperBound
                if ahead.accept("/") {
                    position = ahead.position
                    return .pace(try pace(seconds, number))
                }
            }
            return .time(seconds)
        }
        guard !unit.isEmpty else {
            throw Problem(
                number, localized("\(TextError.shown(text(number))) has no unit"), hint: TextCursor.example)
        }
        position = unit.upperBound
        return try united(plain, number, unit, unitText.lowercased())
    }

    private mutating func united(
        _ value: Double, _ number: Range<Int>, _ unit: Range<Int>, _ name: String
    ) throws(Problem) -> RunQuantity {
        let next = bytes.count > position ? bytes[position] : 0
        if next == UInt8(ascii: "/") {
            let slash = position
            position += 1
            let per = word()
            position = per.upperBound
            switch (name, text(per).lowercased()) {
            case ("km", "h"), ("k", "h"): return .pace(Pace(written: value, .kilometersPerHour))
            case ("mi", "h"): return .pace(Pace(written: value, .milesPerHour))
            case ("m", "s"): return .pace(Pace(written: value, .metersPerSecond))
            case ("min", _):
                position = slash + 1
                return .pace(try pace(Duration(inSeconds: value * 60), number))
            default:
                throw Problem(
                    unit.lowerBound..<max(per.upperBound, slash + 1),
                    localized("\(TextError.shown(text(unit.lowerBound..<position))) is not a unit of pace or speed"),
                    hint: localized("write min/km, min/mi, km/h, mph or m/s"))
            }
        }
        if let unit = DistanceUnit.named[name] { return .distance(Distance(written: value, unit)) }
        switch name {
        case "mph": return .pace(Pace(written: value, .milesPerHour))
        case "kph", "kmh": return .pace(Pace(written: value, .kilometersPerHour))
        case "s", "sec", "secs", "second", "seconds": return .time(try duration(number, unit: "s"))
        case "min", "mins", "minute", "minutes": return .time(try duration(number, unit: "min") + rest(after: 60))
        case "h", "hr", "hrs", "hour", "hours": return .time(try duration(number, unit: "h") + rest(after: 3600))
        default:
            throw Problem(
                unit, localized("\(TextError.shown(text(unit))) is not a unit"),
                hint: localized("write m, km, mi, s, min, h, min/km, min/mi, km/h, mph or m/s"))
        }
    }

    /// Reads the digits that follow hours or minutes directly: `1h30`, `1h30min`, `1min30s`.
    private mutating func rest(after unit: Int) throws(Problem) -> Duration {
        guard let byte = next, TextCursor.isDigit(byte) else { return .zero }
        let start = position
        skipDigits()
        let number = start..<position
        let name = word()
        position = name.upperBound
        switch (unit, text(name).lowercased()) {
        case (3600, ""), (3600, "min"), (3600, "m"):
            return try below60(number, 60) + (name.isEmpty ? .zero : rest(after: 60))
        case (60, ""), (60, "s"), (60, "sec"): return try below60(number, 1)
        default:
            throw Problem(
                number.lowerBound..<position,
                localized("\(TextError.shown(text(number.lowerBound..<position))) does not continue a time"),
                hint: localized("for example 1h30min or 1min30s"))
        }
    }

    private func below60(_ number: Range<Int>, _ seconds: Int) throws(Problem) -> Duration {
        guard let value = Int(text(number)), value < 60 else {
            throw Problem(
                number, localized("minutes or seconds after a larger unit must be 0 to 59"),
                hint: localized("for example 1h30min"))
        }
        return .seconds(value * seconds)
    }

    private mutating func pace(_ time: Duration, _ number: Range<Int>) throws(Problem) -> Pace {
        let name = word()
        position = name.upperBound
        guard time > .zero else { throw Problem(number, localized("a pace must be more than 0:00")) }
        switch text(name).lowercased() {
        case "km", "k": return Pace(written: time.inSeconds, .perKilometer)
        case "mi", "mile": return Pace(written: time.inSeconds, .perMile)
        default:
            throw Problem(
                name.isEmpty ? number.lowerBound..<position : name, localized("a pace must be per kilometer or mile"),
                hint: localized("for example 5:30/km or 10:00/mi"))
        }
    }

    /// The duration that is written at a place.
    package func duration(
        _ range: Range<Int>, unit: String = "", as use: DurationUse = .time
    ) throws(Problem) -> Duration {
        let text = text(range).replacing(",", with: ".")
        do throws(TextError) { return try Duration(scoreText: text + unit, as: use) } catch {
            throw Problem(range, error)
        }
    }

    /// Where the decimals after a comma end, as in `5,5 km`; nil if the comma that comes next, if any, separates parts.
    ///
    /// A number alone has no unit, so a digit after its comma belongs to it. A time is complete, and what follows it may be
    /// the next part: only digits that begin nothing belong to it. Errors: three digits may be thousands.
    private mutating func endOfDecimals(after start: Int) throws(Problem) -> Int? {
        var ahead = self
        guard ahead.accept(","), let digit = ahead.next, TextCursor.isDigit(digit) else { return nil }
        let decimals = ahead.position
        ahead.skipDigits()
        let written = bytes[start..<position]
        guard !written.contains(UInt8(ascii: ".")) else { return nil }
        let end = ahead.position
        if written.contains(UInt8(ascii: ":")) {
            if ahead.next == UInt8(ascii: "/") { return end }
            ahead.skipBlanks()
            return ahead.next.map { ",;)\r\n@".utf8.contains($0) } ?? true ? end : nil
        }
        if let next = ahead.next, ".:".utf8.contains(next) { return nil }
        if let next = ahead.next, "x*(".utf8.contains(next) { return nil }
        guard end - decimals != 3 else {
            let text = text(start..<end)
            position = end
            throw Self.thousands(text, start..<end)
        }
        return end
    }

    /// The question about a number with three digits after a comma.
    static func thousands(_ text: String, _ range: Range<Int>) -> Problem {
        Problem(
            range, localized("\(TextError.shown(text)) may be a decimal number or thousands"),
            hint: localized("write \(text.replacing(",", with: ".")) or \(text.replacing(",", with: "")) with its unit")
        )
    }

    private func decimal(_ range: Range<Int>) throws(Problem) -> Double {
        let text = text(range).replacing(",", with: ".")
        let isWhole = !text.hasSuffix(".") && !text.contains("..")
        guard isWhole, text.utf8.count <= 30, let value = Double(text), value.isFinite else {
            throw Problem(
                range, localized("\(TextError.shown(text)) is not a number"), hint: localized("for example 26.2"))
        }
        return value
    }
}

extension DistanceUnit {
    /// The units by their names in texts.
    static let named: [String: DistanceUnit] = [
        "m": .meters, "meter": .meters, "meters": .meters, "metre": .meters, "metres": .meters,
        "k": .kilometers, "km": .kilometers, "kilometer": .kilometers, "kilometers": .kilometers,
        "kilometre": .kilometers, "kilometres": .kilometers, "mi": .miles, "mile": .miles, "miles": .miles,
    ]

    /// The unit that a text mentions, miles before kilometers; nil if it mentions neither.
    package init?(mentionedIn text: String) {
        let words = text.lowercased().split { !$0.isLetter }
        if words.contains(where: { ["mi", "mile", "miles", "mph"].contains($0) }) {
            self = .miles
        } else if words.contains(where: { $0 == "k" || $0.hasPrefix("km") || $0.hasPrefix("kilomet") || $0 == "kph" }) {
            self = .kilometers
        } else {
            return nil
        }
    }
}

extension Distance {
    /// Reads a distance: `400m`, `5k`, `26.2 mi`, `half` or `marathon`. Errors: not a distance, or not 1 mm to 100 000 km;
    /// each with its place.
    public init(runText text: String) throws(Problem) {
        self = try TextCursor.single(text, .distance) { if case .distance(let distance) = $0 { distance } else { nil } }
    }
}

extension Pace {
    /// Reads a pace or speed: `5:30/km`, `10:00/mi`, `8 min/mi`, `12 km/h`, `6mph`, `3.5 m/s`. Errors: not a pace, or not
    /// 0.001 to 100 m/s; each with its place.
    public init(runText text: String) throws(Problem) {
        self = try TextCursor.single(text, .pace) { if case .pace(let pace) = $0 { pace } else { nil } }
    }
}

extension Duration {
    /// Reads the time of a run: `25:00`, `1:02:03.5`, `90s`, `25 min`, `1h30min`. Errors: not a time, or not 1 ms to
    /// 10 000 h; each with its place.
    public init(runText text: String) throws(Problem) {
        self = try TextCursor.single(text, .time) { if case .time(let time) = $0 { time } else { nil } }
    }
}

extension TextCursor {
    /// Reads a text of one quantity; `value` gives that of the wanted kind.
    fileprivate static func single<Value>(
        _ text: String, _ wanted: Run.Quantity, _ value: (RunQuantity) -> Value?
    ) throws(Problem) -> Value {
        var scanner = TextCursor(runText: text)
        let found = try scanner.quantity()
        scanner.skipBlanks()
        guard scanner.next == nil else {
            throw Problem(scanner.token(), wanted.says.isFollowed, hint: wanted.says.example)
        }
        guard let value = value(found.value) else {
            throw Problem(found.range, found.value.quantity.isInsteadOf(wanted), hint: wanted.says.example)
        }
        return value
    }
}
