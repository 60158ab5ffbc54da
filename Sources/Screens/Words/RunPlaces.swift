internal import Languages
package import Playback
package import Running
internal import Scores
internal import Timing

/// The intervals of a plan while it plays: which one a boundary begins, and how far the runner is. The bars of the music are
/// the rows of the table.
package struct RunPlaces {
    let table: PlanTable
    /// Whether the plan has intervals until the lap button, so that nobody knows how long it takes.
    let hasOpenEnds: Bool
    /// For each row: its number among the rows of its name, from 1, and how many there are.
    private let numbers: [(number: Int, of: Int)]

    /// The places of a plan; nil if it cannot be laid out, or has no intervals.
    package init?(_ plan: Plan) {
        guard let table = try? PlanTable(plan), !table.rows.isEmpty else { return nil }
        self.table = table
        hasOpenEnds = table.rows.contains(where: \.interval.isOpen)
        var counts: [String: Int] = [:]
        let numbers = table.rows.map { row in
            counts[row.interval.shownName, default: 0] += 1
            return counts[row.interval.shownName] ?? 1
        }
        self.numbers = zip(numbers, table.rows).map { ($0, counts[$1.interval.shownName] ?? 1) }
    }

    /// Where the runner is. All times are real times, speed included.
    package struct Place {
        var row: PlanTable.Row
        /// Its number among all intervals, from 1; those of earlier rounds count.
        package var interval: Int
        /// Its number among those of its name, from 1.
        var number: Int
        /// How many there are of its name; nil if the plan has no end.
        var count: Int?
        /// The distance since the start; nil unless every interval of the plan has one.
        package var distance: Distance?
        /// The pace of the interval; nil if it has none.
        var pace: Pace?
        /// What the interval asks besides its pace, as it is written and as far as it holds at this speed; nil for nothing.
        var demands: String?
        var isOpen: Bool { row.interval.isOpen }
        /// The next interval and its length in time; nil at the end.
        var next: (row: PlanTable.Row, time: Duration)?
    }

    /// The row of a bar.
    private func index(of bar: TimedBar) -> Int { min(bar.index, table.rows.count - 1) }

    /// The place of a boundary when a part of its interval, 0 to 1, is over.
    func place(_ boundary: Int, over share: Double = 0, _ status: Status) -> Place {
        let passage = status.performance.passage
        let index = index(of: passage.bar(of: boundary))
        let row = table.rows[index]
        let isWhole = passage.stretches.count == 1 && passage.bars == 0..<table.rows.count
        let rounds = passage.passNumber(of: boundary) - 1
        let speed = status.speed(of: boundary)
        var place = Place(
            row: row, interval: row.number, number: numbers[index].number,
            count: table.isEndless ? nil : numbers[index].of,
            distance: distance(index, over: share, status.performance, rounds),
            pace: row.extent.pace.map { Pace(metersPerSecond: $0.metersPerSecond * speed.percent / 100) })
        place.demands = row.interval.demands.shown(asWritten: speed == .asWritten)
        if table.isEndless, isWhole {
            place.interval += rounds * table.rows.count
            place.number += rounds * numbers[index].of
        }
        if passage.has(boundary: boundary + 1) {
            let bar = passage.bar(of: boundary + 1)
            place.next = (table.rows[self.index(of: bar)], status.speed.realDuration(of: bar.duration))
        }
        return place
    }

    /// How long the intervals until the lap button in a performance take about; nil if that of one is unknown.
    func estimate(_ performance: Performance) -> Duration? {
        let (passage, bars) = (performance.passage, performance.passage.bars)
        guard passage.stretches.count == 1, let passes = passage.passes, bars.upperBound <= table.rows.count else {
            return nil
        }
        func sum(_ rows: ArraySlice<PlanTable.Row>) -> Duration? {
            rows.filter(\.interval.isOpen).reduce(.zero) { sum, row in
                row.extent.time.flatMap { time in sum.map { $0 + time } }
            }
        }
        let (rounds, first) = performance.first.quotientAndRemainder(dividingBy: bars.count)
        let before = bars.lowerBound..<bars.lowerBound + first
        return sum(table.rows[bars]).flatMap { round in sum(table.rows[before]).map { round * (passes - rounds) - $0 } }
    }

    /// The place in an interval that is heard.
    package func place(_ heard: Moment.Bar, _ status: Status) -> Place {
        place(heard.boundary, over: heard.share, status)
    }

    /// The distance since the start of the passage, by the paces of the plan. In a practiced passage it is that of the plan, as
    /// the time is.
    private func distance(_ index: Int, over share: Double, _ performance: Performance, _ rounds: Int) -> Distance? {
        let passage = performance.passage
        guard !hasOpenEnds, let all = table.total.distance, all.meters > 0,
            let here = table.rows[index].extent.distance, let end = table.rows[index].total.distance
        else { return nil }
        guard performance.countsPasses else { return Distance(meters: max(end.meters - here.meters * (1 - share), 0)) }
        guard passage.stretches.count == 1, passage.bars.upperBound <= table.rows.count else { return nil }
        func before(_ index: Int) -> Double { index > 0 ? table.rows[index - 1].total.distance?.meters ?? 0 : 0 }
        let round = before(passage.bars.upperBound) - before(passage.bars.lowerBound)
        let inRound = end.meters - here.meters * (1 - share) - before(passage.bars.lowerBound)
        return Distance(meters: max(Double(rounds) * round + inRound, 0))
    }

    /// The name of a bar in little room: `run 5`.
    func shortName(ofBar index: Int) -> String {
        let index = min(index, table.rows.count - 1)
        let name = table.rows[index].interval.shownName
        return numbers[index].of == 1 ? name : "\(name) \(numbers[index].number)"
    }

    /// `18 intervals`; nil is no end.
    static func shown(count: Int?) -> String {
        guard let count else { return localized("until stopped") }
        return count == 1 ? localized("1 interval") : localized("\(count) intervals")
    }
}

extension Interval {
    /// The name inside a sentence: the label as it is written, or the kind.
    var shownName: String { label.isEmpty ? kind.word : label }
}
