/// The end of an interval that lasts until the runner presses the lap button.
public struct OpenEnd: Sendable, Hashable {
    /// The time that the interval takes about, where nobody can press a button, as in a sound file; nil if nobody said.
    public var about: Duration?
    /// The pace of the interval; nil for that of its kind.
    public var pace: Pace?

    /// Makes an end. The time is in `Run.timeRange`.
    public init(about: Duration? = nil, pace: Pace? = nil) { (self.about, self.pace) = (about, pace) }

    /// The measure of the interval if it takes that time; nil without one.
    var estimate: Interval.Measure? {
        guard let about else { return nil }
        return pace.flatMap { try? Run(about, at: $0) }.map { .run($0) } ?? .time(about)
    }
}

extension Interval {
    /// Whether it lasts until the runner presses the lap button.
    package var isOpen: Bool { if case .open = measure { true } else { false } }
}

extension Plan {
    /// Whether some of its intervals last until the lap button.
    package var hasOpenEnds: Bool { written.contains(where: \.isOpen) }

    /// The plan with a time for the intervals until the lap button that have none.
    package func estimating(_ time: Duration) -> Plan {
        mapping { .open(OpenEnd(about: $0.about ?? time, pace: $0.pace)) }
    }

    /// The plan for a listener who cannot press a button: intervals until the lap button get the times that they take
    /// about. Errors: one has no such time.
    package func closed() throws(PlanError) -> Plan {
        if let index = written.firstIndex(where: { $0.isOpen && extent($0).time == nil }) { throw .open(index) }
        return mapping { $0.estimate ?? .open($0) }
    }

    /// The plan with another measure for each interval until the lap button.
    private func mapping(_ measure: (OpenEnd) -> Interval.Measure) -> Plan {
        var plan = self
        plan.parts = parts.mapIntervals { interval in
            guard case .open(let end) = interval.measure else { return interval }
            var changed = interval
            changed.measure = measure(end)
            return changed
        }
        return plan
    }

    /// The error for a written interval of unknown time.
    package func unknownTime(_ index: Int) -> PlanError {
        let interval = written[index]
        if interval.isOpen { return .open(index) }
        return lacksThreshold(interval) ? .noThreshold(index) : .noTime(index)
    }

    /// The error for a written interval of unknown distance.
    func unknownDistance(_ index: Int) -> PlanError {
        let interval = written[index]
        if lacksThreshold(interval) { return .noThreshold(index) }
        return interval.isOpen && extent(interval).time == nil ? .open(index) : .noDistance(index)
    }

    private func lacksThreshold(_ interval: Interval) -> Bool {
        threshold == nil && interval.effort?.needsThreshold ?? false
    }

    /// Checks that the time of every interval is known.
    func checkTimes() throws(PlanError) {
        if let index = written.firstIndex(where: { extent($0).time == nil }) { throw unknownTime(index) }
    }

    /// Checks that the distance of every interval is known.
    func checkDistances() throws(PlanError) {
        guard let index = written.firstIndex(where: { extent($0).distance == nil }) else { return }
        throw unknownDistance(index)
    }
}
