internal import Languages
package import Scores

/// A week of the calendar, from Monday to Sunday.
package struct CalendarWeek: Sendable, Hashable {
    package let monday: LocalDay

    /// The years in which a training plan can start, so that its last week is still in a year of four digits.
    static let years = 1970...9000

    package init(of day: LocalDay) { monday = LocalDay(number: day.number - day.weekday) }

    /// Reads the start of a training plan: the Monday of week 1, as in `2026-11-23`. Errors: not a date, or not a
    /// Monday.
    package init(startText text: String) throws(TextError) {
        guard let day = LocalDay(text: text) else {
            throw TextError(
                localized("\(TextError.shown(text)) is not a date"), hint: localized("for example 2026-11-23, a Monday")
            )
        }
        guard Self.years.contains(day.parts.year) else {
            throw TextError(
                localized("a plan of weeks starts in the years \(Self.years.lowerBound) to \(Self.years.upperBound)"))
        }
        self.init(of: day)
        guard day == monday else {
            throw TextError(
                localized("\(text) is a \(Weekday(of: day).localizedName), but week 1 starts on a Monday"),
                hint: localized("write \(monday.text)"))
        }
    }

    /// A day of the week that is a number of weeks later.
    func day(_ day: Weekday, weeksLater weeks: Int) -> LocalDay {
        LocalDay(number: monday.number + weeks * 7 + day.rawValue)
    }
}

package enum Weekday: Int, Sendable, CaseIterable, Comparable {
    case monday, tuesday, wednesday, thursday, friday, saturday, sunday

    /// The English name, such as "Tuesday"; the words for days in plans are its beginnings.
    package var name: String { "\(self)".prefix(1).uppercased() + "\(self)".dropFirst() }

    package var localizedName: String {
        switch self {
        case .monday: localized("Monday")
        case .tuesday: localized("Tuesday")
        case .wednesday: localized("Wednesday")
        case .thursday: localized("Thursday")
        case .friday: localized("Friday")
        case .saturday: localized("Saturday")
        case .sunday: localized("Sunday")
        }
    }

    /// The name in plans, such as "tue".
    package var short: String { String("\(self)".prefix(3)) }

    /// The day that a word names: `tue`, `tues` or `Tuesday`; nil if it names none.
    package init?(word: String) {
        let word = word.lowercased()
        let named = Self.allCases.first { word.utf8.count >= 3 && "\($0)".hasPrefix(word) }
        guard let named else { return nil }
        self = named
    }

    package init(of date: LocalDay) { self = Self.allCases[date.weekday] }

    package static func < (a: Weekday, b: Weekday) -> Bool { a.rawValue < b.rawValue }
}
