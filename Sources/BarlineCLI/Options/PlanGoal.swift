internal import ArgumentParser
internal import Languages
internal import Running

/// A distance or a time to fill.
enum FillTarget {
    case distance(Distance)
    case time(Duration)

    init(text: String) throws {
        if let distance = try? Distance(runText: text) {
            self = .distance(distance)
        } else if let time = try? Duration(runText: text) {
            self = .time(time)
        } else {
            throw ValidationError(
                localized("'\(text)' is neither a distance nor a time; write for example 10mi or 2:00:00"))
        }
    }
}

/// The goal of a plan: `--fill` and `--target` of `barline plan`.
struct PlanGoal {
    var fill: FillTarget?
    var target: Duration?
    var unit: RunUnit

    /// Fits a plan to the goal; returns a line that states the result, empty without a goal.
    ///
    /// A filled distance or time alone changes only a plan that `isStored`: the table of others shows the plan as it is
    /// written. Errors: those of `Plan.fitted` and `Filling`.
    func fit(_ plan: inout Plan, isStored: Bool) throws(PlanError) -> String {
        guard let target else {
            return try fill.map { fill throws(PlanError) in try repeated(&plan, fill, isStored) } ?? ""
        }
        switch (fill, plan.length) {
        case (.distance(let distance), _), (nil, .distance(let distance)):
            return try paced(&plan, distance, target)
        case (_, .time(let time)):
            throw .noPace(
                localized(
                    "the plan is for \(time.runText()), so it cannot have a target of \(target.runText()); leave one of them out"
                )
            )
        default: break
        }
        guard plan.written.contains(where: { if case .distance = $0.measure { $0.kind == .run } else { false } }) else {
            return try repeated(&plan, .time(target), isStored)
        }
        let pace = try plan.runPace(forTime: target)
        plan.paces[.run] = pace
        return localized("to finish in \(target.runText()), run at \(pace.goalText(in: unit.pace))") + "\n"
    }

    private func paced(_ plan: inout Plan, _ distance: Distance, _ time: Duration) throws(PlanError) -> String {
        let before = plan
        plan = try plan.fitted(to: distance, in: time, fills: .distance)
        let (way, limit) = (distance.text(in: unit.distance), time.runText())
        if let pace = plan.paces[.run], pace != before.paces[.run] || plan.parts == before.parts {
            return localized("to finish \(way) in \(limit), run at \(pace.goalText(in: unit.pace))") + "\n"
        }
        if let pace = plan.paces[.walk], pace != before.paces[.walk] {
            return localized("to finish \(way) in \(limit), walk at \(pace.goalText(in: unit.pace))") + "\n"
        }
        // All runs have paces of their own, which change by one factor.
        for case (.run(let old), .run(let new)) in zip(before.written.map(\.measure), plan.written.map(\.measure))
        where old != new {
            let percent = (new.pace.metersPerSecond / old.pace.metersPerSecond - 1) * 100
            let tenths = (percent.magnitude * 10).rounded() / 10
            return
                (percent < 0
                ? localized("to finish \(way) in \(limit), run each part \(tenths) % slower than you wrote it")
                : localized("to finish \(way) in \(limit), run each part \(tenths) % faster than you wrote it")) + "\n"
        }
        return localized("to finish \(way) in \(limit), keep to the paces of the plan") + "\n"
    }

    private func repeated(_ plan: inout Plan, _ target: FillTarget, _ isStored: Bool) throws(PlanError) -> String {
        let (filling, name, left): (Filling, String, String)
        switch target {
        case .distance(let distance):
            filling = try Filling(distance, with: plan)
            (name, left) = (distance.text(in: unit.distance), (filling.distanceLeft ?? .zero).text(in: unit.distance))
            if isStored { plan.length = .distance(distance) }
        case .time(let time):
            filling = try Filling(time, with: plan)
            (name, left) = (time.runText(), (filling.timeLeft ?? .zero).runText())
            if isStored { plan.length = .time(time) }
        }
        let times = filling.repetitions == 1 ? localized("once") : localized("\(filling.repetitions) times")
        guard filling.repetitions > 0 else { return localized("\(name): \(times), \(left) left") + "\n" }
        let used = filling.used.texts(in: unit.distance).joined(separator: ", ")
        return localized("\(name): \(times) (\(used)), \(left) left") + "\n"
    }
}
