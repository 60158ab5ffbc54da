internal import Charts
internal import Files
internal import Languages
internal import Scores
internal import Timing

/// A summary and a plot of the timing of a performance. `print` writes it to standard output.
package struct ReportRequest: Sendable {
    /// The timing log, or `-` for standard input; of a recording, the score.
    package var file: String
    /// The timing log of another machine, with which the first is compared.
    package var other: String?
    /// The path of a recording whose clicks are measured.
    package var recording: String?
    /// The part of the score that has been recorded.
    package var passage = PassageRequest()
    /// Whether it is about the taps in the log: how long each bar was held.
    package var taps = false
    /// CSV is only for taps.
    package var style = Table.Style.plain
    /// The path of a picture; nil for none.
    package var svg: String?

    /// The maximum size of a log in bytes: 256 MiB, about three million rows.
    private static let limit = 256 << 20

    package init(_ file: String) { self.file = file }

    /// Prints it, and writes the picture. Errors: `ProgramEnd`, whose reason has been told.
    package func print() throws {
        try OutputFile.refuse(svg, as: [recording]) {
            localized("'\($0)' is the recording: give the picture another name")
        }
        try OutputFile.refuse(svg, as: [file, other]) { localized("'\($0)' is the log: give the picture another name") }
        try OutputFile.checkPicture(svg)
        if let recording {
            try OutputFile.check([svg], read: [LoadedScore.path(file)] + passage.reading.files)
            let heard = try HeardScore(passage, file)
            try OutputFile.check([svg], read: heard.files)
            let trace = TimingTrace(try RecordedTiming.rows(recording, heard), of: .clicks)
            return try print(trace, title(recording), trace.summary.text, trace.summary.json)
        }
        let all = try read(file)
        if taps { return try print(TappedBars(all)) }
        let rows = all.filter { !$0.isTap }
        guard let other else {
            let trace = TimingTrace(rows)
            let count = all.count - rows.count
            let note = count == 0 ? "" : localized("taps   \(count); --taps shows how long each bar was held") + "\n"
            return try print(trace, title(file), trace.summary.text + note, trace.summary.json)
        }
        let comparison = TimingComparison(rows, try read(other).filter { !$0.isTap })
        guard !comparison.pairs.isEmpty else {
            let names = "\(TextError.shown(title(file))), \(TextError.shown(title(other)))"
            throw Failure.exit(.badData, localized("\(names): no bar was heard in both logs at the same time"))
        }
        try print(
            TimingTrace(comparison.rows), "\(title(other)) - \(title(file))", comparison.text, comparison.json,
            .difference)
    }

    private func print(_ tapped: TappedBars) throws {
        guard tapped.count > 0 else {
            let name = TextError.shown(title(file))
            throw Failure.exit(
                .badData,
                localized("\(name) has no bar that was tapped at its beginning and its end; the key j taps"))
        }
        let table = TappedTable(tapped)
        try OutputFile.write(HeldPicture.svg(of: table.held, title: title(file)), to: svg)
        try StandardOutput.print(style == .json ? table.json : style == .csv ? table.csv : table.text)
    }

    /// Prints a summary with a plot, or as JSON.
    private func print(
        _ trace: TimingTrace, _ title: String, _ text: String, _ line: String, _ quantity: TimingPlot.Quantity = .error
    ) throws {
        try OutputFile.write(TimingPicture.svg(of: trace, name: title, quantity), to: svg)
        guard style != .json else { return try StandardOutput.print(line + "\n") }
        let columns = min(max(StandardOutput.columns - 12, 20), 60)
        let plot = TimingPlot.text(of: trace, quantity, columns: columns, color: StandardOutput.hasColor)
        try StandardOutput.print(text + (plot.isEmpty ? "" : "\n" + plot))
    }

    private func title(_ file: String) -> String {
        file == "-" ? localized("standard input") : FileKind.name(of: file)
    }

    /// Reads a log and reports problems on standard error. An error ends the command.
    private func read(_ file: String) throws -> [TimingRow] {
        let name = file == "-" ? localized("standard input") : file
        let bytes = try InputFile.read(
            file, limit: ReportRequest.limit,
            localized("\(TextError.shown(name)) is not a timing log: it is larger than 256 MiB"))
        let (rows, diagnostics) = TimingLog.read(bytes, file: name)
        LoadedScore.report(diagnostics)
        if diagnostics.contains(where: { $0.severity == .error }) { throw ProgramEnd(.badData) }
        return rows
    }
}
