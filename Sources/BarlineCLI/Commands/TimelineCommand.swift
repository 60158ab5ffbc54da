internal import Application
internal import ArgumentParser
internal import Languages
internal import Scores
internal import UserSettings

struct TimelineCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "timeline",
        abstract: localized("Print the time of every boundary."),
        discussion: localized(
            """
            Times are in seconds from the first boundary played (with --count-in, from its start), at the given speed \
            or the score's own. index counts bars from the start of the score, line and bar are the place, and number is the \
            printed bar number; the table shows it only if it differs from the index. If the score has a timecode, each \
            row has the timecode of its bar, with hundredths of a frame, and the length of a beat in frames.

            With --beats there is a row for every beat of the leading voice, heard or not, with the tempo at it in \
            quarter notes per minute, the meter, and the hold on it. Tempi are those that are heard at the speed.
            """))

    @Argument(help: ScoreChoice.help, completion: .score)
    var score: String

    @OptionGroup var passageOptions: PassageOptions

    @Option(
        parsing: .unconditional,
        help: .localized(
            "Count times from the start of a count-in of this length, as in a file of `render` to within one frame of the sound: seconds, '1 bar' or '8 beats'.",
            valueName: "length"),
        transform: { try OptionText.read($0, Setting.countIn) })
    var countIn: Score.Lead?

    @Flag(help: .localized("Print a row for every beat, with its tempo, meter and hold."))
    var beats = false

    @Flag(help: .localized("Print CSV with a header line."))
    var csv = false

    @Flag(help: .localized("Print a JSON array of objects."))
    var json = false

    func validate() throws {
        if csv, json { throw ValidationError(localized("--csv and --json cannot both be given")) }
    }

    func run() throws {
        var request = TimelineRequest(score)
        (request.passage, request.countIn, request.beats) = (passageOptions.request, countIn, beats)
        request.style = csv ? .csv : json ? .json : .table
        try request.print()
    }
}
