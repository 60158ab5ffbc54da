internal import Languages
internal import Scores
internal import Timing

/// The names of the intervals of a plan that is rendered, as chapters have them: `Run 4 of 8, 1:00`. They are counted as
/// while the plan is played: from its first interval, whatever part of it is rendered, in each pass anew if it has an end.
struct IntervalNames {
    private let performance: Performance
    /// For each bar of the plan: its number among the intervals of its name, from 1.
    private var numbers: [Int] = []
    private var counts: [String: Int] = [:]

    init(_ performance: Performance) {
        self.performance = performance
        let timeline = performance.passage.timeline
        for bar in 0..<timeline.barCount {
            // Either all bars are intervals, or none is.
            guard let name = timeline[bar].written.details.announcement?.name else { break }
            counts[name, default: 0] += 1
            numbers.append(counts[name] ?? 1)
        }
    }

    /// The name of rounds of the plan that begin at boundary `n`, `count` of them, and of the time that they take. If it is one
    /// round of a single interval, that has its name; nil if they are no rounds of a plan.
    func name(ofRounds count: Int, from n: Int, lasting time: Duration) -> String? {
        let passage = performance.passage
        let (bar, timeline) = (passage.bar(of: n), passage.timeline)
        guard let announced = bar.written.details.announcement else { return nil }
        let isSingle = bar.index + 1 == timeline.barCount || timeline[bar.index + 1].line != bar.line
        if count == 1, isSingle { return name(of: n) }
        let length = time.clock(decimals: 0)
        let pass = announced.count == nil && performance.countsPasses ? passage.passNumber(of: n) - 1 : 0
        let first = bar.line + pass * timeline.lineCount
        return count == 1
            ? localized("Round \(first), \(length)") : localized("Rounds \(first) to \(first + count - 1), \(length)")
    }

    /// The name of the interval that boundary `n` begins; nil if it is not one of a plan.
    func name(of n: Int) -> String? {
        let passage = performance.passage
        let bar = passage.bar(of: n)
        guard let announced = bar.written.details.announcement, numbers.indices.contains(bar.index),
            let count = counts[announced.name]
        else { return nil }
        let isEndless = announced.count == nil
        let number =
            numbers[bar.index] + (isEndless && performance.countsPasses ? (passage.passNumber(of: n) - 1) * count : 0)
        let name =
            isEndless
            ? "\(announced.name) \(number)"
            : count == 1 ? announced.name : localized("\(announced.name) \(number) of \(count)")
        return "\(name), \(announced.length ?? performance.speed.realDuration(of: bar.duration).clock)"
    }
}
