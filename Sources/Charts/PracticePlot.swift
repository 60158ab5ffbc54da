internal import Languages
package import Scores
internal import Timing
package import UserSettings

/// Practice as a text chart: a row with a bar of minutes or speeds for each day.
package enum PracticePlot {
    /// Blocks of zero to seven eighths of a character.
    private static let eighths = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]

    /// A chart of the minutes of days, at most `columns` wide; empty if there are no days.
    package static func minutes(_ days: [PracticeSummary.Day], columns: Int) -> String {
        let most = days.map(\.hundredths).max() ?? 0
        let figures = days.map { $0.hundredths == 0 ? "" : "\(($0.hundredths + 50) / 100)" }
        let room = room(figures, columns)
        return zip(days, figures).map { day, figure in
            let length = most == 0 ? 0 : 8 * room * day.hundredths / most
            return row(day.day, bar(eighths: day.hundredths > 0 ? max(1, length) : 0), figure)
        }.joined()
    }

    /// A chart of the speeds of days: solid up to the slowest, shaded from there to the fastest. Empty if there are no
    /// days.
    package static func speeds(_ days: [(day: LocalDay, range: ClosedRange<Double>)], columns: Int) -> String {
        let most = days.map(\.range.upperBound).max() ?? 0
        let figures = days.map { day in
            let (low, high) = (percent(day.range.lowerBound), percent(day.range.upperBound))
            return low == high ? low : localized("\(low) to \(high)")
        }
        let room = room(figures, columns)
        return zip(days, figures).map { day, figure in
            let slow = Int((Double(room) * day.range.lowerBound / most).rounded())
            let fast = Int((Double(room) * day.range.upperBound / most).rounded())
            let bar = String(repeating: "█", count: slow) + String(repeating: "▒", count: fast - slow)
            return row(day.day, bar, figure)
        }.joined()
    }

    /// The length of the longest bar in characters.
    private static func room(_ figures: [String], _ columns: Int) -> Int {
        min(max(columns - 14 - LocalDay.weekdayColumns - (figures.map(\.columns).max() ?? 0), 8), 60)
    }

    private static func row(_ day: LocalDay, _ bar: String, _ figure: String) -> String {
        let parts = [day.shown, day.weekdayText.padding(to: LocalDay.weekdayColumns), bar, figure]
        return parts.filter { !$0.isEmpty }.joined(separator: " ") + "\n"
    }

    private static func bar(eighths count: Int) -> String {
        String(repeating: "█", count: count / 8) + eighths[count % 8]
    }

    private static func percent(_ value: Double) -> String {
        let text = value.fixed(1)
        return (text.hasSuffix(".0") ? String(text.dropLast(2)) : text) + "%"
    }
}

extension LocalDay {
    private static let weekdays = [
        localized("Mon"), localized("Tue"), localized("Wed"), localized("Thu"), localized("Fri"), localized("Sat"),
        localized("Sun"),
    ]
    /// The columns that the longest of these names takes.
    fileprivate static let weekdayColumns = weekdays.map(\.columns).max() ?? 0

    /// The day of the week, in three letters in English.
    var weekdayText: String { LocalDay.weekdays[weekday] }
}
