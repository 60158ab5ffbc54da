internal import Application
internal import ArgumentParser
internal import Languages

struct ReportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: localized("Summarize and plot the timing of a performance."),
        discussion: localized(
            """
            Reads the timing log of `barline play --timing-log`, and prints a summary and a plot of the error over \
            time. The error is heard time minus nominal time: negative is early. rms and maximum are about the mean; \
            the trend is a least-squares line.

            With the logs of a leader and of its follower, it prints how far apart they were, and since when they have \
            been together.

            With --taps, it prints how long you held each bar, by the key with which you tapped where bars begin.

            With --recording, it measures the clicks in a recording of this program, of the score that is named in place \
            of the log. The first click that is heard counts as on time.
            """))

    @Argument(
        help: .localized("A timing log, or - for standard input; with --recording, a score."), completion: .file())
    var file: String

    @Argument(
        help: .localized("The timing log of another machine, to compare it with the first.", valueName: "file"),
        completion: .file())
    var other: String?

    @Option(
        help: .localized("Measure the clicks in this recording.", valueName: "file"), completion: .file())
    var recording: String?

    @Flag(help: .localized("Show how long each bar was held, by the taps in the log."))
    var taps = false

    @OptionGroup var passageOptions: PassageOptions

    @Option(
        help: .localized("Write the plot to this file as an SVG picture.", valueName: "file"),
        completion: .file(extensions: ["svg"]))
    var svg: String?

    @Flag(help: .localized("Print the summary as a JSON object, without a plot."))
    var json = false

    @Flag(help: .localized("Print the bars of --taps as CSV."))
    var csv = false

    func validate() throws {
        if recording == nil, passageOptions.isGiven {
            throw ValidationError(localized("options of a score, such as --from and --speed, need --recording"))
        }
        if taps, recording != nil || other != nil {
            throw ValidationError(localized("--taps takes one timing log"))
        }
        if csv, !taps || json { throw ValidationError(localized("--csv needs --taps, and no --json")) }
        if svg == "-" {
            throw ValidationError(localized("--svg needs a file, because the summary goes to standard output"))
        }
        if recording != nil, other != nil {
            throw ValidationError(localized("--recording takes a score, and no second log"))
        }
        try OptionText.checkInputs([file, other])
    }

    func run() throws {
        var request = ReportRequest(file)
        (request.other, request.recording, request.passage) = (other, recording, passageOptions.request)
        (request.taps, request.svg, request.style) = (taps, svg, json ? .json : csv ? .csv : .plain)
        try request.print()
    }
}
