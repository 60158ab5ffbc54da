internal import Glibc

/// A day of the Gregorian calendar.
package struct LocalDay: Sendable, Hashable, Comparable {
    /// Days since 1 January 1970.
    package var number: Int

    /// The day with this number.
    package init(number: Int) { self.number = number }

    /// A day by its year, month (1 ... 12) and day of the month.
    package init(year: Int, month: Int, day: Int) {
        var parts = tm()
        (parts.tm_year, parts.tm_mon, parts.tm_mday) = (Int32(year - 1900), Int32(month - 1), Int32(day))
        number = timegm(&parts) / 86_400
    }

    /// Reads the format of `text`; nil if the text is anything else, or if there is no such day.
    package init?(text: String) {
        let parts = text.split(separator: "-").compactMap { Int16($0) }.map(Int.init)
        guard parts.count == 3 else { return nil }
        self.init(year: parts[0], month: parts[1], day: parts[2])
        // An invalid date, or another way of writing one, does not read back to the same text.
        guard self.text == text else { return nil }
    }

    /// The year, the month (1 ... 12) and the day of the month.
    package var parts: (year: Int, month: Int, day: Int) {
        var (seconds, parts) = (time_t(number * 86_400), tm())
        gmtime_r(&seconds, &parts)
        return (Int(parts.tm_year) + 1900, Int(parts.tm_mon) + 1, Int(parts.tm_mday))
    }

    /// The day of the week, 0 for Monday.
    package var weekday: Int { ((number + 3) % 7 + 7) % 7 }

    /// The day for people.
    package var shown: String { text }

    /// The day for files and programs: `2026-11-21`.
    package var text: String {
        let (year, month, day) = parts
        return "\(max(year, 0))".zeroPadded(to: 4) + "-\(month.twoDigits)-\(day.twoDigits)"
    }

    /// Whether `a` is before `b`.
    package static func < (a: LocalDay, b: LocalDay) -> Bool { a.number < b.number }
}
