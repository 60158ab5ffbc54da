/// A day of the Gregorian calendar.
package struct LocalDay: Sendable, Hashable, Comparable {
    /// Days since 1 January 1970.
    package var number: Int

    /// The day with this number.
    package init(number: Int) { self.number = number }

    /// A day by its year, month (1 ... 12) and day of the month.
    ///
    /// Arithmetic, because the system's functions count leap seconds in some time zones (`TZ=right/UTC`). Years begin in March,
    /// so that a leap day is the last of its year; they repeat after 400 years, which have 146 097 days.
    package init(year: Int, month: Int, day: Int) {
        let (year, month) = month > 2 ? (year, month - 3) : (year - 1, month + 9)
        let leapDays = year.floor(by: 4) - year.floor(by: 100) + year.floor(by: 400)
        // From 1 March of the year 0 to 1 January 1970 there are 719 468 days.
        number = year * 365 + leapDays + (month * 153 + 2) / 5 + day - 1 - 719_468
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
        let cycle = (number + 719_468).floor(by: 146_097)
        let inCycle = number + 719_468 - cycle * 146_097
        // Leap days before this day are left out, so that each year of the cycle has 365 days.
        let year = (inCycle - inCycle / 1460 + inCycle / 36_524 - inCycle / 146_096) / 365
        let inYear = inCycle - (year * 365 + year / 4 - year / 100)
        let month = (inYear * 5 + 2) / 153
        let day = inYear - (month * 153 + 2) / 5 + 1
        return (cycle * 400 + year + (month < 10 ? 0 : 1), month < 10 ? month + 3 : month - 9, day)
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

extension Int {
    /// The quotient, rounded down, by a positive number.
    fileprivate func floor(by divisor: Int) -> Int { (self >= 0 ? self : self - divisor + 1) / divisor }
}
