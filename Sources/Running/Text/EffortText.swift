internal import Languages
internal import Scores

extension Effort {
    /// The effort as it is written in a plan: `80%`, `78-82%`, `Z2`, `5:00-5:10/km`, `140-150 bpm`, `85% LTHR`; a ramp has
    /// `to`, as in `60% to 80%`.
    public var text: String {
        switch scale {
        case .speed: return paces(\.exactText)
        case .percent: return joined("%")
        case .zone: return joined("", before: "Z")
        case .heartRate: return joined(" bpm")
        case .percentOfMaximum: return joined("%") + " HR"
        case .percentOfThreshold: return joined("%") + " LTHR"
        case .heartZone: return joined("", before: "Z") + " HR"
        }
    }

    /// The effort as a table shows it: paces that no unit writes in a few digits are rounded to tenths of a second.
    package var shownText: String {
        guard scale == .speed else { return text }
        return paces { pace in
            let exact = pace.exactText
            guard exact.utf8.count > Effort.longestPace else { return exact }
            return pace.goalText(in: .perKilometer).replacing(" ", with: "")
        }
    }

    /// Longer texts of paces, such as `5:42.114266164899/km`, are rounded where they are shown.
    private static let longestPace = 12

    private func paces(_ text: (Pace) -> String) -> String {
        let (a, b) = (text(Pace(metersPerSecond: first)), text(Pace(metersPerSecond: last)))
        if isRamp { return "\(a) to \(b)" }
        let unit = b.drop { $0.isNumber || ".:".contains($0) }
        return a.hasSuffix(unit) ? "\(a.dropLast(unit.count))-\(b)" : "\(a) - \(b)"
    }

    private func joined(_ unit: String, before mark: String = "") -> String {
        let (a, b) = (mark + number(first), mark + number(last) + unit)
        return isSingle && !isRamp ? b : isRamp ? "\(a)\(unit) to \(b)" : "\(a)-\(b)"
    }

    private func number(_ value: Double) -> String { Rounding.short(value, decimals: 6) }
}

extension TextCursor {
    /// One of the values of an effort, and its unit as it is written: `78`, `%`.
    private struct Side {
        var text: String
        var unit: String
        var range: Range<Int>
        var isZone: Bool
        var isPace: Bool { !isZone && unit != "%" && unit != "bpm" }
    }

    /// Reads an effort such as `@ 78-82%`, `@ Z2 HR` or `@ 6:00/km to 5:00/km`, with or without `@`. Nil if none comes next;
    /// then nothing is read. Errors: a value is out of range, or a range has no end.
    mutating func effort() throws(Problem) -> Effort? {
        var ahead = self
        ahead.skipBlanks()
        if ahead.accept("@") || ahead.accept(word: "at") { ahead.skipBlanks() }
        guard let first = ahead.side() else { return nil }
        let end = ahead
        ahead.skipBlanks()
        let isRamp = ahead.accept(word: "to")
        var last: Side?
        if isRamp || ahead.accept("-") || ahead.accept("\u{2013}") {
            ahead.skipBlanks()
            last = ahead.side()
            guard last != nil else {
                throw Problem(
                    ahead.token(), localized("a range needs two values"),
                    hint: localized("for example 78-82%, 5:00-5:10/km or 140-150 bpm"))
            }
        } else {
            ahead = end
        }
        let (low, high) = (first, last ?? first)
        let unit = high.unit
        guard low.isZone == high.isZone, low.unit.isEmpty || low.unit == unit || low.isPace && high.isPace else {
            throw Problem(
                low.range.lowerBound..<high.range.upperBound, localized("the two values have different units"),
                hint: localized("for example 78-82%, 5:00-5:10/km or 140-150 bpm"))
        }
        let scale: Effort.Scale
        if low.isZone || unit == "%" {
            let suffix = ahead.suffix()
            scale =
                low.isZone
                ? suffix == "hr" ? .heartZone : .zone
                : suffix == "hr" ? .percentOfMaximum : suffix == "lthr" ? .percentOfThreshold : .percent
        } else if unit == "bpm" {
            scale = .heartRate
        } else {
            // A single value is a time, a distance or a pace.
            guard let last else { return nil }
            let paces = (try pace(low, low.unit.isEmpty ? unit : low.unit), try pace(last, unit))
            let effort = Effort(.speed, paces.0.metersPerSecond, to: paces.1.metersPerSecond, isRamp: isRamp)
            position = ahead.position
            return effort
        }
        var values: [Double] = []
        for side in [low, high] {
            let range = Effort.range(of: scale)
            let value = Double(side.text.replacing(",", with: "."))
            guard let value, range.contains(value) else {
                throw Problem(
                    side.range,
                    localized(
                        "this must be \(Rounding.short(range.lowerBound, decimals: 0)) to \(Rounding.short(range.upperBound, decimals: 0))"
                    ),
                    hint: low.isZone ? localized("for example Z2") : nil)
            }
            values.append(value)
        }
        position = ahead.position
        return Effort(scale, values[0], to: values[1], isRamp: isRamp)
    }

    private func pace(_ side: Side, _ unit: String) throws(Problem) -> Pace {
        guard !unit.isEmpty else {
            throw Problem(
                side.range, localized("the pace \(side.text) has no unit"),
                hint: localized("for example 78-82%, 5:00-5:10/km or 140-150 bpm"))
        }
        do throws(Problem) { return try Pace(runText: side.text + unit) } catch {
            throw Problem(side.range, error.error)
        }
    }

    /// Reads a number, a clock or a zone, and its unit: `%`, `bpm`, or what follows a pace.
    private mutating func side() -> Side? {
        let start = position
        var isZone = false
        if let next, next | 0x20 == UInt8(ascii: "z"), position + 1 < bytes.count,
            TextCursor.isDigit(bytes[position + 1])
        {
            isZone = true
            position += 1
        }
        let number = position
        guard let first = next, TextCursor.isDigit(first) else { return nil }
        while let byte = next {
            let isComma =
                byte == UInt8(ascii: ",") && position + 1 < bytes.count && TextCursor.isDigit(bytes[position + 1])
            guard TextCursor.isDigit(byte) || !isZone && (".:".utf8.contains(byte) || isComma) else { break }
            position += 1
        }
        var side = Side(text: text(number..<position), unit: "", range: start..<position, isZone: isZone)
        if isZone { return side }
        var ahead = self
        ahead.skipBlanks()
        if ahead.accept("%") {
            side.unit = "%"
        } else if ahead.accept(word: "bpm") {
            side.unit = "bpm"
        } else {
            let unit = ahead.position
            ahead.position = ahead.word().upperBound
            if ahead.accept("/") { ahead.position = ahead.word().upperBound }
            let written = text(unit..<ahead.position).lowercased()
            guard !written.isEmpty, written != "to" else { return side }
            side.unit = written
        }
        position = ahead.position
        side.range = start..<position
        return side
    }

    /// Reads the words after a share or a zone that tell of what it is, in lower case; empty for the pace.
    private mutating func suffix() -> String {
        var ahead = self
        ahead.skipBlanks()
        let word = text(ahead.word()).lowercased()
        guard ["hr", "lthr", "pace"].contains(word) else { return "" }
        ahead.position = ahead.word().upperBound
        position = ahead.position
        return word == "pace" ? "" : word
    }
}
