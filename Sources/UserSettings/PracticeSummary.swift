package import Scores

/// Totals of practice by day and by piece. A pure value.
package struct PracticeSummary: Sendable, Equatable {
    /// A day and the time practiced on it.
    package struct Day: Sendable, Equatable {
        /// The day.
        package var day: LocalDay
        /// The time in hundredths of a minute.
        package var hundredths: Int
    }

    /// A piece and the time practiced on it.
    package struct Piece: Sendable, Equatable {
        /// The title.
        package var piece: String
        /// The number of sessions that were played.
        package var sessions: Int
        /// The time in hundredths of a minute.
        package var hundredths: Int
        /// The speed of the last session that was played.
        package var speed: Speed
        /// The day of the last session, also of one that was only listened to.
        package var last: LocalDay
    }

    /// The sessions in order of their days, oldest first; those of a day in the order of the log.
    package let entries: [PracticeLog.Entry]

    /// Creates the summary of these sessions.
    package init(_ entries: [PracticeLog.Entry]) {
        self.entries = entries.enumerated().sorted {
            ($0.element.date.day, $0.offset) < ($1.element.date.day, $1.offset)
        }.map(\.element)
    }

    /// The total in hundredths of a minute.
    package var hundredths: Int { entries.reduce(0) { $0 + $1.hundredths } }

    /// The sessions of one piece.
    package func of(_ piece: String) -> PracticeSummary { PracticeSummary(entries.filter { $0.piece == piece }) }

    /// The totals of each piece, the most recently practiced first.
    package var pieces: [Piece] {
        var found: [String: (piece: Piece, order: Int)] = [:]
        for (order, entry) in entries.enumerated() {
            let before = found[entry.piece]?.piece
            let piece = Piece(
                piece: entry.piece, sessions: (before?.sessions ?? 0) + (entry.wasPlayed ? 1 : 0),
                hundredths: (before?.hundredths ?? 0) + entry.hundredths,
                speed: entry.wasPlayed ? entry.speed : before?.speed ?? entry.speed, last: entry.date.day)
            found[entry.piece] = (piece, order)
        }
        return found.values.sorted { $0.order > $1.order }.map(\.piece)
    }

    /// The practice of the `count` days up to `last`, including days without any, but no day before the first session.
    package func days(_ count: Int, upTo last: LocalDay) -> [Day] {
        var hundredths: [LocalDay: Int] = [:]
        for entry in entries { hundredths[entry.date.day, default: 0] += entry.hundredths }
        guard let first = hundredths.keys.min(), first <= last else { return [] }
        let start = max(first.number, last.number - count + 1)
        return (start...last.number).map { number in
            let day = LocalDay(number: number)
            return Day(day: day, hundredths: hundredths[day] ?? 0)
        }
    }

    /// The slowest and the fastest speed that was played on each day, in per cent, oldest first.
    package var speeds: [(day: LocalDay, range: ClosedRange<Double>)] {
        var result: [(day: LocalDay, range: ClosedRange<Double>)] = []
        for entry in entries where entry.wasPlayed {
            let percent = entry.speed.percent
            if let last = result.last, last.day == entry.date.day {
                result[result.count - 1].range =
                    min(last.range.lowerBound, percent)...max(last.range.upperBound, percent)
            } else {
                result.append((entry.date.day, percent...percent))
            }
        }
        return result
    }
}
