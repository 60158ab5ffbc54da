internal import Languages
package import Running
package import Scores
internal import UserSettings

/// A day of a plan of weeks.
package enum DayChoice: Hashable {
    case weekday(Weekday)
    case date(LocalDay)

    package init(text: String) throws(TextError) {
        if text.lowercased() == "today" {
            self = .date(LocalTime.now.day)
        } else if let day = Weekday(word: text) {
            self = .weekday(day)
        } else if let date = LocalDay(text: text) {
            self = .date(date)
        } else {
            throw TextError(localized("'\(text)' is not a day; write for example tue, 2026-11-24 or today"))
        }
    }
}

/// The workout of a plan of weeks that the user wants, as far as it is given.
package struct WorkoutChoice: Hashable {
    package var week: Int?
    package var day: DayChoice?
    package var start: CalendarWeek?

    package init(week: Int? = nil, day: DayChoice? = nil, start: CalendarWeek? = nil) {
        (self.week, self.day, self.start) = (week, day, start)
    }

    /// Whether anything is given.
    package var isGiven: Bool { self != WorkoutChoice() }

    /// The slot of the workout. Errors: the choice is incomplete, or there is no such workout.
    func slot(in plan: TrainingPlan) throws(TextError) -> TrainingPlan.Slot {
        let slot: TrainingPlan.Slot
        switch day {
        case .date(let date):
            guard plan.start != nil else {
                throw TextError(
                    localized("the plan has no dates"),
                    hint: localized("give the Monday of week 1: --start 2026-11-23, or a line start: in the plan"))
            }
            guard let found = plan.slot(on: date) else {
                throw TextError(localized("\(date.text) is in no week of the plan"))
            }
            slot = found
        case .weekday(let day):
            // A plan of one week needs no --week.
            guard let week = week ?? (plan.weeks.count == 1 ? plan.weeks.keys.first : nil) else {
                throw TextError(
                    localized("--day \(day.short) needs a week"), hint: localized("add --week with a number"))
            }
            try check(week, in: plan)
            slot = TrainingPlan.Slot(week: week, day: day)
        case nil:
            if let week { try check(week, in: plan) }
            let example = plan.slots.first { week == nil || $0.week == week } ?? plan.slots.first
            let options = example.map { "--week \($0.week) --day \($0.day.short)" } ?? localized("--week and --day")
            throw TextError(
                localized("this is a plan of weeks"), hint: localized("choose a workout: \(options), or --day today"))
        }
        guard plan[slot] != nil else {
            let days = plan.slots.filter { $0.week == slot.week }.map(\.day.short)
            throw TextError(
                localized("there is no workout on \(slot.day.localizedName) of week \(slot.week)"),
                hint: days.isEmpty
                    ? localized("the week has none") : localized("the week has \(days.joined(separator: ", "))"))
        }
        return slot
    }

    /// Refuses a week that a plan does not have.
    package func check(_ week: Int, in plan: TrainingPlan) throws(TextError) {
        guard plan.weeks[week] == nil else { return }
        let weeks = plan.weeks.keys.sorted().map(String.init)
        let all =
            weeks.count > 8 ? localized("\(weeks[0]) to \(weeks[weeks.count - 1])") : weeks.joined(separator: ", ")
        throw TextError(
            localized("the plan has no week \(week)"),
            hint: weeks.count == 1 ? localized("it has week \(all)") : localized("it has weeks \(all)"))
    }
}
