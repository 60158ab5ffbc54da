package import Scores

extension TrainingPlan {
    /// The unit of its distances and paces, miles before kilometers; nil if it has neither.
    package var unit: DistanceUnit? {
        let units = Set(slots.compactMap { self[$0]?.plan.unit })
        return units.contains(.miles) ? .miles : units.first
    }

    /// The training plan as text, which `read` reads back. What all workouts have in common is written once.
    package var text: String {
        let shared = sharedSettings
        var lines: [String] = []
        if !title.isEmpty { lines.append("title: \(title)") }
        if let start { lines.append("start: \(start.monday.text)") }
        if let time { lines.append("time: \(time.text)") }
        lines += shared.textLines
        for (week, days) in weeks.sorted(by: { $0.key < $1.key }) {
            if !lines.isEmpty { lines.append("") }
            guard !days.isEmpty else {
                lines.append("week \(week): {}")
                continue
            }
            lines.append("week \(week): {")
            for (day, workout) in days.sorted(by: { $0.key < $1.key }) {
                lines += workout.text(on: day, shared: shared).map { "  " + $0 }
            }
            lines.append("}")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The workout of a slot in lines, without its title and without the settings that all workouts share.
    package func lines(_ slot: Slot) -> [String] {
        guard var workout = self[slot] else { return [] }
        workout.plan.title = ""
        return workout.lines(without: sharedSettings)
    }

    private var sharedSettings: Plan { .sharedSettings(of: weeks.values.flatMap { $0.values.map(\.plan) }) }
}

extension TrainingPlan.Workout {
    /// The lines of the plan without settings that it shares with others.
    fileprivate func lines(without shared: Plan) -> [String] {
        var rest = plan
        rest.paces = rest.paces.filter { shared.paces[$0.key] == nil }
        if shared.threshold != nil { rest.threshold = nil }
        if shared.countIn != nil { rest.countIn = nil }
        if shared.cadence != nil { rest.cadence = nil }
        return rest.textLines
    }

    /// The workout as lines of a week.
    fileprivate func text(on day: Weekday, shared: Plan) -> [String] {
        var rest = self
        var key = day.short
        if let time { key += " at \(time.text)" }
        // A title with quotes does not fit into quotes.
        if !plan.title.isEmpty, !plan.title.contains("\"") {
            key += " \"\(plan.title)\""
            rest.plan.title = ""
        }
        let lines = rest.lines(without: shared)
        return lines.count == 1 ? ["\(key): \(lines[0])"] : ["\(key):"] + lines.map { "  " + $0 }
    }
}

extension Plan {
    /// The lines of its text that are not empty.
    package var textLines: [String] { text.split(separator: "\n").map(String.init) }

    /// A plan without parts that has the settings that are the same in all of these plans.
    fileprivate static func sharedSettings(of plans: [Plan]) -> Plan {
        var shared = Plan()
        guard let first = plans.first else { return shared }
        shared.paces = first.paces.filter { kind, pace in plans.allSatisfy { $0.paces[kind] == pace } }
        if plans.allSatisfy({ $0.threshold == first.threshold }) { shared.threshold = first.threshold }
        if plans.allSatisfy({ $0.countIn == first.countIn }) { shared.countIn = first.countIn }
        if plans.allSatisfy({ $0.cadence == first.cadence }) { shared.cadence = first.cadence }
        return shared
    }
}
