extension Plan {
    /// The parts with the plan's length written out as a group and what is left of a last round, for formats that can
    /// say no more than that. A plan is as long as before, and `length` is `.once`.
    ///
    /// Errors: those of `PlanTable`; `.endless` for a plan that goes on until stopped.
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
        let heads = head.reduce(0) { $0 + $1.rowCount }
        let tails = tail.reduce(0) { $0 + $1.rowCount }
        let round = body.reduce(0) { $0 + $1.rowCount }
        let repeated = table.rows.dropFirst(heads).dropLast(tails)
        guard round > 0 else { throw .nothingRepeats }
        var whole = repeated.count / round
        // A last round that was cut in its last interval is not whole.
        if whole > 0, whole * round == repeated.count, repeated.last?.interval != body.lastInterval { whole -= 1 }
        let rest = repeated.dropFirst(whole * round).map { Part.interval($0.interval) }
        plan.parts = head + (whole > 0 ? [whole == 1 ? body : [.group(whole, body)]].flatMap(\.self) : []) + rest + tail
        return plan
    }
}

extension [Plan.Part] {
    /// The interval that is done last.
    fileprivate var lastInterval: Interval? {
        switch last {
        case .interval(let interval): interval
        case .group(_, let parts): parts.lastInterval
        case nil: nil
        }
    }
}
