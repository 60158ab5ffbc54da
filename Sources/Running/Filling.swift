internal import Languages

/// How often a set fits into a distance or a time, and the remainder.
public struct Filling: Sendable, Equatable {
    /// The number of whole repetitions that fit.
    public var repetitions: Int
    /// Their sum.
    public var used: Extent
    /// The distance that is left; nil if a time is filled.
    public var distanceLeft: Distance?
    /// The time that is left; nil if a distance is filled.
    public var timeLeft: Duration?

    /// Fills a distance with a set whose distance is known.
    ///
    /// A set that falls short by a billionth counts as whole. Errors: the distance of the set is unknown or zero.
    public init(_ distance: Distance, with plan: Plan) throws(PlanError) {
        try plan.checkDistances()
        let set = plan.extent(plan.parts)
        guard let each = set.distance, each > .zero else { throw .nothingRepeats }
        repetitions = Int(max(min(1e9, distance / each + 1e-9), 0).rounded(.down))
        used = set.times(repetitions)
        let left = distance - each * Double(repetitions)
        distanceLeft = left.meters < 1e-6 ? .zero : left
    }

    /// Fills a time with a set whose duration is known. Errors: the duration is unknown or zero.
    public init(_ time: Duration, with plan: Plan) throws(PlanError) {
        try plan.checkTimes()
        let set = plan.extent(plan.parts)
        guard let each = set.time, each > .zero else { throw .nothingRepeats }
        let time = Extent.clamped(time)
        repetitions = Int(clamping: time.attoseconds / each.attoseconds)
        used = set.times(repetitions)
        timeLeft = time - each * repetitions
    }
}

extension Plan {
    /// The pace, for all runs that have none, at which the plan takes `time` once through.
    ///
    /// A run for a time takes that time at any pace; only runs for a distance depend on the pace. Errors: an interval
    /// of unknown time, or no pace of 0.001 to 100 m/s solves it.
    public func runPace(forTime time: Duration) throws(PlanError) -> Pace {
        var fixed = Duration.zero
        var way = Distance.zero
        for (index, (interval, count)) in counted.enumerated() {
            if interval.kind == .run, case .distance(let distance) = interval.measure {
                way = way + distance * Double(count)
            } else if let known = extent(interval).time {
                fixed = Extent.clamped(fixed + known * count)
            } else {
                throw unknownTime(index)
            }
        }
        guard way > .zero else {
            throw .noPace(localized("no run over a distance lacks a pace, so a running pace does not change the time"))
        }
        guard fixed < time else {
            throw .noPace(
                localized("everything else alone takes \(fixed.runText()), which is not less than \(time.runText())"))
        }
        let pace = Pace(way, in: time - fixed)
        guard pace.isValid else { throw .noPace(localized("no pace can be that fast or slow")) }
        return pace
    }

    /// The written intervals, each with the number of times it is done.
    private var counted: [(Interval, Int)] {
        func count(_ parts: [Part], _ factor: Int) -> [(Interval, Int)] {
            parts.flatMap { part in
                switch part {
                case .interval(let interval): [(interval, factor)]
                // 16 nested groups of 10 000 each are more than anybody runs.
                case .group(let times, let parts):
                    count(parts, min(factor * min(max(times, 0), Plan.rowLimit), Plan.rowLimit))
                }
            }
        }
        return count(parts, 1)
    }
}
