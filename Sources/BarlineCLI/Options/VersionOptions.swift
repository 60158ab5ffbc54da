internal import Application
internal import ArgumentParser
internal import Languages
internal import Running
internal import Scores

/// Options for scores that leave choices open: the order of sections, the times of brackets, the voices.
struct VersionOptions: ParsableArguments {
    @Option(
        help: .localized(
            "The order of sections: its name in the score, a list of sections such as 'C,A,B', or 'page' for the written "
                + "order.", valueName: "order"))
    var order: String?

    @Option(
        help: .localized("Draw times for open brackets: the same seed gives the same times.", valueName: "seed"),
        transform: OptionText.seed)
    var realize: UInt64?

    @Option(
        help: .localized(
            "Only these voices of the score, for example 'flute' or 'flute,harp'; the first one leads.",
            valueName: "names"), completion: .voice)
    var voice: String?

    /// The same for the application.
    var request: VersionRequest {
        var request = VersionRequest()
        (request.order, request.realize, request.voice) = (order, realize, voice)
        return request
    }
}

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
