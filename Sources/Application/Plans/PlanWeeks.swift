internal import Languages
package import Running
package import Scores

/// A plan of weeks as `barline plan` prints it: an overview, or one week in full.
struct PlanWeeks {
    var plan: TrainingPlan
    var unit: DistanceUnit
    var style: Table.Style

    /// The workouts as a table; for people with the totals of weeks.
    func overview() -> String {
        guard style.isForPeople else { return table.text(style) }
        var text = plan.title.isEmpty ? "" : plan.title.printable + "\n"
        text += table.text(style)
        if style == .markdown { text += "\n" }
        text += plan.weeks.keys.sorted().map { "\(totals(week: $0))\n" }.joined()
        return plan.weeks.count > 1 ? "\(text)\(plan.totals(in: unit))\n" : text
    }

    /// A week with all parts of its workouts.
    func week(_ number: Int) -> String {
        let part = PlanWeeks(plan: plan.only { $0.week == number }, unit: unit, style: style)
        guard style == .plain else { return style == .markdown ? part.overview() : part.table.text(style) }
        var text = ""
        for slot in part.plan.slots {
            guard let workout = plan[slot]?.plan else { continue }
            let title = workout.title.isEmpty ? "" : ": \(workout.title)"
            let place = [slot.day.localizedName, plan.date(slot)?.text, plan.time(slot)?.text].compactMap(\.self)
            text += "\(place.joined(separator: " "))\(title.printable)\n"
            text += plan.lines(slot).map { "  \($0.printable)\n" }.joined()
            if let table = try? PlanTable(workout) { text += "  \(table.totals(in: unit))\n" }
            text += "\n"
        }
        return text + totals(week: number) + "\n"
    }

    /// A row for each workout.
    private var table: Table {
        var table = Table(columns: [
            .number(localized("week"), "week"), .text(localized("day"), "day"), .text(localized("date"), "date"),
            .text(localized("at"), "start_time"), .text(localized("workout"), "title"), .text("", "workout"),
            .number(localized("time"), "time_s"), .number(localized("distance"), "distance_m"),
        ])
        for slot in plan.slots {
            guard let workout = plan[slot]?.plan else { continue }
            let extent = plan.extent(slot)
            var untitled = workout
            untitled.title = ""
            var parts = Table.Cell.text(untitled.summary)
            parts.shown = shortened(parts.shown)
            var time = Table.Cell.time(extent.time)
            time.shown = extent.time?.finishText(isGiven: plan.isTimeGiven([slot])) ?? ""
            table.rows.append([
                .number(slot.week), .text(slot.day.short), .text(plan.date(slot)?.text),
                .text(plan.time(slot)?.text), .text(workout.title), parts, time,
                .distance(extent.distance, unit),
            ])
        }
        return table
    }

    /// A workout in at most 60 columns.
    private func shortened(_ text: String) -> String {
        guard text.columns > 60 else { return text }
        var short = text
        while short.columns > 59 { short.removeLast() }
        return short + "…"
    }

    /// `week 3: 2 workouts, 1:38:25, 17.3 km, 5:41 /km`.
    private func totals(week: Int) -> String {
        let slots = plan.slots.filter { $0.week == week }
        let count = slots.count
        guard count > 0 else { return localized("week \(week): no workouts") }
        let workouts = count == 1 ? localized("1 workout") : localized("\(count) workouts")
        let extent = plan.extent(week: week).texts(in: unit, isTimeGiven: plan.isTimeGiven(slots)).prefix(3)
        return ([localized("week \(week): \(workouts)")] + extent).joined(separator: ", ")
    }
}

extension TrainingPlan {
    /// `12 weeks, 36 workouts, 40:12:00, 420 km, 5:44 /km`.
    package func totals(in unit: DistanceUnit) -> String {
        let counts = [
            weeks.count == 1 ? localized("1 week") : localized("\(weeks.count) weeks"),
            slots.count == 1 ? localized("1 workout") : localized("\(slots.count) workouts"),
        ]
        let extent = extent.texts(in: unit, isTimeGiven: isTimeGiven(slots)).prefix(3)
        return (counts + extent).joined(separator: ", ")
    }
}
