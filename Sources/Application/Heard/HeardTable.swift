internal import Charts
internal import Hearing
internal import Languages
internal import Running
internal import Scores
internal import Screens
internal import Timing

/// How long bars were held in a take, and how far they were out of tune, as a table for people and as JSON.
struct HeardTable {
    let held: HeldBars
    private let heard: HeardScore
    private let bars: [HeardBar]
    private let clicks: Int
    private let pitch: TakePitch
    private let notes: Bool

    /// With `notes`, the text has a row for each note.
    init(_ heard: HeardScore, _ bars: [HeardBar], clicks: Int, _ pitch: TakePitch, notes: Bool) {
        (self.heard, self.bars, self.clicks, self.pitch, self.notes) = (heard, bars, clicks, pitch, notes)
        held = HeldBars(bars) { (heard.passage.bar(of: bars[$0].bar), heard.written[bars[$0].bar]) }
    }

    /// The table and what it comes to.
    var text: String {
        var table = Table(columns: [
            .number(localized("line.bar"), ""), .text(localized("label"), ""), .number(localized("heard at"), ""),
            .number(localized("written"), ""), .number(localized("held"), ""), .number(localized("difference"), ""),
            .number("%", ""), .number(localized("cents"), ""), .number(localized("over the drone"), ""), .text("", ""),
        ])
        for (index, bar) in bars.enumerated() {
            let (row, cents) = (held.bars[index], pitch.cents(ofBar: index))
            table.rows.append([
                .text("\(row.line).\(row.bar)"), .text(row.label),
                bar.isSure ? time(bar.seconds) { $0.clock(decimals: 2) } : .empty,
                time(row.written) { $0.seconds(decimals: 2) }, time(row.held) { $0.seconds(decimals: 2) },
                row.excess.map { .text($0.fixed(2, signed: true)) } ?? .empty,
                row.share.map { .text(($0 * 100).fixed(0, signed: true)) } ?? .empty,
                TakePitch.cell(cents.note), TakePitch.cell(cents.interval), .text(word(bar)),
            ])
        }
        let each = notes && !pitch.notes.isEmpty ? "\n" + pitch.table(held).text(.plain) : ""
        let tuning = pitch.summary
        return table.text(.plain) + "\n" + held.textOfColumns + summary + "\n" + each
            + (tuning.isEmpty ? "" : "\n" + tuning)
    }

    private func word(_ bar: HeardBar) -> String {
        if bar.seconds == nil { return localized("not heard") }
        return [bar.isSure ? "" : localized("unsure"), bar.isRestart ? localized("begins again") : ""]
            .filter { !$0.isEmpty }.joined(separator: ", ")
    }

    private func time(_ seconds: Double?, _ text: (Duration) -> String) -> Table.Cell {
        seconds.map { .text(text(Duration(inSeconds: $0))) } ?? .empty
    }

    /// `24 of 26 bars are sure, 1 bar is unsure, 1 bar is not heard, tempo 98.2 % of what is written`.
    private var summary: String {
        let sure = bars.count(where: \.isSure)
        let missing = bars.count { $0.seconds == nil }
        let unsure = bars.count - sure - missing
        var parts = [
            sure == 1
                ? localized("1 of \(bars.count) bars is sure") : localized("\(sure) of \(bars.count) bars are sure")
        ]
        if unsure > 0 {
            parts.append(unsure == 1 ? localized("1 bar is unsure") : localized("\(unsure) bars are unsure"))
        }
        if missing > 0 {
            parts.append(missing == 1 ? localized("1 bar is not heard") : localized("\(missing) bars are not heard"))
        }
        if let tempo = held.tempo {
            parts.append(localized("tempo \((tempo * 100).fixed(1)) % of what is written"))
        }
        return parts.joined(separator: ", ")
    }

    /// An object with all bars and columns.
    var json: String {
        func seconds(_ value: Double?) -> JSON { value.map { .number($0.fixed(4)) } ?? .null }
        let rows = bars.enumerated().map { index, bar -> String in
            let (row, timed) = (held.bars[index], heard.passage.bar(of: bar.bar))
            let cents = pitch.cents(ofBar: index)
            return JSON.line([
                ("index", .number(timed.index + 1)), ("line", .number(row.line)), ("bar", .number(row.bar)),
                ("label", .text(row.label)), ("start_s", seconds(bar.seconds)), ("written_s", seconds(row.written)),
                ("held_s", seconds(row.held)), ("difference_s", seconds(row.excess)),
                ("confidence", .number(bar.confidence.fixed(3))),
                ("is_sure", .bool(bar.isSure)),
                ("begins_again", .bool(bar.isRestart)),
                ("cents", cents.note.map { .number($0.fixed(2)) } ?? .null),
                ("interval_cents", cents.interval.map { .number($0.fixed(2)) } ?? .null),
            ])
        }
        let notes = pitch.json(bars.map { heard.passage.bar(of: $0.bar).index + 1 })
        let columns = held.columns.map { column in
            JSON.line([
                ("bar", .number(column.bar)), ("count", .number(column.count)),
                ("difference_s", seconds(column.excess)),
                ("share", seconds(column.share)),
            ])
        }
        func list(_ lines: [String]) -> String {
            lines.isEmpty ? "[]" : "[\n" + lines.map { "    " + $0 }.joined(separator: ",\n") + "\n  ]"
        }
        return """
            {
              "tempo": \(seconds(held.tempo).line),
              "clicks": \(clicks),
              "bars": \(list(rows)),
              "columns": \(list(columns)),
              "notes": \(list(notes))
            }

            """
    }
}

extension HeldBars {
    /// The bars that were heard; `written` tells the bar of the score that one is, and how many seconds it should last.
    init(_ heard: [HeardBar], written: (Int) -> (bar: TimedBar, seconds: Double)) {
        self.init(
            heard.indices.map { index in
                let (bar, seconds) = written(index)
                return Bar(
                    line: bar.line, bar: bar.bar, label: bar.label, written: seconds,
                    held: heard.isHeldSure(index) ? heard.held(index) : nil, isRestart: heard[index].isRestart)
            })
    }
}
