internal import Languages
package import Playback
package import Running
package import Scores
package import Timing

/// The words for a plan of intervals, which plays as a score: those of runners.
package struct RunWords: PieceWords {
    package let (plan, unit): (Plan?, DistanceUnit?)
    /// Whether another machine leads, so that nobody can press the lap button here.
    package var isLed = false
    private let places: RunPlaces
    private let distances: DistanceUnit

    /// The words for a plan, with distances and paces in kilometers or miles; nil if it cannot be laid out, or has no intervals.
    package init?(_ plan: Plan, in unit: DistanceUnit) {
        guard let places = RunPlaces(plan) else { return nil }
        (self.plan, self.unit, self.places, distances) = (plan, unit, places, unit)
    }

    package var hasOpenEnds: Bool { places.hasOpenEnds }

    /// `5 intervals, about 16:00`, or `at least 12:00` if it is unknown how long one until the lap button takes; nil if there is
    /// none.
    private func openTotals(_ performance: Performance) -> String? {
        guard hasOpenEnds, let length = performance.length else { return nil }
        let count = RunPlaces.shown(count: performance.count)
        guard let open = places.estimate(performance) else {
            return localized("\(count), at least \(RunWords.whole(length))")
        }
        return count + ", " + localized("about \(RunWords.whole(length + open))")
    }

    package func header(_ status: Status) -> String {
        let performance = status.performance
        let counted =
            openTotals(performance).map { [$0] }
            ?? [RunPlaces.shown(count: performance.count), performance.length?.shortText(decimals: 1) ?? ""]
        let speed = status.speed == .asWritten ? "" : "\(status.speed)"
        let drone = status.firstDrone.map { Wording.drone($0, performance) } ?? ""
        let more = [speed, drone, Wording.latency(status) ?? ""]
        return ([Wording.title(performance)] + counted + more).joinedNonempty(", ")
    }

    // MARK: - The bar of a boundary

    package func name(ofBar index: Int, _ performance: Performance) -> String { places.shortName(ofBar: index) }

    package func shortName(of bar: TimedBar) -> String { places.shortName(ofBar: bar.index) }

    package func place(_ n: Int, _ status: Status) -> String { name(places.place(n, status)) }

    package func pagePlace(_ n: Int, _ status: Status) -> String {
        let place = places.place(n, status)
        return [name(place), measures(place)].joinedNonempty(", ")
    }

    /// The interval, its number and how many there are; all but running is low.
    package func pageTexts(_ n: Int, _ status: Status) -> [(name: String, text: String)]? {
        let place = places.place(n, status)
        return [
            ("word", ""), ("name", place.row.interval.shownName), ("box", "\(place.number)"),
            ("of", place.count.map { "/\($0)" } ?? ""),
        ] + (place.row.interval.kind == .run ? [] : [("isLow", "yes")])
    }

    package func pageMeasures(_ n: Int, _ status: Status) -> (meters: (before: Double, length: Double)?, asks: String)?
    {
        let (begin, end) = (places.place(n, status), places.place(n, over: 1, status))
        let meters = begin.distance.flatMap { from in end.distance.map { (from.meters, $0.meters - from.meters) } }
        return (meters, pace(begin) ?? "")
    }

    package func row(_ n: Int, _ status: Status) -> PlannedRow? {
        let place = places.place(n, status)
        let demands = place.row.interval.demands
        return PlannedRow(
            name: name(place), metersPerSecond: place.pace?.metersPerSecond, demands: demands.shown(),
            demandsAtOtherSpeeds: demands.shown(asWritten: false))
    }

    package func isOpen(_ n: Int, _ status: Status) -> Bool { places.place(n, status).isOpen }

    /// `  4:30  run 5 of 9, 0:30, 1.4 km, pace 5:30/km`: start, place, length, distance before it, and pace.
    package func line(_ n: Int, _ status: Status) -> String {
        let (passage, place) = (status.performance.passage, places.place(n, status))
        let start = status.performance.clock(at: passage.position(of: n), inBarOf: n)
        let length = length(place, status.speed.realDuration(of: passage.bar(of: n).duration))
        return [
            start.shortText(decimals: 1).padding(before: 9) + "  " + name(place),
            place.isOpen && !isLed ? localized("\(length) (`barline continue` goes on)") : length, measures(place),
        ].joinedNonempty(", ")
    }

    // MARK: - The bar that is heard

    /// In whole seconds that are over: `4:08 of 9:00`. If some intervals last until the lap button, both are without them:
    /// `4:08 of 9:00 timed`.
    package func elapsed(_ heard: Moment.Bar) -> String {
        // A bar before a hold until the lap button lasts a millisecond, which nobody counts.
        let time = RunWords.whole(heard.elapsed)
        guard let total = heard.total else { return hasOpenEnds ? localized("\(time) timed") : time }
        guard hasOpenEnds else { return localized("\(time) of \(total.clock(decimals: 0))") }
        return localized("\(time) of \(Duration.seconds(total.components.seconds).clock(decimals: 0)) timed")
    }

    package func phrases(_ heard: Moment.Bar, _ status: Status) -> [String] {
        [phrase(heard, status), elapsed(heard)]
    }

    package func fields(_ heard: Moment.Bar, _ status: Status) -> [(String, JSON)] {
        let place = places.place(heard, status)
        func number(_ value: Double?) -> JSON {
            value.map { .number(Duration(inSeconds: $0).seconds(decimals: 3)) } ?? .null
        }
        return [
            ("interval", .number(place.interval)),
            ("intervals", places.table.isEndless ? .null : .number(places.table.rows.count)),
            ("kind", .text(place.row.interval.kind.rawValue)), ("name", .text(place.row.interval.plainName)),
            ("name_number", .number(place.number)), ("name_count", place.count.map { .number($0) } ?? .null),
            ("distance_m", number(place.distance?.meters)),
            ("pace_s_per_km", number(place.pace?.time(per: .kilometers).inSeconds)),
            ("effort", .text(orNull: place.demands)),
            ("next_kind", .text(orNull: place.next?.row.interval.kind.rawValue)),
            ("next_name", .text(orNull: place.next?.row.interval.plainName)),
            ("next_s", .seconds(place.next.flatMap { $0.row.interval.isOpen ? nil : $0.time }, decimals: 3)),
            ("until", .text(orNull: place.isOpen ? "lap" : nil)),
        ]
    }

    package func notification(_ heard: Moment.Bar, _ status: Status) -> (title: String, text: String) {
        let place = places.place(heard, status)
        let name = name(place)
        let title = "\(name.prefix(1).uppercased())\(name.dropFirst()), \(length(place, heard.duration))"
        return (title, [next(place), measures(place)].joinedNonempty(", ").printable + "\n" + elapsed(heard))
    }

    package func stopped(_ heard: Moment.Bar, _ status: Status) -> [String] {
        let place = places.place(heard, status)
        return [localized("stopped in \(name(place))"), soFar(place) ?? ""]
    }

    /// On a screen with room, the first row tells all, and the row of the next bar how the voice counts the intervals.
    package func stand(_ heard: Moment.Bar, _ status: Status, isShort: Bool) -> StandWords {
        let place = places.place(heard, status)
        if isShort { return ([now(place, heard)], measures(place), next(place)) }
        return ([phrase(heard, status)], "", interval(place))
    }

    package func largeTime(_ heard: Moment.Bar, _ status: Status) -> String {
        if isOpen(heard.boundary, status) { return RunWords.soFar(heard.waited) }
        return RunWords.left(heard.left, of: heard.duration)
            .padding(before: RunWords.left(heard.duration, of: heard.duration).count)
    }

    package func largeNumber(_ heard: Moment.Bar) -> String { "\(heard.bar.index + 1)" }

    // MARK: - Texts

    /// All at once: `run 5 of 9, 0:22 left, then walk 0:30, 3.4 km, pace 5:30/km`.
    package func phrase(_ heard: Moment.Bar, _ status: Status) -> String {
        let place = places.place(heard, status)
        return [now(place, heard), next(place), measures(place)].joinedNonempty(", ")
    }

    /// `run 5 of 9`; `warm-up` if there is only one.
    private func name(_ place: RunPlaces.Place) -> String {
        let name = place.row.interval.shownName
        guard let count = place.count else { return "\(name) \(place.number)" }
        return count == 1 ? name : localized("\(name) \(place.number) of \(count)")
    }

    /// `interval 9 of 18`, as the voice counts them.
    private func interval(_ place: RunPlaces.Place) -> String {
        places.table.isEndless
            ? localized("interval \(place.interval)")
            : localized("interval \(place.interval) of \(places.table.rows.count)")
    }

    /// `then walk 0:30`, `then run 400 m`, `then the end`.
    private func next(_ place: RunPlaces.Place) -> String {
        guard let next = place.next else { return localized("then the end") }
        let interval = next.row.interval
        return switch interval.measure {
        case .open: localized("then \(interval.shownName) until lap")
        case .distance(let distance): localized("then \(interval.shownName) \(distance.writtenText(in: distances))")
        case .run(let run) where run.result != .distance:
            localized("then \(interval.shownName) \(run.distance.writtenText(in: distances))")
        case .time, .run: localized("then \(interval.shownName) \(next.time.shortText(decimals: 1))")
        }
    }

    /// `3.4 km, pace 5:30/km`, as far as they are known.
    private func measures(_ place: RunPlaces.Place) -> String {
        [soFar(place), pace(place)].compactMap(\.self).joined(separator: ", ")
    }

    /// The distance since the start, `3.4 km`; nil if it is unknown.
    private func soFar(_ place: RunPlaces.Place) -> String? { place.distance.map(text) }

    /// `pace 5:30/km`, `Z2 HR`, or `80%, pace 6:15/km`; nil for an interval that has none of these.
    private func pace(_ place: RunPlaces.Place) -> String? {
        let pace = place.pace.map { localized("pace \($0.text(in: distances.paceUnit).replacing(" /", with: "/"))") }
        let all = [place.demands, pace].compactMap(\.self).joined(separator: ", ")
        return all.isEmpty ? nil : all
    }

    /// A distance so far: `350 m`, `3.4 km`, `0.2 mi`.
    private func text(_ distance: Distance) -> String {
        if distances != .miles, distance.meters < 999.5 { return distance.text(in: .meters) }
        let tenths = Int((min(distance.count(in: distances), 1e12) * 10).rounded())
        return "\(tenths / 10).\(tenths % 10) \(distances.rawValue)"
    }

    /// `run 5 of 9, 0:22 left`; `rest 2 of 3, +1:05 until lap` for an interval until the lap button and the time so far.
    private func now(_ place: RunPlaces.Place, _ heard: Moment.Bar) -> String {
        name(place) + ", "
            + (place.isOpen
                ? localized("\(RunWords.soFar(heard.waited)) until lap")
                : localized("\(RunWords.left(heard.left, of: heard.duration)) left"))
    }

    /// The length of the interval that a boundary begins, at the speed of the performance: `0:30`, or `until lap`.
    private func length(_ place: RunPlaces.Place, _ real: Duration) -> String {
        // Only `every` has shorter ones than a second, which a tenth would not tell from another.
        place.isOpen ? localized("until lap") : real.shortText(decimals: real < .seconds(1) ? 3 : 1)
    }

    /// Whole seconds that are over, as a clock.
    private static func whole(_ time: Duration) -> String {
        Duration.seconds(max(time, .zero).components.seconds).clock(decimals: 0)
    }

    /// The time that an interval without an end has taken, in whole seconds that are over: `+1:05`, which no one takes for a
    /// time left.
    private static func soFar(_ time: Duration) -> String { "+" + whole(time) }

    /// The time left of an interval as a clock, rounded up so that zero is not shown too early: `0:22`. One of less than ten
    /// seconds has tenths if it is not whole, as the bars of scores do, so that never more is left than it lasts: `0:00.7`.
    private static func left(_ left: Duration, of whole: Duration) -> String {
        guard whole >= .seconds(10) || whole.components.attoseconds == 0 else {
            return "0:0" + Wording.left(left, of: whole)
        }
        let (seconds, rest) = max(left, .zero).components
        return Duration.seconds(rest > 0 ? seconds + 1 : seconds).clock(decimals: 0)
    }
}

extension Interval {
    /// The name for programs, in English.
    fileprivate var plainName: String { label.isEmpty ? kind.rawValue : label }
}
