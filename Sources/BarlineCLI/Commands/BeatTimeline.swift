internal import Languages
internal import Scores
internal import Timing

/// A beat in a timeline, in real time.
struct BeatRow {
    var bar: TimedBar
    var number: Int
    var start: Duration
    var duration: Duration
    /// The tempo that is heard at it, in quarter notes per minute; nil in a bar of seconds.
    var quarters: Double?
    /// The start and the length of the hold on the beat; nil without a hold.
    var hold: (start: Duration, length: Duration, waits: Bool)?

    /// The beats of the bar that boundary `n` begins.
    static func all(of n: Int, _ passage: Passage, _ settings: InnerSettings, _ anchor: Anchor) -> [BeatRow] {
        let bar = passage.bar(of: n)
        return passage.timedBeats(of: n, settings).map { beat in
            let start = anchor.time(of: beat.position)
            let hold = beat.hold.map { hold in
                let begin = anchor.time(of: hold.position)
                return (begin, anchor.time(of: hold.position + hold.length) - begin, hold.waits)
            }
            return BeatRow(
                bar: bar, number: beat.number, start: start, duration: anchor.time(of: beat.end) - start,
                quarters: beat.quarters.map { $0 * Double(anchor.speed.millionths) / 1e6 }, hold: hold)
        }
    }

    /// The meter of the bar; nil for a bar of seconds.
    var meter: String? { bar.written.meter?.text }

    /// The tempo with at most six decimals.
    var tempo: String? { quarters.map { (($0 * 1e6).rounded() / 1e6).plainText } }
}

/// A way to print a timeline of beats.
enum BeatTimeline {
    case table, csv, json

    var head: String {
        switch self {
        case .table:
            BeatTimeline.tableHead
        case .csv:
            "index,section,line,bar,beat,label,start_s,duration_s,quarters_per_minute,meter,"
                + "hold_start_s,hold_s,hold_until,number\n"
        case .json: "[\n"
        }
    }

    private static var tableHead: String {
        let numbers = [
            localized("index").padding(before: 7), localized("line.bar").padding(before: 12),
            localized("beat").padding(before: 6), localized("start s").padding(before: 16),
            localized("duration s").padding(before: 16), localized("1/4 per min").padding(before: 15),
        ]
        let texts = [localized("meter").padding(to: 8), localized("hold").padding(to: 9), localized("label")]
        return numbers.joined() + texts.map { "  " + $0 }.joined() + "\n"
    }

    func row(_ row: BeatRow, isLast: Bool) -> String {
        switch self {
        case .table: table(row)
        case .csv: csv(row)
        case .json: "  " + json(row) + (isLast ? "\n" : ",\n")
        }
    }

    func foot(beats: Int, total: Duration) -> String {
        switch self {
        case .table:
            (beats == 1 ? localized("1 beat") : localized("\(beats) beats")) + ", \(total.clock(decimals: 3))\n"
        case .csv: ""
        case .json: "]\n"
        }
    }

    private func table(_ row: BeatRow) -> String {
        let bar = row.bar
        let hold = row.hold.map { hold in
            let length = hold.length > .zero ? ["\(hold.length.seconds(decimals: 3)) s"] : []
            return ((hold.waits ? [localized("until cue")] : []) + length).joined(separator: ", ")
        }
        // The name of a section stands at its first bar, before the label.
        let texts = row.number > 1 ? [] : [bar.isSectionStart ? bar.section : "", bar.label, bar.cue]
        let line =
            "\(bar.index + 1)".padding(before: 7) + "\(bar.line).\(bar.bar)".padding(before: 12)
            + "\(row.number)".padding(before: 6) + row.start.seconds(decimals: 6).padding(before: 16)
            + row.duration.seconds(decimals: 6).padding(before: 16) + (row.tempo ?? "").padding(before: 15)
        let columns = [(row.meter ?? "").padding(to: 8), (hold ?? "").padding(to: 9)] + texts.filter { !$0.isEmpty }
        let whole = line + columns.map { "  " + $0 }.joined()
        return String(whole.reversed().drop { $0 == " " }.reversed()).printable + "\n"
    }

    private func csv(_ row: BeatRow) -> String {
        let bar = row.bar
        let hold = row.hold.map {
            [$0.start.seconds(decimals: 9), $0.length.seconds(decimals: 9), $0.waits ? "cue" : ""]
        }
        let fields =
            ["\(bar.index + 1)", CSVText.quoted(bar.section), "\(bar.line)", "\(bar.bar)", "\(row.number)"]
            + [CSVText.quoted(bar.label), row.start.seconds(decimals: 9), row.duration.seconds(decimals: 9)]
            + [row.tempo ?? "", CSVText.quoted(row.meter ?? "")] + (hold ?? ["", "", ""]) + ["\(bar.number)"]
        return fields.joined(separator: ",") + "\n"
    }

    private func json(_ row: BeatRow) -> String {
        let bar = row.bar
        return JSON.object([
            "index": .number(bar.index + 1), "section": .text(bar.section), "line": .number(bar.line),
            "bar": .number(bar.bar), "beat": .number(row.number), "label": .text(bar.label),
            "start_s": .seconds(row.start, decimals: 9), "duration_s": .seconds(row.duration, decimals: 9),
            "quarters_per_minute": row.tempo.map { .number($0) } ?? .null, "meter": .text(orNull: row.meter),
            "hold": row.hold.map { hold in
                .object([
                    "start_s": .seconds(hold.start, decimals: 9), "length_s": .seconds(hold.length, decimals: 9),
                    "until": .text(orNull: hold.waits ? "cue" : nil),
                ])
            } ?? .null, "number": .number(bar.number),
        ]).line
    }
}
