internal import Application
internal import ArgumentParser
internal import Charts
internal import Files
internal import Languages
internal import Scores
internal import Screens
internal import Timing

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
        if file == "-", other == "-" {
            throw ValidationError(localized("standard input can hold one log, not both"))
        }
    }

    func run() throws {
        if let svg, let recording, OutputFile.isSame(svg, as: recording) {
            throw Failure.exit(.cannotWrite, localized("'\(svg)' is the recording: give the picture another name"))
        }
        if let svg, OutputFile.isSame(svg, as: file) || other.map({ OutputFile.isSame(svg, as: $0) }) ?? false {
            throw Failure.exit(.cannotWrite, localized("'\(svg)' is the log: give the picture another name"))
        }
        if let svg { try OutputFile.checkPicture(svg) }
        if let recording {
            let trace = TimingTrace(try RecordedTiming.rows(recording, passageOptions.request, file))
            return try report(trace, title(recording), trace.summary.text, trace.summary.json, .error)
        }
        let all = try read(file)
        let rows = all.filter { !$0.isTap }
        if taps { return try report(TappedBars(all)) }
        guard let other else {
            let trace = TimingTrace(rows)
            let count = all.count - rows.count
            let note = count == 0 ? "" : localized("taps   \(count); --taps shows how long each bar was held") + "\n"
            return try report(trace, title(file), trace.summary.text + note, trace.summary.json, .error)
        }
        let comparison = TimingComparison(rows, try read(other).filter { !$0.isTap })
        guard !comparison.pairs.isEmpty else {
            let names = "\(TextError.shown(title(file))), \(TextError.shown(title(other)))"
            throw Failure.exit(.badData, localized("\(names): no bar was heard in both logs at the same time"))
        }
        try report(
            TimingTrace(comparison.rows), "\(title(other)) - \(title(file))", comparison.text, comparison.json,
            .difference)
    }

    /// Prints how long the bars were held, and writes the picture.
    private func report(_ tapped: TappedBars) throws {
        guard tapped.count > 0 else {
            let name = TextError.shown(title(file))
            throw Failure.exit(
                .badData,
                localized("\(name) has no bar that was tapped at its beginning and its end; the key j taps"))
        }
        let table = TappedTable(tapped)
        if let svg { try OutputFile.write(Array(HeldPicture.svg(of: table.held, title: title(file)).utf8), to: svg) }
        try StandardOutput.print(json ? table.json : csv ? table.csv : table.text)
    }

    /// Prints a summary with a plot, or as JSON, and writes the picture.
    private func report(
        _ trace: TimingTrace, _ title: String, _ text: String, _ line: String, _ quantity: TimingPlot.Quantity
    ) throws {
        if let svg {
            try OutputFile.write(Array(TimingPicture.svg(of: trace, name: title, quantity).utf8), to: svg)
        }
        guard !json else { return try StandardOutput.print(line + "\n") }
        let columns = min(max(Terminal.size.columns - 12, 20), 60)
        let plot = TimingPlot.text(of: trace, quantity, columns: columns, color: Terminal.hasColor(1))
        try StandardOutput.print(text + (plot.isEmpty ? "" : "\n" + plot))
    }

    private func title(_ file: String) -> String {
        file == "-" ? localized("standard input") : file.split(separator: "/").last.map(String.init) ?? file
    }

    /// The maximum size of a log in bytes: 256 MiB, about three million rows.
    private static let limit = 256 << 20

    /// Reads the log and reports problems on standard error. An error ends the command.
    private func read(_ file: String) throws -> [TimingRow] {
        let bytes: [UInt8]
        let name = file == "-" ? localized("standard input") : file
        let shown = TextError.shown(name)
        do throws(FileBytes.Fault) {
            bytes = try FileBytes.read(fileOrInput: file, limit: ReportCommand.limit)
        } catch {
            switch error {
            case .system(.noSuchFileOrDirectory): throw Failure.exit(.noInput, localized("there is no file \(shown)"))
            case .isDirectory: throw Failure.exit(.noInput, localized("\(shown) is a folder, not a timing log"))
            case .tooLarge:
                throw Failure.exit(.badData, localized("\(shown) is not a timing log: it is larger than 256 MiB"))
            case .system(let error): throw Failure.exit(.noInput, localized("\(shown) cannot be read: \(error)"))
            }
        }
        let (rows, diagnostics) = TimingLog.read(bytes, file: name)
        LoadedScore.report(diagnostics)
        if diagnostics.contains(where: { $0.severity == .error }) { throw ProgramEnd(.badData) }
        return rows
    }
}
