internal import Application
internal import ArgumentParser
internal import Languages
internal import Running

/// Options that choose a workout from a plan of weeks.
struct WeekOptions: ParsableArguments {
    @Option(help: .localized("In a plan of weeks: the number of the week.", valueName: "n"))
    var week: Int?

    @Option(
        help: .localized("In a plan of weeks: a day of the week (tue), a date, or today.", valueName: "day"),
        transform: { text in try OptionText.read(text, DayChoice.init(text:)) })
    var day: DayChoice?

    @Option(
        help: .localized("In a plan of weeks: the Monday of week 1, such as 2026-11-23.", valueName: "date"),
        transform: { text in try OptionText.read(text) { try CalendarWeek(startText: $0) } })
    var start: CalendarWeek?

    /// What the options choose.
    var choice: WorkoutChoice { WorkoutChoice(week: week, day: day, start: start) }

    func validate() throws {
        if let week, !TrainingPlan.weekRange.contains(week) {
            throw ValidationError(localized("--week must be 1 to 520"))
        }
        if week != nil, case .date = day {
            throw ValidationError(localized("--week cannot be used with a date in --day"))
        }
    }
}
