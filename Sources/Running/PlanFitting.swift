internal import Languages
internal import Scores

extension Plan {
    /// The plan with other totals: `distance` in `time`, both exactly.
    ///
    /// A plan that is done once keeps its parts if a running pace alone can do it. Otherwise everything but warm-up and
    /// cool-down repeats until the totals are full, and the last round is cut there. The pace of running changes: that
    /// of the plan, for the runs that have no pace of their own; if every run has one, all of these change by the same
    /// factor. A plan without a run changes its walking in the same way. `fills` tells whether a plan that must repeat
    /// is given a distance or a time for its length.
    ///
    /// Errors: an interval whose time or distance is unknown; a length that warm-up and cool-down use up; totals that no
    /// pace reaches. Then the message says why.
    public func fitted(to distance: Distance, in time: Duration, fills: Run.Quantity = .time) throws(PlanError) -> Plan
    {
        guard !parts.isEmpty else { throw .empty }
        if let openToFit { throw openToFit }
        let fit = PlanFit(self, Run.timeRange.contains(time) ? time : .zero, distance)
        if let index = fit.unknownTime { throw unknownTime(index) }
        if let index = fit.unknownDistance { throw unknownDistance(index) }
        guard distance.isValid, Run.timeRange.contains(time) else {
            throw .noPace(localized("no plan has these totals"))
        }
        switch length {
        case .once, .forever:
            if let factor = fit.factorOnce, let plan = checked(fit, factor, length, distance, time) { return plan }
        case .time, .distance: break
        }
        guard !frame.body.isEmpty else { throw .nothingRepeats }
        let factor = try fit.factorRepeated()
        var isDistance = fills == .distance
        if case .distance = length { isDistance = true }
        if case .time = length { isDistance = false }
        // If the time ends in a rest, the distance is full before it, so that only a length in time has both totals.
        let lengths: [Length] = isDistance ? [.distance(distance), .time(time)] : [.time(time), .distance(distance)]
        for length in lengths {
            if let plan = checked(fit, factor, length, distance, time) { return plan }
        }
        // A plan that is too long says so.
        var plan = fit.paced(self, by: factor)
        plan.length = lengths[0]
        _ = try PlanTable(plan)
        throw .noPace(localized("the plan cannot be cut so that it goes this far in this time"))
    }

    /// The error of fitting a plan that has an interval until the lap button; nil for a plan that has none.
    var openToFit: PlanError? {
        written.first(where: \.isOpen).map { open in
            .noPace(
                localized("'\(open.text)' ends with the lap button; give it a time, so that the plan can be fitted"))
        }
    }

    /// The plan with a length, its paces changed by a factor; nil if that does not have these totals.
    private func checked(
        _ fit: PlanFit, _ factor: Double, _ length: Length, _ distance: Distance, _ time: Duration
    ) -> Plan? {
        var plan = fit.paced(self, by: factor)
        plan.length = length
        guard let total = try? PlanTable(plan).total, let way = total.distance, let all = total.time,
            (way - distance).meters.magnitude <= 1e-5 + 1e-9 * distance.meters
        else { return nil }
        return (all - time).inSeconds.magnitude <= 1e-3 ? plan : nil
    }
}

/// The equations of `Plan.fitted`: how far the plan has come at a time, if the pace of running changes by a factor.
///
/// The way is a continuous function of the factor and never decreases: whoever runs faster is at every boundary of
/// intervals earlier, and farther. So one bisection finds the factor.
private struct PlanFit {
    /// One interval. Either its time or its distance is fixed, and the other depends on the speed.
    private struct Leg {
        /// The time in seconds; for a moving leg of a distance, 0.
        var seconds = 0.0
        /// The distance in meters; for a moving leg of a time, 0.
        var meters = 0.0
        /// The speed in meters per second before the change; 0 for a leg that does not move.
        var speed = 0.0

        func seconds(_ factor: Double) -> Double { speed > 0 && seconds == 0 ? meters / (speed * factor) : seconds }
        func meters(_ factor: Double) -> Double { speed > 0 && meters == 0 ? seconds * speed * factor : meters }
    }

    /// The index of the first written interval whose time stays unknown; nil if there is none.
    var unknownTime: Int?
    /// The same for its distance.
    var unknownDistance: Int?
    private let time: Double
    private let way: Double
    /// The activity whose pace changes.
    private let kind: Interval.Kind
    /// Whether all intervals of that kind have paces of their own, which change by a factor.
    private let ownPaces: Bool
    private let range: ClosedRange<Double>
    private var fixed = Leg()
    private var round: [Leg] = []
    private var all: [Leg] = []

    init(_ plan: Plan, _ time: Duration, _ distance: Distance) {
        (self.time, way) = (time.inSeconds, distance.meters)
        let written = plan.written
        let kind: Interval.Kind = written.contains { $0.kind == .run } ? .run : .walk
        let own = written.allSatisfy { $0.kind != kind || $0.hasOwnPace }
        (self.kind, ownPaces) = (kind, own)
        let speeds = written.compactMap { $0.kind == kind ? plan.ownPace($0)?.metersPerSecond : nil }
        if own, let slowest = speeds.min(), let fastest = speeds.max() {
            let least = Pace.range.lowerBound / slowest
            range = least...max(Pace.range.upperBound / fastest, least)
        } else {
            range = Pace.range
        }
        func leg(_ interval: Interval) -> Leg {
            let isMoving = interval.kind == kind && own == interval.hasOwnPace
            guard isMoving else {
                let known = plan.extent(interval)
                return Leg(seconds: known.time?.inSeconds ?? 0, meters: known.distance?.meters ?? 0)
            }
            let speed = plan.ownPace(interval)?.metersPerSecond ?? 1
            switch interval.measure {
            case .time(let time): return Leg(seconds: time.inSeconds, speed: speed)
            case .distance(let distance): return Leg(meters: distance.meters, speed: speed)
            case .open: return Leg()
            case .run(let run):
                let speed = run.pace.metersPerSecond
                return run.result == .distance
                    ? Leg(seconds: run.time.inSeconds, speed: speed) : Leg(meters: run.distance.meters, speed: speed)
            }
        }
        let (head, body, tail) = plan.frame
        guard (head + body + tail).rowCount <= Plan.rowLimit else { return }
        for (index, interval) in written.enumerated() where !(interval.kind == kind && !interval.hasOwnPace) {
            let known = plan.extent(interval)
            if known.time == nil { unknownTime = unknownTime ?? index }
            if known.distance == nil { unknownDistance = unknownDistance ?? index }
        }
        var legs: [Leg] = []
        Plan.unfold(head + tail, 0) { interval, _ in legs.append(leg(interval)) }
        for leg in legs { fixed = Leg(seconds: fixed.seconds + leg.seconds, meters: fixed.meters + leg.meters) }
        Plan.unfold(body, 0) { interval, _ in round.append(leg(interval)) }
        all = legs + round
    }

    /// The factor at which the plan, once through, has both totals, if only one of them depends on it. 1 if there is
    /// nothing to change; nil if that cannot be.
    var factorOnce: Double? {
        var (seconds, meters, running, run) = (0.0, 0.0, 0.0, 0.0)
        for leg in all {
            if leg.speed > 0, leg.seconds == 0 { run += leg.meters / leg.speed }
            if leg.speed > 0, leg.meters == 0 { running += leg.seconds * leg.speed }
            seconds += leg.seconds
            meters += leg.meters
        }
        let factor = run > 0 ? run / (time - seconds) : running > 0 ? (way - meters) / running : 1
        return range.contains(factor) ? factor : nil
    }

    /// The factor at which the plan, repeated up to the time, has gone the way.
    func factorRepeated() throws(PlanError) -> Double {
        guard fixed.seconds < time else { throw .lengthUsedUp }
        guard !round.isEmpty else { throw .tooManyRows }
        func isNear(_ meters: Double) -> Bool { (meters - way).magnitude <= 1e-9 * way }
        if ownPaces, range.contains(1), isNear(meters(1)) { return 1 }
        var (low, high) = (range.lowerBound, range.upperBound)
        let (least, most) = (meters(low), meters(high))
        let shown = Distance(meters: way).text(in: .kilometers)
        let span = Duration(inSeconds: time).runText()
        guard all.contains(where: { $0.speed > 0 }) else {
            throw .noPace(localized("the plan has no run or walk whose pace could change to make \(shown) in \(span)"))
        }
        if isNear(most) { return high }
        if isNear(least) { return low }
        guard way < most else {
            throw .noPace(
                least == most
                    ? localized("the plan does not come to its first run in \(span)")
                    : kind == .walk
                        ? localized("\(shown) in \(span) is faster than any pace: a walk is at most 100 m/s")
                        : localized("\(shown) in \(span) is faster than any pace: a run is at most 100 m/s"))
        }
        guard least < way else {
            let rest = Distance(meters: least).text(in: .kilometers)
            throw .noPace(localized("everything else alone goes \(rest) in \(span), which is not less than \(shown)"))
        }
        while true {
            let middle = low + (high - low) / 2
            guard low < middle, middle < high else { break }
            if meters(middle) < way { low = middle } else { high = middle }
        }
        return way - meters(low) < meters(high) - way ? low : high
    }

    /// The meters that the plan, repeated, has gone at its time. Warm-up and cool-down count as a whole.
    private func meters(_ factor: Double) -> Double {
        var left = time - fixed.seconds
        let seconds = round.reduce(0) { $0 + $1.seconds(factor) }
        let whole = seconds > 0 ? (left / seconds).rounded(.down) : 0
        left -= whole * seconds
        var meters = fixed.meters + whole * round.reduce(0) { $0 + $1.meters(factor) }
        for leg in round {
            let seconds = leg.seconds(factor)
            guard seconds < left else {
                return meters + (seconds > 0 ? leg.meters(factor) * max(left, 0) / seconds : 0)
            }
            left -= seconds
            meters += leg.meters(factor)
        }
        return meters
    }

    /// A plan with its paces changed by a factor.
    func paced(_ plan: Plan, by factor: Double) -> Plan {
        var paced = plan
        if ownPaces {
            if factor != 1 {
                paced.parts = plan.parts.mapIntervals { $0.paced(kind, by: factor, plan.threshold) ?? $0 }
            }
        } else {
            // A pace that is as good as the present one keeps its digits.
            let isSame = plan.paces[kind].map { ($0.metersPerSecond / factor - 1).magnitude < 1e-13 } ?? false
            if !isSame { paced.paces[kind] = Pace(metersPerSecond: factor) }
        }
        return paced
    }
}
