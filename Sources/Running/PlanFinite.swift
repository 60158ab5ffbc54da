extension Plan {
    /// The plan with its length written out as a group and the rest of the last round, for formats that have no overall
    /// length. It is as long as before, and its `length` is `.once`. Errors: those of `PlanTable`; `.endless` for a
    /// plan that repeats until stopped.
    public func writtenOut() throws(PlanError) -> Plan {
        var plan = self
        plan.length = .once
        switch length {
        case .once: return self
        case .forever: throw .endless
        case .time, .distance: break
        }
        let (head, body, tail) = frame
        let table = try PlanTable(self)
        let round = body.rowCount
        let repeated = table.rows.dropFirst(head.rowCount).dropLast(tail.rowCount)
        guard round > 0 else { throw .nothingRepeats }
        var whole = repeated.count / round
        // A last round whose last interval was cut is not whole.
        if whole > 0, whole * round == repeated.count, repeated.last?.interval != body.lastInterval { whole -= 1 }
        let rest = repeated.dropFirst(whole * round).map { Part.interval($0.interval) }
        plan.parts = head + (whole > 1 ? [.group(whole, body)] : whole == 1 ? body : []) + rest + tail
        return plan
    }
}

extension [Plan.Part] {
    /// The last interval.
    fileprivate var lastInterval: Interval? {
        switch last {
        case .interval(let interval): interval
        case .group(_, let parts): parts.lastInterval
        case nil: nil
        }
    }
}
