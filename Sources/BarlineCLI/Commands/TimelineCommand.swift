internal import Application
internal import ArgumentParser
internal import Languages
internal import Scores
internal import Timing
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
            "Count times from the start of a count-in of this length, as in a file of `render`: seconds, '1 bar' or '8 beats'.",
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
        let (page, passage, first, _, _) = try passageOptions.request.passage(of: .named(score))
        var performance = Performance(of: page, passage: passage)
        performance.first = first
        if let speed = passageOptions.speed { performance.speed = speed }
        performance.countIn = countIn ?? .off
        let style: TimelinePrinter.Style = csv ? .csv : json ? .json : .table
        let start = Anchor(
            time: performance.countInLength, position: passage.position(of: first), speed: performance.speed)
        // A passage that repeats forever is printed once.
        let boundaries = first..<(passage.count ?? passage.barsInPass)
        if beats { return try printBeats(boundaries, passage, InnerSettings(page), start, style) }
        try printBars(boundaries, passage, start, page.timecode, style)
    }

    private func printBars(
        _ boundaries: Range<Int>, _ passage: Passage, _ anchor: Anchor, _ timecode: Timecode?,
        _ style: TimelinePrinter.Style
    ) throws {
        let (timeline, speed) = (passage.timeline, anchor.speed)
        let film = timecode?.after(speed.realDuration(of: passage.bar(of: boundaries.lowerBound).start))
        // The widest name of a voice; nil if there is only one voice.
        let width = timeline.companions.isEmpty ? nil : timeline.voices.map(\.name.printable.columns).max()
        var printer = try TimelinePrinter(style, head: BarRow.head(voiceWidth: width, hasFilm: film != nil))
        func row(_ bar: TimedBar, _ start: Duration, _ end: Duration, _ voice: String) -> BarRow {
            // A duration is the difference of two exact starts, so that the rows add up.
            let span = TimeSpan(start, end, anchor)
            let place = film.map { FilmTime(bar, at: $0.after(span.start - anchor.time), speed: speed) }
            return BarRow(bar: bar, span: span, voice: width.map { (voice, $0) }, film: place)
        }
        var start = passage.position(of: boundaries.lowerBound)
        for n in boundaries {
            let end = passage.position(of: n + 1)
            let leading = row(passage.bar(of: n), start, end, timeline.voice.name)
            try printer.add(leading.line) { leading.add(to: &$0) }
            for companion in passage.companionBars(during: n) {
                let (bar, span) = (companion.bar, companion.span)
                let other = row(bar, span.lowerBound, span.upperBound, companion.voice.name)
                try printer.add(other.line) { other.add(to: &$0) }
            }
            start = end
        }
        let (count, total) = (boundaries.count, anchor.time(of: passage.position(of: boundaries.upperBound)))
        try printer.end(count == 1 ? localized("1 bar") : localized("\(count) bars"), total)
    }

    private func printBeats(
        _ boundaries: Range<Int>, _ passage: Passage, _ settings: InnerSettings, _ anchor: Anchor,
        _ style: TimelinePrinter.Style
    ) throws {
        var printer = try TimelinePrinter(style, head: BeatRow.head)
        var beats = 0
        for n in boundaries {
            let rows = BeatRow.all(of: n, passage, settings, anchor)
            for row in rows { try printer.add(row.line) { row.add(to: &$0) } }
            beats += rows.count
        }
        let total = anchor.time(of: passage.position(of: boundaries.upperBound))
        try printer.end(beats == 1 ? localized("1 beat") : localized("\(beats) beats"), total)
    }
}
