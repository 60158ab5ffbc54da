package import Scores

/// Weeks of workouts: each has a day and is a plan of its own.
package struct TrainingPlan: Sendable, Hashable {
    /// The title; empty for none.
    package var title: String
    /// The calendar week of week 1; nil if the plan has no dates.
    package var start: CalendarWeek?
    /// The time of day of workouts that have none; nil for the whole day.
    package var time: TimeOfDay?
    /// The workouts by the number of their week, 1...520, and their day. A week without workouts is a week of rest.
    package var weeks: [Int: [Weekday: Workout]]

    package static let weekRange = 1...520

    /// A workout of a day.
    package struct Workout: Sendable, Hashable {
        /// The plan, with all its settings.
        package var plan: Plan
        /// The time of day; nil for that of the training plan.
        package var time: TimeOfDay?

        package init(_ plan: Plan, time: TimeOfDay? = nil) { (self.plan, self.time) = (plan, time) }
    }

    /// The place of a workout in a training plan.
    package struct Slot: Sendable, Hashable, Comparable {
        /// The number of the week, from 1.
        package var week: Int
        package var day: Weekday

        package init(week: Int, day: Weekday) { (self.week, self.day) = (week, day) }

        /// "Week 3, Tuesday".
        package var name: String { "Week \(week), \(day.name)" }

        package static func < (a: Slot, b: Slot) -> Bool { (a.week, a.day) < (b.week, b.day) }
    }

    package init(
        title: String = "", start: CalendarWeek? = nil, time: TimeOfDay? = nil, weeks: [Int: [Weekday: Workout]] = [:]
    ) {
        (self.title, self.start, self.time, self.weeks) = (title, start, time, weeks)
    }

    /// The slots that have a workout, in order.
    package var slots: [Slot] {
        weeks.flatMap { week, days in days.keys.map { Slot(week: week, day: $0) } }.sorted()
    }

    package subscript(slot: Slot) -> Workout? { weeks[slot.week]?[slot.day] }

    /// The plan of a slot as a plan of its own: without a title, it has that of its place. Nil if there is none.
    package func plan(_ slot: Slot) -> Plan? {
        guard var plan = self[slot]?.plan else { return nil }
        if plan.title.isEmpty {
            let whole = title.isEmpty ? slot.name : "\(title), week \(slot.week), \(slot.day.name)"
            plan.title = whole.unicodeScalars.count <= PlanWords.nameLimit ? whole : slot.name
        }
        return plan
    }

    /// Replaces the plan of a slot that has a workout.
    package mutating func replace(_ slot: Slot, with plan: Plan) { weeks[slot.week]?[slot.day]?.plan = plan }

    /// Replaces each plan by what `change` makes of it.
    package mutating func changePlans(_ change: (inout Plan) -> Void) {
        weeks = weeks.mapValues {
            $0.mapValues { workout in
                var workout = workout
                change(&workout.plan)
                return workout
            }
        }
    }

    /// The training plan with only some of its workouts, at the same dates.
    package func only(_ isWanted: (Slot) -> Bool) -> TrainingPlan {
        var part = self
        for (week, days) in weeks {
            let wanted = days.filter { isWanted(Slot(week: week, day: $0.key)) }
            part.weeks[week] = wanted.isEmpty ? nil : wanted
        }
        return part
    }

    // MARK: - Dates and totals

    /// The date of a slot; nil if the plan has no dates.
    package func date(_ slot: Slot) -> LocalDay? { start?.day(slot.day, weeksLater: slot.week - 1) }

    /// The slot of a date, whether it has a workout or not; nil if the plan has no dates or the date is not in its weeks.
    package func slot(on date: LocalDay) -> Slot? {
        guard let start, date >= start.monday else { return nil }
        let week = (date.number - start.monday.number) / 7 + 1
        return weeks[week] == nil ? nil : Slot(week: week, day: Weekday(of: date))
    }

    /// The time of day of a slot; nil for the whole day.
    package func time(_ slot: Slot) -> TimeOfDay? { self[slot]?.time ?? time }

    /// The measures of a slot's workout, as far as they are known; those of an endless one are not.
    package func extent(_ slot: Slot) -> Extent { table(slot)?.total ?? Extent() }

    /// Whether the times of all these workouts were given, and do not follow from paces.
    package func isTimeGiven(_ slots: [Slot]) -> Bool { slots.allSatisfy { table($0)?.isTimeGiven ?? false } }

    private func table(_ slot: Slot) -> PlanTable? {
        self[slot].flatMap { $0.plan.length == .forever ? nil : try? PlanTable($0.plan) }
    }

    /// The sum of the workouts of a week.
    package func extent(week: Int) -> Extent {
        slots.filter { $0.week == week }.reduce(Extent(time: .zero, distance: .zero)) { $0 + extent($1) }
    }

    package var extent: Extent { slots.reduce(Extent(time: .zero, distance: .zero)) { $0 + extent($1) } }
}
