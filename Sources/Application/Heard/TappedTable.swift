internal import Charts
internal import Languages
internal import Scores
internal import Timing

/// How long the player held each bar, by the taps of a timing log: a table for people, JSON and CSV.
struct TappedTable {
    let held: HeldBars
    private let tapped: TappedBars

    init(_ tapped: TappedBars) {
        self.tapped = tapped
        held = HeldBars(
            tapped.bars.map { bar in
                let written = bar.written.map { Double($0) / 1e9 }
                return HeldBars.Bar(
                    line: bar.row.line ?? 1, bar: bar.row.bar ?? bar.row.index, label: bar.row.label,
                    written: written ?? 0, held: written.flatMap { _ in bar.held.map { Double($0) / 1e9 } },
                    isRestart: bar.isRestart)
            })
    }

    /// The bars, the columns over the lines, and a summary.
    var text: String {
        bars.text(.plain) + "\n" + held.textOfColumns + summary + "\n"
    }

    var csv: String { bars.text(.csv) }

    /// An object with the bars, the columns and the summary.
    var json: String {
        let lateness = tapped.lateness
        func list(_ table: Table) -> String {
            table.rows.isEmpty ? "[]" : table.text(.json).split(separator: "\n").joined(separator: "\n  ")
        }
        return """
            {
              "taps": \(tapped.bars.count { $0.tapped != nil } + tapped.spare),
              "spare_taps": \(tapped.spare),
              "measured": \(tapped.count),
              "tempo": \(held.tempo.map { $0.fixed(4) } ?? "null"),
              "late_s": \(lateness.map { ($0.median / 1e9).fixed(4) } ?? "null"),
              "spread_s": \(lateness.map { ($0.spread / 1e9).fixed(4) } ?? "null"),
              "bars": \(list(bars)),
              "columns": \(list(held.tableOfColumns))
            }

            """
    }

    private var bars: Table {
        var table = Table(columns: [
            .number(localized("line.bar"), "place"), .text(localized("label"), "label"),
            .number(localized("begins"), "begins_s"), .number(localized("tapped"), "tapped_s"),
            .number(localized("late"), "late_s"), .number(localized("written"), "written_s"),
            .number(localized("held"), "held_s"), .number(localized("difference"), "difference_s"),
            .number("%", "percent"), .text("", "begins_again"),
        ])
        table.rows = tapped.bars.map { bar in
            let row = bar.row
            let place = row.line.flatMap { line in row.bar.map { "\(line).\($0)" } } ?? "\(row.index)"
            return [
                .text(place), .text(row.label), .time(row.nominalNanoseconds), .time(bar.tapped), .change(bar.late),
                .time(bar.written), .time(bar.written == nil ? nil : bar.held), .change(bar.excess),
                .percent(bar.excess.flatMap { excess in bar.written.map { Double(excess) / Double(max($0, 1)) } }),
                Table.Cell(
                    shown: bar.isRestart ? localized("begins again") : bar.tapped == nil ? localized("no tap") : "",
                    value: .bool(bar.isRestart)),
            ]
        }
        return table
    }

    /// `24 of 26 bars were measured; taps +12 ms from their boundaries, spread 18 ms; tempo 98.2 % of what is written`.
    private var summary: String {
        var parts = [localized("\(tapped.count) of \(tapped.bars.count) bars are measured")]
        if let (median, spread) = tapped.lateness {
            let (late, about) = ((median / 1e6).fixed(0, signed: true), (spread / 1e6).fixed(0))
            parts.append(localized("taps \(late) ms from their boundaries, spread \(about) ms"))
        }
        if let tempo = held.tempo {
            parts.append(localized("tempo \((tempo * 100).fixed(1)) % of what is written"))
        }
        if tapped.spare > 0 {
            parts.append(
                tapped.spare == 1 ? localized("1 tap begins no bar") : localized("\(tapped.spare) taps begin no bar"))
        }
        return parts.joined(separator: ", ")
    }
}

extension HeldBars {
    /// The columns over all lines.
    fileprivate var tableOfColumns: Table {
        Table(
            columns: [
                .number(localized("column"), "column"), .number(localized("bars"), "bars"),
                .number(localized("median difference"), "difference_s"), .number("%", "percent"),
            ],
            rows: columns.map { column in
                [
                    .number(column.bar), .number(column.count), .change(Int64(column.excess * 1e9)),
                    .percent(column.share),
                ]
            })
    }

    /// The same for people, with a blank line after it; empty if there is one line.
    var textOfColumns: String { columns.isEmpty ? "" : tableOfColumns.text(.plain) + "\n" }
}

extension Table.Cell {
    /// A time in ns as seconds.
    fileprivate static func time(_ nanoseconds: Int64?) -> Table.Cell {
        guard let nanoseconds else { return .empty }
        let seconds = Double(nanoseconds) / 1e9
        return Table.Cell(shown: seconds.fixed(2), value: .number(seconds.fixed(6)))
    }

    /// A difference in ns as seconds, with its sign.
    fileprivate static func change(_ nanoseconds: Int64?) -> Table.Cell {
        guard let nanoseconds else { return .empty }
        let seconds = Double(nanoseconds) / 1e9
        return Table.Cell(shown: seconds.fixed(2, signed: true), value: .number(seconds.fixed(6)))
    }

    /// A share in per cent, with its sign.
    static func percent(_ share: Double?) -> Table.Cell {
        guard let share else { return .empty }
        let percent = min(max(share * 100, -1e6), 1e6)
        return Table.Cell(shown: percent.fixed(0, signed: true), value: .number(percent.fixed(2)))
    }
}
