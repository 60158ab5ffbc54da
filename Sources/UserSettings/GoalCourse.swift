package import Scores

/// How far a piece has come on the way to its goal. A pure function of the practice log and the day.
///
/// The speed that is reached is the fastest of the last seven days with practice. The line to the goal leads from the speed
/// that was reached on the day on which the goal was set, or else on the first day with practice after it, to the goal.
package struct GoalCourse: Sendable, Equatable {
    package enum State: String, Sendable {
        case reached, onCourse = "on course", behind, missed, notBegun = "not begun"
    }

    package let goal: Goal
    /// The speed that is reached; nil without practice.
    package let speed: Speed?
    /// The speed that the line to the goal has on this day; nil without practice.
    package let line: Speed?
    package let state: State

    /// The days with practice of which the fastest one counts.
    package static let days = 7

    package init(_ goal: Goal, _ summary: PracticeSummary, on today: LocalDay) {
        self.goal = goal
        let practiced = summary.of(goal.piece).entries.filter { $0.wasPlayed && $0.date.day <= today }
        let fastest = Dictionary(grouping: practiced, by: \.date.day)
            .mapValues { $0.map(\.speed.millionths).max() ?? 0 }
            .sorted { $0.key < $1.key }
        func reached(on day: LocalDay) -> Int64? {
            fastest.filter { $0.key <= day }.suffix(GoalCourse.days).map(\.value).max()
        }
        let first = fastest.first { $0.key >= goal.since }
        let start = reached(on: goal.since).map { ($0, goal.since) } ?? first.map { ($0.value, $0.key) }
        guard let now = reached(on: today), let (from, day) = start else {
            (speed, line, state) = (nil, nil, today > goal.by ? .missed : .notBegun)
            return
        }
        // The line rises with whole days, and stands at the goal from its day on.
        let span = max(goal.by.number - day.number, 1)
        let gone = goal.by.number <= day.number ? span : min(max(today.number - day.number, 0), span)
        let rise = (goal.speed.millionths - from) * Int64(gone)
        speed = Speed(millionths: now)
        line = Speed(millionths: from + rise / Int64(span))
        state =
            if now >= goal.speed.millionths {
                .reached
            } else if today > goal.by {
                .missed
            } else {
                (now - from) * Int64(span) >= rise ? .onCourse : .behind
            }
    }
}
