internal import Languages
internal import Scores
internal import Timing

/// Writes a timeline row by row while it is computed, since it may have millions of rows.
struct TimelineWriter {
    private let style: TimelineTable.Style
    /// What is not passed on yet, and who takes it.
    private var bytes: [UInt8] = []
    private let pass: ([UInt8]) throws -> Void
    private static let size = 1 << 16
    private var row: RowColumns
    private var hasRows = false

    /// Begins a timeline; a table has this head.
    init(_ style: TimelineTable.Style, head: String, to pass: @escaping ([UInt8]) throws -> Void) {
        (self.style, self.pass) = (style, pass)
        bytes.reserveCapacity(TimelineWriter.size + 1024)
        row = RowColumns(style)
        switch style {
        case .table: bytes.append(contentsOf: head.utf8)
        case .csv: break
        case .json: bytes.append(contentsOf: "[\n".utf8)
        }
    }

    /// Adds a row: a line for people, or the columns for programs. Every row has the same columns.
    mutating func add(_ line: @autoclosure () -> String, _ columns: (inout RowColumns) -> Void) throws {
        if style == .table {
            bytes.append(contentsOf: line().utf8)
        } else {
            row.clear()
            if style == .json { bytes.append(contentsOf: (hasRows ? ",\n  " : "  ").utf8) }
            columns(&row)
            if style == .csv, !hasRows { bytes.append(contentsOf: CSVText.line(row.names).utf8) }
            bytes.append(contentsOf: row.bytes)
            bytes.append(style == .csv ? UInt8(ascii: "\n") : UInt8(ascii: "}"))
        }
        hasRows = true
        if bytes.count >= TimelineWriter.size { try passOn() }
    }

    /// Ends the timeline; a table with its totals.
    mutating func end(_ count: String, _ total: Duration) throws {
        switch style {
        case .table: bytes.append(contentsOf: "\(count), \(total.clock(decimals: 3))\n".utf8)
        case .csv: break
        case .json: bytes.append(contentsOf: "\n]\n".utf8)
        }
        try passOn()
    }

    private mutating func passOn() throws {
        try pass(bytes)
        bytes.removeAll(keepingCapacity: true)
    }
}

/// The columns of a row for programs, written as they come, since there may be millions of rows.
struct RowColumns {
    let style: TimelineTable.Style
    /// The names of the first row, in order.
    private(set) var names: [String] = []
    private var hasNames = false
    /// The row, without its end.
    fileprivate var bytes: [UInt8] = []
    private var isFirst = true

    fileprivate init(_ style: TimelineTable.Style) { self.style = style }

    /// Begins the next row.
    fileprivate mutating func clear() {
        hasNames = !names.isEmpty
        isFirst = true
        bytes.removeAll(keepingCapacity: true)
    }

    /// Adds a column.
    mutating func add(_ name: String, _ value: JSON) {
        if !hasNames { names.append(name) }
        if style == .csv {
            if !isFirst { bytes.append(UInt8(ascii: ",")) }
            value.append(csvTo: &bytes)
        } else {
            JSON.append(field: name, value, isFirst: isFirst, to: &bytes)
        }
        isFirst = false
    }
}

/// A start and a length in real time.
struct TimeSpan {
    let start: Duration
    let length: Duration

    /// The time between two positions.
    init(_ from: Duration, _ to: Duration, _ anchor: Anchor) {
        start = anchor.time(of: from)
        length = anchor.time(of: to) - start
    }
}

/// A bar in a timeline.
struct BarRow {
    var bar: TimedBar
    var span: TimeSpan
    /// The name of its voice, and the width of the column for it; nil if there is only one voice.
    var voice: (name: String, width: Int)?
    /// Its place in a film; nil if the score has no timecode.
    var film: FilmTime?

    static func head(voiceWidth: Int?, hasFilm: Bool) -> String {
        var columns = [
            voiceColumn(localized("voice"), voiceWidth), localized("index").padding(before: 7),
            localized("line.bar").column(12), localized("start s").column(16),
            localized("duration s").column(16),
        ]
        if hasFilm {
            columns += [localized("timecode").column(16), localized("frames/beat").column(13)]
        }
        return columns.joined() + "  " + localized("label") + "\n"
    }

    private static func voiceColumn(_ text: String, _ width: Int?) -> String {
        width.map { "  " + text.padding(to: max($0, localized("voice").columns)) } ?? ""
    }

    /// The row for people.
    var line: String {
        let columns = [
            BarRow.voiceColumn(voice?.name.printable ?? "", voice?.width), "\(bar.index + 1)".padding(before: 7),
            "\(bar.line).\(bar.bar)".column(12), span.start.seconds(decimals: 6).column(16),
            span.length.seconds(decimals: 6).column(16), film?.timecode.text.column(16) ?? "",
            film.map { ($0.framesPerBeat ?? "").column(13) } ?? "",
        ]
        let texts = ([bar.saidNumber] + bar.texts).filter { !$0.isEmpty }.map { "  \($0)" }
        return columns.joined() + texts.joined().printable + "\n"
    }

    /// Adds the columns for programs.
    func add(to row: inout RowColumns) {
        if let voice { row.add("voice", .text(voice.name)) }
        row.add("index", .whole(bar.index + 1))
        row.add("section", .text(bar.section))
        row.add("line", .whole(bar.line))
        row.add("bar", .whole(bar.bar))
        row.add("label", .text(bar.label))
        row.add("start_s", .time(span.start, decimals: 9))
        row.add("duration_s", .time(span.length, decimals: 9))
        row.add("number", .number(bar.number))
        if let film {
            row.add("timecode", .text(film.timecode.text))
            row.add("frames_per_beat", film.framesPerBeat.map { .number($0) } ?? .null)
        }
    }
}

/// A beat in a timeline.
struct BeatRow {
    var bar: TimedBar
    var number: Int
    var span: TimeSpan
    /// The tempo that is heard at it, in quarter notes per minute with at most six decimals; nil in a bar of seconds.
    var tempo: String?
    /// The hold on the beat, and whether it waits for a cue; nil without a hold.
    var hold: (span: TimeSpan, waits: Bool)?

    /// The beats of the bar that boundary `n` begins.
    static func all(of n: Int, _ passage: Passage, _ settings: InnerSettings, _ anchor: Anchor) -> [BeatRow] {
        passage.timedBeats(of: n, settings).map { beat in
            let quarters = beat.quarters.map { $0 * Double(anchor.speed.millionths) / 1e6 }
            return BeatRow(
                bar: passage.bar(of: n), number: beat.number, span: TimeSpan(beat.position, beat.end, anchor),
                tempo: quarters.map { (($0 * 1e6).rounded() / 1e6).plainText },
                hold: beat.hold.map { (TimeSpan($0.position, $0.position + $0.length, anchor), $0.waits) })
        }
    }

    static var head: String {
        let numbers = [
            localized("index").padding(before: 7), localized("line.bar").column(12),
            localized("beat").column(6), localized("start s").column(16),
            localized("duration s").column(16), localized("1/4 per min").column(15),
        ]
        let texts = [localized("meter").padding(to: 8), localized("hold").padding(to: 9), localized("label")]
        return numbers.joined() + texts.map { "  " + $0 }.joined() + "\n"
    }

    /// The row for people.
    var line: String {
        let hold = hold.map { hold in
            let length = hold.span.length > .zero ? ["\(hold.span.length.seconds(decimals: 3)) s"] : []
            return ((hold.waits ? [localized("until cue")] : []) + length).joined(separator: ", ")
        }
        let numbers = [
            "\(bar.index + 1)".padding(before: 7), "\(bar.line).\(bar.bar)".column(12),
            "\(number)".column(6), span.start.seconds(decimals: 6).column(16),
            span.length.seconds(decimals: 6).column(16), (tempo ?? "").column(15),
        ]
        let texts =
            [(bar.written.meter?.text ?? "").padding(to: 8), (hold ?? "").padding(to: 9)]
            + (number > 1 ? [] : ([bar.saidNumber] + bar.texts).filter { !$0.isEmpty })
        return (numbers.joined() + texts.map { "  " + $0 }.joined()).trimmedEnd.printable + "\n"
    }

    /// Adds the columns for programs; in CSV, a hold has three.
    func add(to row: inout RowColumns) {
        row.add("index", .whole(bar.index + 1))
        row.add("section", .text(bar.section))
        row.add("line", .whole(bar.line))
        row.add("bar", .whole(bar.bar))
        row.add("beat", .whole(number))
        row.add("label", .text(bar.label))
        row.add("start_s", .time(span.start, decimals: 9))
        row.add("duration_s", .time(span.length, decimals: 9))
        row.add("quarters_per_minute", tempo.map { .number($0) } ?? .null)
        row.add("meter", .text(orNull: bar.written.meter?.text))
        let begin = JSON.seconds(hold?.span.start, decimals: 9)
        let length = JSON.seconds(hold?.span.length, decimals: 9)
        let until: JSON = hold?.waits ?? false ? "cue" : .null
        if row.style == .csv {
            row.add("hold_start_s", begin)
            row.add("hold_s", length)
            row.add("hold_until", until)
        } else {
            row.add("hold", hold == nil ? .null : .object(["start_s": begin, "length_s": length, "until": until]))
        }
        row.add("number", .number(bar.number))
    }
}

extension TimedBar {
    /// What a row says of a bar: the section that begins with it, its label and its cue; each may be empty.
    fileprivate var texts: [String] { [isSectionStart ? section : "", label, cue] }
}

extension String {
    /// The text as a column of a table, with a space before it also where it is too long.
    fileprivate func column(_ width: Int) -> String { " " + padding(before: width - 1) }
}

/// A bar of music to film: its timecode, and frames per beat.
struct FilmTime {
    /// The timecode of the beginning of the bar.
    var timecode: Timecode
    /// How many frames each beat of the bar lasts, to three decimals; nil for a bar of seconds, or if they differ.
    var framesPerBeat: String?

    /// The columns of a bar of a voice that begins at a timecode, played at a speed.
    init(_ bar: TimedBar, of voice: Timeline, at timecode: Timecode, speed: Speed) {
        self.timecode = timecode
        guard let meter = bar.written.meter, let term = meter.terms.first,
            meter.terms.allSatisfy({ $0.beat == term.beat }), case .steady? = voice.tempo(ofBar: bar.index)
        else { return }
        let holds = bar.written.details.holds.reduce(Duration.zero) { $0 + $1.length }
        let music = speed.realDuration(of: bar.duration - holds)
        let share = (term.beat / meter.length) * timecode.rate.perSecond
        // As a number of frames is printed like a time, a second stands for a frame.
        let (whole, rest) = music.attoseconds.quotientAndRemainder(dividingBy: Int128(share.denominator))
        let (frames, isTooLarge) = whole.multipliedReportingOverflow(by: Int128(share.numerator))
        guard !isTooLarge, frames < .max / 2 else { return }
        let part = rest * Int128(share.numerator) / Int128(share.denominator)
        framesPerBeat = Duration(attoseconds: frames + part).seconds(decimals: 3)
    }
}
