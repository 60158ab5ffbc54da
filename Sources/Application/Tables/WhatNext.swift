internal import Languages
internal import Scores
internal import UserSettings

/// What a player should practice next, by the practice log: the goals, the bars that go wrong again and again, the notes that are
/// out of tune again and again, and the pieces that have not been touched for two weeks.
struct WhatNext {
    let goals: [GoalCourse]
    let weak: [WeakBar]
    let notes: [WeakNote]
    /// Pieces and for how many days they have not been played, the longest first.
    let left: [(piece: PracticeSummary.Piece, days: Int)]

    /// So many days without a piece are told.
    static let longPause = 14
    /// So many weak bars and notes are shown among other things.
    private static let most = 5

    init(_ summary: PracticeSummary, _ goals: [Goal], on today: LocalDay) {
        let pieces = summary.pieces
        self.goals = goals.map { GoalCourse($0, summary, on: today) }
        weak = WeakBar.all(in: summary)
        notes = WeakNote.all(in: summary, on: today)
        left = pieces.map { ($0, today.number - $0.last.number) }
            .filter { $0.1 >= WhatNext.longPause }
            .sorted { ($1.1, $0.0.piece) < ($0.1, $1.0.piece) }
    }

    var isEmpty: Bool { goals.isEmpty && weak.isEmpty && notes.isEmpty && left.isEmpty }

    /// Sentences for people, a line each; with `isShort`, of the weak bars and notes only the first few.
    func text(isShort: Bool) -> String {
        let most = isShort ? WhatNext.most : .max
        let (bars, notes) = (weak.prefix(most), notes.prefix(most))
        let lines =
            goals.map(WhatNext.sentence) + bars.map(WhatNext.sentence) + notes.map(WhatNext.sentence)
            + left.map(WhatNext.sentence)
        let more = weak.count - bars.count + self.notes.count - notes.count
        let rest = more == 0 ? [] : [localized("more of them: --next shows all")]
        return (lines + rest).map { "  " + $0.printable + "\n" }.joined()
    }

    private static func sentence(_ course: GoalCourse) -> String {
        let (goal, day) = (course.goal, course.goal.by.shown)
        guard let speed = course.speed, let line = course.line else {
            return localized("\(goal.piece): \(goal.speed) by \(day): not played yet")
        }
        return switch course.state {
        case .reached: localized("\(goal.piece): \(goal.speed) by \(day): reached, with \(speed)")
        case .onCourse:
            localized(
                "\(goal.piece): \(goal.speed) by \(day): on course, at \(speed) (the line to it: \(line.rounded))")
        case .behind, .notBegun:
            localized("\(goal.piece): \(goal.speed) by \(day): behind, at \(speed) (the line to it: \(line.rounded))")
        case .missed: localized("\(goal.piece): \(goal.speed) by \(day): missed, at \(speed)")
        }
    }

    private static func sentence(_ bar: WeakBar) -> String {
        let (amount, times, of) = (bar.median.fixed(0, signed: true), bar.times, bar.sessions)
        let (piece, place) = (bar.piece, bar.place.text)
        return switch bar.kind {
        case .late: localized("\(piece), bar \(place): too long in \(times) of \(of) sessions, \(amount) %")
        case .early: localized("\(piece), bar \(place): too short in \(times) of \(of) sessions, \(amount) %")
        case .sharp: localized("\(piece), bar \(place): sharp in \(times) of \(of) sessions, \(amount) cents")
        case .flat: localized("\(piece), bar \(place): flat in \(times) of \(of) sessions, \(amount) cents")
        }
    }

    private static func sentence(_ note: WeakNote) -> String {
        let (amount, times, of) = (note.median.fixed(0, signed: true), note.times, note.sessions)
        return note.isSharp
            ? localized("\(note.note): sharp in \(times) of \(of) sessions of four weeks, \(amount) cents")
            : localized("\(note.note): flat in \(times) of \(of) sessions of four weeks, \(amount) cents")
    }

    private static func sentence(_ left: (piece: PracticeSummary.Piece, days: Int)) -> String {
        localized("\(left.piece.piece): not played for \(left.days) days")
    }

    /// A row for each statement, for programs.
    var table: Table {
        var table = Table(columns: [
            .text("", "kind"), .text("", "piece"), .text("", "bar"), .number("", "median"), .number("", "times"),
            .number("", "sessions"), .number("", "days"), .number("", "speed"), .number("", "line"),
            .number("", "goal"), .text("", "by"), .text("", "state"), .text("", "note"),
        ])
        func percent(_ speed: Speed?) -> JSON { speed.map { .number($0.percent.plainText) } ?? .null }
        func row(_ kind: String, _ piece: String, _ values: [String: JSON]) -> [Table.Cell] {
            let all = values.merging(["kind": .text(kind), "piece": .text(piece)]) { first, _ in first }
            return table.columns.map { Table.Cell(shown: "", value: all[$0.key] ?? .null) }
        }
        table.rows = goals.map { course in
            row(
                "goal", course.goal.piece,
                [
                    "speed": percent(course.speed), "line": percent(course.line), "goal": percent(course.goal.speed),
                    "by": .text(course.goal.by.text), "state": .text(course.state.rawValue),
                ])
        }
        table.rows += weak.map { bar in
            row(
                bar.kind.rawValue, bar.piece,
                [
                    "bar": .text(bar.place.text), "median": .number(bar.median.plainText), "times": .number(bar.times),
                    "sessions": .number(bar.sessions),
                ])
        }
        table.rows += notes.map { note in
            row(
                note.isSharp ? "sharp" : "flat", "",
                [
                    "note": .text(note.note), "median": .number(note.median.plainText), "times": .number(note.times),
                    "sessions": .number(note.sessions),
                ])
        }
        table.rows += left.map { row("not played", $0.piece.piece, ["days": .number($0.days)]) }
        return table
    }
}

extension Speed {
    /// To a tenth of a per cent.
    fileprivate var rounded: Speed { Speed(millionths: (millionths + 500) / 1000 * 1000) ?? self }
}
