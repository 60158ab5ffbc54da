internal import Languages
internal import Scores

extension PlanEditor {
    /// The totals, as far as they are known.
    package var total: Extent { totalAsGiven.total }

    /// The totals, and whether the time was given and does not follow from paces.
    var totalAsGiven: (total: Extent, isTimeGiven: Bool) {
        guard !plan.parts.isEmpty, let table = try? PlanTable(plan) else {
            return (Extent(time: .zero, distance: .zero), true)
        }
        return (table.total, table.isTimeGiven)
    }

    /// The plan with a total as typed, such as `2:16:50`, `10mi` or `11:00/mi`.
    ///
    /// The locked total follows, and the third one stays. Two totals, such as `5mi in 50:00`, give the third, which
    /// becomes the result. Errors: the total is the locked one, is unknown, or no pace of running reaches the totals;
    /// then the message says why.
    func planWithTotal(_ text: String) throws(Problem) -> (plan: Plan, result: Run.Quantity) {
        var scanner = TextCursor(runText: text)
        let first = try scanner.quantity()
        var wanted = first.range
        var second: TextCursor.Found?
        scanner.skipJoint()
        if scanner.next != nil {
            let found = try scanner.quantity()
            second = found
            wanted = wanted.lowerBound..<found.range.upperBound
            scanner.skipBlanks()
            guard scanner.next == nil else {
                throw Problem(scanner.token(), localized("give only two of distance, time and pace"))
            }
        }
        guard !plan.parts.isEmpty else { throw Problem(wanted, PlanError.empty.textError) }
        let target: Run
        if let second {
            target = try Run(first, second)
        } else {
            guard first.value.quantity != result else {
                throw Problem(wanted, result.says.isResult, hint: localized("press Esc and l to lock another one"))
            }
            if case .time(let time) = first.value, total.distance == nil {
                // The distance of a walk without a pace does not matter if the runs are over distances.
                if plan.length == .once, let paced = try? plan.paced(forTime: time) { return (paced, result) }
                // Without paces there is no distance to keep, and the time is only the length.
                var changed = plan
                changed.length = .time(time)
                return (changed, result)
            }
            target = try self.target(first.value, wanted)
        }
        let fills: Run.Quantity = if case .distance = first.value { .distance } else { .time }
        do throws(PlanError) {
            let fitted = try plan.fitted(to: target.distance, in: target.time, fills: fills)
            return (fitted, second == nil ? result : target.result)
        } catch {
            throw Problem(wanted, error.textError)
        }
    }

    /// The three totals after one of them is set: that one as typed, the one that is neither typed nor locked as it was.
    private func target(_ typed: RunQuantity, _ range: Range<Int>) throws(Problem) -> Run {
        let total = total
        func known<Value>(_ value: Value?, _ quantity: Run.Quantity) throws(Problem) -> Value {
            if let value { return value }
            if let open = plan.openToFit { throw Problem(range, open.textError) }
            throw Problem(
                range, quantity.says.isUnknown,
                hint: localized("press Esc, and p to set the pace of a kind, as in run: 9:00/mi"))
        }
        do {
            switch (typed, result) {
            case (.distance(let distance), .time): return try Run(distance, at: known(total.pace, .pace))
            case (.distance(let distance), _): return try Run(distance, in: known(total.time, .time))
            case (.time(let time), .distance): return try Run(time, at: known(total.pace, .pace))
            case (.time(let time), _): return try Run(known(total.distance, .distance), in: time)
            case (.pace(let pace), .time) where total.distance != nil:
                return try Run(known(total.distance, .distance), at: pace)
            case (.pace(let pace), _): return try Run(known(total.time, .time), at: pace)
            }
        } catch let fault as Problem {
            throw fault
        } catch {
            throw Problem(range, "\(error)")
        }
    }
}
