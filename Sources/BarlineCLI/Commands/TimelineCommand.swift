internal import ArgumentParser
internal import Languages
internal import Scores
internal import Timing

struct TimelineCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "timeline",
        abstract: localized("Print the time of every boundary."),
        discussion: localized(
            """
            Times are in seconds from the first boundary played (after the count-in), at the given speed or the \
            score's own. index counts bars from the start of the score, line and bar are the place, and number is the \
            printed bar number; the table shows it only if it differs from the index. If the score has a timecode, each \
            row has the timecode of its bar, with hundredths of a frame, and the length of a beat in frames.

            With --beats there is a row for every beat of the leading voice, heard or not, with the tempo at it in \
            quarter notes per minute, the meter, and the hold on it. Tempi are those that are heard at the speed.
            """))

    @Argument(help: ScoreChoice.help, completion: .score)
    var score: String

    @OptionGroup var passageOptions: PassageOptions

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
        let (page, passage, _, _) = try passageOptions.passage(of: .named(score))
        let speed = passageOptions.speed ?? page.speed
        let anchor = Anchor(speed: speed)
        if beats { return try printBeats(passage, InnerSettings(page), anchor) }
        let film = page.timecode.map { FilmTime($0.after(speed.realDuration(of: passage.bar(of: 0).start))) }
        let timeline = passage.timeline
        // The widest name of a voice; nil if there is only one voice.
        let width =
            timeline.companions.isEmpty
            ? nil : timeline.voices.map(\.name.printable.columns).max()
        let style: any TimelineStyle =
            if csv {
                CSVTimeline(hasVoices: width != nil, hasFilm: film != nil)
            } else if json {
                JSONTimeline(hasVoices: width != nil)
            } else {
                TableTimeline(voiceWidth: width, hasFilm: film != nil)
            }
        var output = StandardOutput()
        // A passage that repeats forever is printed once.
        let count = passage.count ?? passage.bars.count
        try output.write(style.head)
        var start = anchor.time(of: .zero)
        for n in 0..<count {
            // A duration is the difference of two exact starts, so that the rows add up.
            let end = anchor.time(of: passage.position(of: n + 1))
            var rows = [
                TimelineRow(passage.bar(of: n), start: start, duration: end - start, voice: timeline.voice.name)
            ]
            for companion in passage.companionBars(during: n) {
                let (begin, end) = (
                    anchor.time(of: companion.span.lowerBound), anchor.time(of: companion.span.upperBound)
                )
                rows.append(
                    TimelineRow(companion.bar, start: begin, duration: end - begin, voice: companion.voice.name))
            }
            for (i, var row) in rows.enumerated() {
                row.film = film?.at(row.start, row.bar, speed: speed)
                try output.write(style.row(row, isLast: n == count - 1 && i == rows.count - 1))
            }
            start = end
        }
        try output.write(style.foot(count: count, total: start))
        try output.flush()
    }

    private func printBeats(_ passage: Passage, _ settings: InnerSettings, _ anchor: Anchor) throws {
        let style: BeatTimeline = csv ? .csv : json ? .json : .table
        var output = StandardOutput()
        let count = passage.count ?? passage.bars.count
        try output.write(style.head)
        var beats = 0
        for n in 0..<count {
            let rows = BeatRow.all(of: n, passage, settings, anchor)
            for (index, row) in rows.enumerated() {
                try output.write(style.row(row, isLast: n == count - 1 && index == rows.count - 1))
            }
            beats += rows.count
        }
        try output.write(style.foot(beats: beats, total: anchor.time(of: passage.position(of: count))))
        try output.flush()
    }
}

/// A row of a timeline.
struct TimelineRow {
    var bar: TimedBar
    var start: Duration
    var duration: Duration
    /// The name of its voice; empty if there is only one.
    var voice: String
    /// Where it is in a film; nil if the score has no timecode.
    var film: FilmTime.Row?

    init(_ bar: TimedBar, start: Duration, duration: Duration, voice: String = "") {
        self.bar = bar
        self.start = start
        self.duration = duration
        self.voice = voice
    }
}

/// A way to print a timeline.
protocol TimelineStyle {
    var head: String { get }
    func row(_ row: TimelineRow, isLast: Bool) -> String
    func foot(count: Int, total: Duration) -> String
}

/// Columns for people.
struct TableTimeline: TimelineStyle {
    /// The columns of the voices' names; nil for one voice.
    let voiceWidth: Int?
    let hasFilm: Bool

    var head: String {
        var columns = [
            voice(localized("voice")), localized("index").padding(before: 7), localized("line.bar").padding(before: 12),
            localized("start s").padding(before: 16), localized("duration s").padding(before: 16),
        ]
        if hasFilm {
            columns += [localized("timecode").padding(before: 16), localized("frames/beat").padding(before: 13)]
        }
        return columns.joined() + "  " + localized("label") + "\n"
    }

    /// The column of voices; empty if there is only one voice.
    private func voice(_ text: String) -> String {
        voiceWidth.map { "  " + text.padding(to: max($0, localized("voice").columns)) } ?? ""
    }

    func row(_ row: TimelineRow, isLast: Bool) -> String {
        let place = "\(row.bar.line).\(row.bar.bar)"
        // The name of a section stands at its first bar, before the label.
        let section = row.bar.isSectionStart ? row.bar.section : ""
        let number = row.bar.number == row.bar.index + 1 ? "" : localized("no. \(row.bar.number)")
        let label = [number, section, row.bar.label, row.bar.cue].filter { !$0.isEmpty }.map { "  \($0)" }.joined()
        return voice(row.voice.printable) + "\(row.bar.index + 1)".padding(before: 7) + place.padding(before: 12)
            + row.start.seconds(decimals: 6).padding(before: 16) + row.duration.seconds(decimals: 6).padding(before: 16)
            + (row.film?.columns ?? "") + label.printable + "\n"
    }

    func foot(count: Int, total: Duration) -> String {
        (count == 1 ? localized("1 bar") : localized("\(count) bars")) + ", \(total.clock(decimals: 3))\n"
    }
}

/// CSV by RFC 4180. Labels with leading or trailing blanks are quoted, too, because readers, including this program,
/// trim unquoted fields.
struct CSVTimeline: TimelineStyle {
    let hasVoices: Bool
    let hasFilm: Bool

    var head: String {
        (hasVoices ? "voice," : "") + "index,section,line,bar,label,start_s,duration_s,number"
            + (hasFilm ? ",timecode,frames_per_beat" : "") + "\n"
    }

    func row(_ row: TimelineRow, isLast: Bool) -> String {
        (hasVoices ? CSVText.quoted(row.voice) + "," : "")
            + "\(row.bar.index + 1),\(CSVText.quoted(row.bar.section)),\(row.bar.line),\(row.bar.bar),\(CSVText.quoted(row.bar.label)),"
            + "\(row.start.seconds(decimals: 9)),\(row.duration.seconds(decimals: 9)),\(row.bar.number)"
            + (row.film.map { ",\($0.timecode.text),\($0.framesPerBeat ?? "")" } ?? "") + "\n"
    }

    func foot(count: Int, total: Duration) -> String { "" }
}

/// A JSON array with one object per line.
struct JSONTimeline: TimelineStyle {
    let hasVoices: Bool
    let head = "[\n"

    func row(_ row: TimelineRow, isLast: Bool) -> String {
        var fields: [(String, JSON)] = [
            ("index", .number(row.bar.index + 1)), ("section", .text(row.bar.section)),
            ("line", .number(row.bar.line)), ("bar", .number(row.bar.bar)), ("label", .text(row.bar.label)),
            ("start_s", .seconds(row.start, decimals: 9)), ("duration_s", .seconds(row.duration, decimals: 9)),
            ("number", .number(row.bar.number)),
        ]
        if hasVoices { fields.insert(("voice", .text(row.voice)), at: 0) }
        if let film = row.film {
            fields.append(("timecode", .text(film.timecode.text)))
            fields.append(("frames_per_beat", film.framesPerBeat.map { .number($0) } ?? .null))
        }
        return "  " + JSON.line(fields) + (isLast ? "\n" : ",\n")
    }

    func foot(count: Int, total: Duration) -> String { "]\n" }
}
