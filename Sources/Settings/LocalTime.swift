internal import Glibc

/// A moment as a clock on the wall shows it, to the second, with its zone.
public struct LocalTime: Sendable, Hashable {
    /// The day.
    public var day: LocalDay
    /// Seconds since midnight, 0 ... 86 399.
    public var second: Int
    /// Minutes east of Greenwich.
    public var offset: Int

    /// Makes a moment.
    public init(day: LocalDay, second: Int, offset: Int) {
        self.day = day
        self.second = second
        self.offset = offset
    }

    /// Now, in the zone of the system.
    public static var now: LocalTime {
        var seconds = time(nil)
        var parts = tm()
        localtime_r(&seconds, &parts)
        let day = LocalDay(year: Int(parts.tm_year) + 1900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday))
        let second = Int(parts.tm_hour) * 3600 + Int(parts.tm_min) * 60 + min(Int(parts.tm_sec), 59)
        return LocalTime(day: day, second: second, offset: parts.tm_gmtoff / 60)
    }

    /// The moment by ISO 8601: `2026-11-21T20:15:00+01:00`.
    public var text: String {
        let sign = offset < 0 ? "-" : "+"
        let clock = [second / 3600, second / 60 % 60, second % 60].map(LocalDay.twoDigits).joined(separator: ":")
        let zone = LocalDay.twoDigits(abs(offset) / 60) + ":" + LocalDay.twoDigits(abs(offset) % 60)
        return "\(day.text)T\(clock)\(sign)\(zone)"
    }

    /// Reads what `text` writes, `Z` for Greenwich too; nil for anything else.
    public init?(text: String) {
        let parts = text.split(separator: "T", omittingEmptySubsequences: false)
        guard parts.count == 2, let day = LocalDay(text: String(parts[0])) else { return nil }
        var rest = String(parts[1])
        var offset = 0
        if rest.hasSuffix("Z") {
            rest.removeLast()
        } else {
            guard let sign = rest.lastIndex(where: { $0 == "+" || $0 == "-" }),
                let zone = LocalTime.fields(rest[rest.index(after: sign)...], 2), zone[0] < 24
            else { return nil }
            offset = (zone[0] * 60 + zone[1]) * (rest[sign] == "-" ? -1 : 1)
            rest = String(rest[..<sign])
        }
        guard let clock = LocalTime.fields(rest[...], 3), clock[0] < 24 else { return nil }
        self.init(day: day, second: clock[0] * 3600 + clock[1] * 60 + clock[2], offset: offset)
    }

    /// Fields of two digits between colons, each below 60.
    private static func fields(_ text: Substring, _ count: Int) -> [Int]? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in
            part.utf8.count == 2 && part.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(part) : nil
        }
        return numbers.count == parts.count && numbers.count == count && numbers.allSatisfy { $0 < 60 } ? numbers : nil
    }
}

/// A day of the Gregorian calendar.
public struct LocalDay: Sendable, Hashable, Comparable {
    /// Days since 1 January 1970.
    public var number: Int

    /// The day of that number.
    public init(number: Int) { self.number = number }

    /// A day of a year, its month 1 ... 12.
    public init(year: Int, month: Int, day: Int) {
        // Howard Hinnant, "chrono-compatible low-level date algorithms": days_from_civil. Years begin in March.
        let year = month <= 2 ? year - 1 : year
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        number = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// Year, month 1 ... 12 and day: civil_from_days of the same paper.
    public var parts: (year: Int, month: Int, day: Int) {
        let shifted = number + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let year = yearOfEra + era * 400
        return (month < 10 ? year : year + 1, month < 10 ? month + 3 : month - 9, dayOfYear - (153 * month + 2) / 5 + 1)
    }

    /// The day of the week, 0 for Monday.
    public var weekday: Int { ((number + 3) % 7 + 7) % 7 }

    /// `2026-11-21`.
    public var text: String {
        let (year, month, day) = parts
        let digits = String(max(year, 0))
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
            + "-\(LocalDay.twoDigits(month))-\(LocalDay.twoDigits(day))"
    }

    /// Reads what `text` writes; nil for anything else, 30 February among it.
    public init?(text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == [4, 2, 2],
            parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
            let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2]), (1...12).contains(month)
        else { return nil }
        self.init(year: year, month: month, day: day)
        guard self.parts == (year, month, day) else { return nil }
    }

    /// The earlier day.
    public static func < (a: LocalDay, b: LocalDay) -> Bool { a.number < b.number }

    static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
