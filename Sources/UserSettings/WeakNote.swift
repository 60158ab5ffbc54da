package import Scores

/// A note that is sharp or flat again and again in a month, in whatever piece. A pure function of the practice log.
package struct WeakNote: Sendable, Equatable {
    /// The name: `F#5`.
    package var note: String
    package var isSharp: Bool
    /// In how many of the sessions of the month that measured it.
    package var times: Int
    package var sessions: Int
    /// The median of these sessions in cents.
    package var median: Double

    /// The days of a month, and from how many cents on a note is off. Each session has the median of its notes already.
    package static let (days, least) = (28, 5.0)

    /// The notes that are off in the same way in at least three sessions of the month up to `today`, and in at least three
    /// quarters of those that measured them; those that are off the most come first.
    package static func all(in summary: PracticeSummary, on today: LocalDay) -> [WeakNote] {
        var found: [String: [Double]] = [:]
        for entry in summary.entries where (0..<days).contains(today.number - entry.date.day.number) {
            for figure in entry.notes { found[figure.note, default: []].append(figure.value) }
        }
        let weak = found.compactMap { note, values in
            WeakBar.tendency(values, least).map { tendency in
                WeakNote(
                    note: note, isSharp: tendency.more, times: tendency.times, sessions: values.count,
                    median: tendency.median)
            }
        }
        return weak.sorted { (abs($1.median), $0.note) < (abs($0.median), $1.note) }
    }
}
