internal import Languages
internal import Running
internal import Scores

/// The goal of a plan: a distance or time that it fills, and the time in which all of it is run.
struct PlanGoal {
    var fill: Plan.Length?
    var target: Duration?
    var unit: DistanceUnit

    /// What came of a goal.
    struct Result {
        /// A line that states it; empty without a goal.
        let text: String
        /// The same as columns of a table for programs.
        let fields: [(key: String, value: JSON)]

        init(_ line: String? = nil, _ fields: [(key: String, value: JSON)] = []) {
            (text, self.fields) = (line.map { $0 + "\n" } ?? "", fields)
        }
    }

    /// Fits a plan to the goal.
    ///
    /// A filled distance or time alone changes only a plan that `isStored`: the table of others shows the plan as it is
    /// written. Errors: those of `Plan.fitted`, `Plan.paced` and `Filling`.
    func fit(_ plan: inout Plan, isStored: Bool) throws(PlanError) -> Result {
        guard let target else {
            return try fill.map { fill throws(PlanError) in try repeated(&plan, fill, isStored) } ?? Result()
        }
        let before = plan
        switch (fill, plan.length) {
        case (.distance(let distance), _), (nil, .distance(let distance)):
            plan = try plan.fitted(to: distance, in: target, fills: .distance)
            return paced(before, plan, distance.text(in: unit), target.finishText(isGiven: true))
        case (_, .time(let time)):
            throw .noPace(
                localized(
                    "the plan is for \(time.runText()), so it cannot have a target of \(target.runText()); leave one of them out"
                ))
        default:
            guard plan.length == .forever || plan.written.contains(where: \.isRunOverDistance) else {
                throw .noPace(
                    localized(
                        "no run is over a distance, so no pace changes how long the plan takes; --fill \(target.runText()) repeats it for that time"
                    ))
            }
            plan = try plan.paced(forTime: target)
            return paced(before, plan, nil, target.finishText(isGiven: true))
        }
    }

    /// What has become of the paces of a plan with the goal to go a way in a time. The way is nil if it is that of the plan.
    private func paced(_ before: Plan, _ plan: Plan, _ way: String?, _ limit: String) -> Result {
        if let pace = plan.paces[.run], pace != before.paces[.run] || plan.parts == before.parts {
            let shown = pace.goalText(in: unit.paceUnit)
            return Result(
                way.map { localized("to finish \($0) in \(limit), run at \(shown)") }
                    ?? localized("to finish in \(limit), run at \(shown)"),
                [("run_pace_s_per_km", Table.Cell.pace(pace, unit).value)])
        }
        if let way, let pace = plan.paces[.walk], pace != before.paces[.walk] {
            return Result(
                localized("to finish \(way) in \(limit), walk at \(pace.goalText(in: unit.paceUnit))"),
                [("walk_pace_s_per_km", Table.Cell.pace(pace, unit).value)])
        }
        // All runs have paces of their own, or are shares of a threshold: they change by one factor.
        for (old, new) in zip(before.written, plan.written) {
            guard let was = before.extent(old).pace, let pace = plan.extent(new).pace else { continue }
            let factor = pace.metersPerSecond / was.metersPerSecond
            guard (factor - 1).magnitude > 5e-7 else { continue }
            let percent = ((factor * 1000).rounded() / 10).plainText
            return Result(
                way.map {
                    localized("to finish \($0) in \(limit), run each part at \(percent) % of the speed you wrote")
                }
                    ?? localized("to finish in \(limit), run each part at \(percent) % of the speed you wrote"),
                [("speed_factor", .number(Duration(inSeconds: factor).seconds(decimals: 6)))])
        }
        return Result(
            way.map { localized("to finish \($0) in \(limit), keep to the paces of the plan") }
                ?? localized("to finish in \(limit), keep to the paces of the plan"),
            [("speed_factor", .number("1.000000"))])
    }

    private func repeated(_ plan: inout Plan, _ target: Plan.Length, _ isStored: Bool) throws(PlanError) -> Result {
        let (filling, name, left): (Filling, String, String)
        switch target {
        case .distance(let distance):
            filling = try Filling(distance, with: plan)
            (name, left) = (distance.text(in: unit), (filling.distanceLeft ?? .zero).text(in: unit))
        case .time(let time):
            filling = try Filling(time, with: plan)
            (name, left) = (time.runText(), (filling.timeLeft ?? .zero).runText())
        case .once, .forever: return Result()
        }
        if isStored { plan.length = target }
        let times = filling.repetitions == 1 ? localized("once") : localized("\(filling.repetitions) times")
        let used = filling.used.texts(in: unit).joined(separator: ", ")
        let isFull = (filling.distanceLeft ?? .zero) == .zero && (filling.timeLeft ?? .zero) == .zero
        let text =
            switch (filling.repetitions > 0, isStored && !isFull) {
            case (true, false): localized("\(name): \(times) (\(used)), \(left) left")
            case (false, false): localized("\(name): \(times), \(left) left")
            case (true, true): localized("\(name): \(times) (\(used)), and a last round that is cut after \(left)")
            case (false, true): localized("\(name): \(times), and a last round that is cut after \(left)")
            }
        let cells: [(String, Table.Cell)] = [
            ("fill_rounds", .number(filling.repetitions)), ("fill_time_s", .time(filling.used.time)),
            ("fill_distance_m", .distance(filling.used.distance, unit)), ("left_time_s", .time(filling.timeLeft)),
            ("left_distance_m", .distance(filling.distanceLeft, unit)),
        ]
        return Result(text, cells.map { ($0, $1.value) })
    }
}
