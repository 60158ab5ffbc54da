internal import Languages
package import Playback
package import Running
internal import Scores
internal import Timing

/// A plan of intervals that plays as a score, in the words of runners. Its bars are the rows of the table.
package struct ShownRun: Sendable {
    private let table: PlanTable
    /// The unit of its distances.
    package let unit: DistanceUnit
    /// The plan from which the table was laid out; nil if there was none.
    package let plan: Plan?
    /// Whether the plan has intervals until the lap button, so that nobody knows how long it takes.
    package let hasOpenEnds: Bool
    /// For each row: its number among the rows of its name, from 1, and how many there are.
    private let numbers: [(number: Int, of: Int)]

    /// A laid out plan, with distances and paces in kilometers or miles.
    package init(_ table: PlanTable, in unit: DistanceUnit, of plan: Plan? = nil) {
        (self.table, self.unit, self.plan) = (table, unit, plan)
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
        package var row: PlanTable.Row
        /// Its number among those of its name, from 1.
        package var number: Int
        /// How many there are of its name; nil if the plan has no end.
        package var count: Int?
        /// The distance since the start; nil unless every interval of the plan has one.
        package var distance: Distance?
        /// The pace of the interval; nil if it has none.
        package var pace: Pace?
        package var isOpen: Bool { row.interval.isOpen }
        /// The next interval and its length in time; nil at the end.
        package var next: (row: PlanTable.Row, time: Duration)?
    }

    /// The place of a boundary when a part of its interval, 0 to 1, is over; nil if it is not one of the plan.
    func place(_ boundary: Int, over share: Double, _ status: Status) -> Place? {
        let passage = status.performance.passage
        let index = passage.bar(of: boundary).index
        guard table.rows.indices.contains(index) else { return nil }
        let row = table.rows[index]
        let isWhole = passage.stretches.count == 1 && passage.bars == 0..<table.rows.count
        let rounds = passage.passNumber(of: boundary) - 1
        var place = Place(
            row: row, number: numbers[index].number, count: table.isEndless ? nil : numbers[index].of,
            distance: distance(index, over: share, passage, rounds),
            pace: row.extent.pace.map { Pace(metersPerSecond: $0.metersPerSecond * status.speed.percent / 100) })
        if table.isEndless, isWhole { place.number += rounds * numbers[index].of }
        if passage.has(boundary: boundary + 1) {
            let bar = passage.bar(of: boundary + 1)
            guard table.rows.indices.contains(bar.index) else { return place }
            place.next = (table.rows[bar.index], status.speed.realDuration(of: bar.duration))
        }
        return place
    }

    /// The place in an interval that is heard.
    package func place(_ heard: Moment.Bar, _ status: Status) -> Place? {
        place(heard.boundary, over: heard.share, status)
    }

    /// The distance since the start of the passage, by the paces of the plan.
    private func distance(_ index: Int, over share: Double, _ passage: Passage, _ rounds: Int) -> Distance? {
        guard !hasOpenEnds, let all = table.total.distance, all.meters > 0, passage.stretches.count == 1,
            let here = table.rows[index].extent.distance, let end = table.rows[index].total.distance,
            passage.bars.upperBound <= table.rows.count
        else { return nil }
        func before(_ index: Int) -> Double { index > 0 ? table.rows[index - 1].total.distance?.meters ?? 0 : 0 }
        let round = before(passage.bars.upperBound) - before(passage.bars.lowerBound)
        let inRound = end.meters - here.meters * (1 - share) - before(passage.bars.lowerBound)
        return Distance(meters: max(Double(rounds) * round + inRound, 0))
    }

    // MARK: - Texts

    /// `18 intervals`.
    var count: String {
        let count = table.rows.count
        if table.isEndless { return localized("until stopped") }
        return count == 1 ? localized("1 interval") : localized("\(count) intervals")
    }

    /// `5 intervals, at least 12:00`, for a plan with intervals until the lap button that takes `length` without them.
    package func openTotals(_ length: Duration) -> String {
        localized("\(count), at least \(ShownRun.whole(length))")
    }

    /// `run 5 of 9`; `warm-up` if there is only one.
    func name(_ place: Place) -> String {
        let name = place.row.interval.shownName
        guard let count = place.count else { return "\(name) \(place.number)" }
        return count == 1 ? name : localized("\(name) \(place.number) of \(count)")
    }

    /// The name of a row in little room: `run 5`.
    func shortName(ofRow index: Int) -> String {
        guard table.rows.indices.contains(index) else { return "" }
        let name = table.rows[index].interval.shownName
        return numbers[index].of == 1 ? name : "\(name) \(numbers[index].number)"
    }

    /// `interval 9 of 18`, as the voice counts them.
    func interval(_ place: Place) -> String {
        table.isEndless
            ? localized("interval \(place.row.number)")
            : localized("interval \(place.row.number) of \(table.rows.count)")
    }

    /// `then walk 0:30`, `then run 400 m`, `then the end`.
    func next(_ place: Place) -> String {
        guard let next = place.next else { return localized("then the end") }
        let interval = next.row.interval
        return switch interval.measure {
        case .open: localized("then \(interval.shownName) until lap")
        case .distance(let distance): localized("then \(interval.shownName) \(distance.writtenText(in: unit))")
        case .run(let run) where run.result != .distance:
            localized("then \(interval.shownName) \(run.distance.writtenText(in: unit))")
        case .time, .run: localized("then \(interval.shownName) \(next.time.shortText(decimals: 1))")
        }
    }

    /// `3.4 km, pace 5:30/km`, as far as they are known.
    func measures(_ place: Place) -> String {
        [soFar(place), pace(place)].compactMap(\.self).joined(separator: ", ")
    }

    /// The distance since the start, `3.4 km`; nil if it is unknown.
    func soFar(_ place: Place) -> String? { place.distance.map(text) }

    /// `pace 5:30/km`; nil for an interval without a pace.
    func pace(_ place: Place) -> String? {
        place.pace.map { localized("pace \($0.text(in: unit.paceUnit).replacing(" /", with: "/"))") }
    }

    /// A distance so far: `350 m`, `3.4 km`, `0.2 mi`.
    private func text(_ distance: Distance) -> String {
        if unit != .miles, distance.meters < 999.5 { return distance.text(in: .meters) }
        let tenths = Int((min(distance.count(in: unit), 1e12) * 10).rounded())
        return "\(tenths / 10).\(tenths % 10) \(unit.rawValue)"
    }

    /// `run 5 of 9, 0:22 left`; `rest 2 of 3, +1:05 until lap` for an interval until the lap button and the time so far.
    func now(_ place: Place, _ heard: Moment.Bar) -> String {
        name(place) + ", "
            + (place.isOpen
                ? localized("\(ShownRun.soFar(heard.waited)) until lap")
                : localized("\(ShownRun.left(heard.left)) left"))
    }

    /// The length of the interval that a boundary begins, at the speed of the performance: `0:30`, or `until lap`.
    func length(_ place: Place, _ real: Duration) -> String {
        place.isOpen ? localized("until lap") : real.shortText(decimals: 1)
    }

    /// All at once: `run 5 of 9, 0:22 left, then walk 0:30, 3.4 km, pace 5:30/km`.
    package func phrase(_ place: Place, _ heard: Moment.Bar) -> String {
        [now(place, heard), next(place), measures(place)].joinedNonempty(", ")
    }

    /// The time since the start, in whole seconds that are over, and the whole: `4:08 of 9:00`. If some intervals last
    /// until the lap button, both are without them: `4:08 of 9:00 timed`.
    func elapsed(_ heard: Moment.Bar) -> String {
        // A bar before a hold until the lap button lasts a millisecond, which nobody counts.
        let time = ShownRun.whole(heard.elapsed)
        guard let total = heard.total else { return hasOpenEnds ? localized("\(time) timed") : time }
        guard hasOpenEnds else { return localized("\(time) of \(total.clock(decimals: 0))") }
        return localized("\(time) of \(Duration.seconds(total.components.seconds).clock(decimals: 0)) timed")
    }

    /// Whole seconds that are over, as a clock.
    static func whole(_ time: Duration) -> String {
        Duration.seconds(max(time, .zero).components.seconds).clock(decimals: 0)
    }

    /// The time that an interval without an end has taken, in whole seconds that are over: `+1:05`, which no one takes for a
    /// time left.
    static func soFar(_ time: Duration) -> String { "+" + whole(time) }

    /// A time left as a clock, rounded up so that zero is not shown too early: `0:22`.
    static func left(_ duration: Duration) -> String {
        let (seconds, rest) = max(duration, .zero).components
        return Duration.seconds(rest > 0 ? seconds + 1 : seconds).clock(decimals: 0)
    }

    // MARK: - JSON

    /// What a program is told of a place.
    func fields(_ place: Place) -> [(String, JSON)] {
        func number(_ value: Double?) -> JSON {
            value.map { .number(Duration(inSeconds: $0).seconds(decimals: 3)) } ?? .null
        }
        return [
            ("interval", .number(place.row.number)), ("intervals", table.isEndless ? .null : .number(table.rows.count)),
            ("kind", .text(place.row.interval.kind.rawValue)), ("name", .text(place.row.interval.plainName)),
            ("name_number", .number(place.number)), ("name_count", place.count.map { .number($0) } ?? .null),
            ("distance_m", number(place.distance?.meters)),
            ("pace_s_per_km", number(place.pace?.time(per: .kilometers).inSeconds)),
            ("next_kind", .text(orNull: place.next?.row.interval.kind.rawValue)),
            ("next_name", .text(orNull: place.next?.row.interval.plainName)),
            ("next_s", .seconds(place.next.flatMap { $0.row.interval.isOpen ? nil : $0.time }, decimals: 3)),
            ("until", .text(orNull: place.isOpen ? "lap" : nil)),
        ]
    }
}

extension Interval {
    /// The name inside a sentence: the label as it is written, or the kind.
    var shownName: String { label.isEmpty ? kind.word : label }

    /// The name for programs, in English.
    fileprivate var plainName: String { label.isEmpty ? kind.rawValue : label }
}
