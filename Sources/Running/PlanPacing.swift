internal import Languages
package import Scores

extension Plan {
    /// The plan with running paces at which it takes `time`, once through.
    ///
    /// Runs over a distance that have no pace get one. If all have paces of their own, these change by the same factor. A
    /// run for a time takes that time at any pace. Errors: those of `runPace`; a plan that goes on forever.
    public func paced(forTime time: Duration) throws(PlanError) -> Plan {
        guard length != .forever else { throw .endless }
        var plan = self
        let written = written
        if written.contains(where: { $0.kind == .run && $0.isPaceless && !$0.hasOwnPace }) {
            plan.paces[.run] = try runPace(forTime: time)
            return plan
        }
        var (fixed, running) = (Duration.zero, Duration.zero)
        for (index, (interval, count)) in counted.enumerated() {
            guard let known = extent(interval).time else { throw unknownTime(index) }
            let sum = Extent.clamped(known * count)
            if interval.isRunOverDistance { running += sum } else { fixed += sum }
        }
        (fixed, running) = (Extent.clamped(fixed), Extent.clamped(running))
        guard running > .zero else {
            throw .noPace(
                localized(
                    "no run is over a distance, so no pace changes how long the plan takes, which is \(fixed.runText())"
                ))
        }
        guard fixed < time else { throw Plan.usedUp(fixed, time) }
        let factor = running.inSeconds / (time - fixed).inSeconds
        guard written.allSatisfy({ !$0.isRunOverDistance || $0.paced(.run, by: factor, threshold) != nil }) else {
            throw .noPace(localized("no pace can be that fast or slow"))
        }
        plan.parts = parts.mapIntervals { $0.isRunOverDistance ? $0.paced(.run, by: factor, threshold) ?? $0 : $0 }
        return plan
    }

    /// Writes paces that nobody wrote per this unit.
    package mutating func writePaces(per unit: DistanceUnit) {
        for (kind, pace) in paces where pace.written == nil { paces[kind]?.written = unit.paceUnit }
        parts = parts.mapIntervals { interval in
            guard case .run(var run) = interval.measure else { return interval }
            run.writePace(per: unit)
            var interval = interval
            interval.measure = .run(run)
            return interval
        }
    }

    private static func usedUp(_ fixed: Duration, _ time: Duration) -> PlanError {
        .noPace(localized("everything else alone takes \(fixed.runText()), which is not less than \(time.runText())"))
    }

    /// The pace, for all runs that have none, at which the plan takes `time` once through.
    ///
    /// A run for a time takes that time at any pace; only runs for a distance depend on the pace. Errors: an interval
    /// of unknown time, or no pace of 0.001 to 100 m/s solves it.
    public func runPace(forTime time: Duration) throws(PlanError) -> Pace {
        var fixed = Duration.zero
        var way = Distance.zero
        for (index, (interval, count)) in counted.enumerated() {
            if interval.kind == .run, !interval.hasOwnPace, case .distance(let distance) = interval.measure {
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
        guard fixed < time else { throw Plan.usedUp(fixed, time) }
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

extension Interval {
    /// Whether it is a run over a fixed distance, so that its pace changes its time.
    package var isRunOverDistance: Bool {
        if case .run(let run) = measure { kind == .run && run.result != .distance } else { kind == .run && isPaceless }
    }

    /// Whether it is over a distance and has no pace of its own.
    fileprivate var isPaceless: Bool { if case .distance = measure { true } else { false } }

    /// The interval with its own speed times `factor`, if it is of this kind; nil if no run has this pace.
    func paced(_ kind: Kind, by factor: Double, _ threshold: Pace?) -> Interval? {
        guard self.kind == kind, hasOwnPace else { return self }
        guard case .run(let run) = measure else { return effort(by: factor, threshold) }
        let pace = Pace(metersPerSecond: run.pace.metersPerSecond * factor)
        let changed: Run? =
            switch run.result {
            case .distance: try? Run(run.time, at: pace)
            case .time: try? Run(run.distance, at: pace)
            case .pace: try? Run(run.distance, in: pace.time(for: run.distance))
            }
        return changed.map { run in
            var interval = self
            interval.measure = .run(run)
            return interval
        }
    }
}
