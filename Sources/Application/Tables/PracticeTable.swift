internal import Languages
internal import Scores
internal import UserSettings

/// The tables of the practice log.
enum PracticeTable {
    /// A row for each session.
    static func sessions(_ entries: ArraySlice<PracticeLog.Entry>) -> Table {
        let columns: [Table.Column] = [
            .text(localized("date"), "date"), .text(localized("piece"), "piece"), .text(localized("bars"), "bars"),
            .number(localized("speed"), "speed"), .number(localized("minutes"), "minutes"),
            .number(localized("target"), "target"), .text(localized("program"), "program"),
            .text(localized("notes"), "marks"),
        ]
        return Table(
            columns: columns,
            rows: entries.map { entry in
                [
                    .date(entry.date), .text(entry.piece), .text(entry.bars), .speed(entry.speed),
                    .minutes(entry.hundredths), entry.target.map { .speed($0) } ?? .empty, .text(entry.program),
                    .text(entry.marks),
                ]
            })
    }

    /// A row for each session: how long bars were held together, how far they were off, and the columns.
    static func taps(_ entries: ArraySlice<PracticeLog.Entry>) -> Table {
        let widest = entries.map { $0.held?.columns.count ?? 0 }.max() ?? 0
        let columns: [Table.Column] = [
            .text(localized("date"), "date"), .text(localized("piece"), "piece"),
            .number(localized("speed"), "speed"), .number(localized("bars"), "held_bars"),
            .number(localized("held %"), "held_percent"), .number(localized("off %"), "off_percent"),
        ]
        let rows = entries.compactMap { entry -> [Table.Cell]? in
            guard let held = entry.held else { return nil }
            let shares = (0..<widest).map { column in
                Table.Cell.percent(column < held.columns.count ? held.columns[column].map { $0 / 100 } : nil)
            }
            return [
                .date(entry.date), .text(entry.piece), .speed(entry.speed), .number(held.bars), .tenths(held.held),
                .tenths(held.off),
            ] + shares
        }
        return Table(
            columns: columns + (0..<widest).map { .number("\($0 + 1)", "column_\($0 + 1)_percent") }, rows: rows)
    }

    /// A row for each piece, and one for the total.
    static func pieces(_ summary: PracticeSummary) -> Table {
        let columns: [Table.Column] = [
            .text(localized("piece"), "piece"), .number(localized("sessions"), "sessions"),
            .number(localized("minutes"), "minutes"), .number(localized("speed"), "speed"),
            .text(localized("last"), "last"),
        ]
        var rows: [[Table.Cell]] = summary.pieces.map { piece in
            [
                .text(piece.piece), .number(piece.sessions), .minutes(piece.hundredths), .speed(piece.speed),
                Table.Cell(shown: piece.last.shown, value: .text(piece.last.text)),
            ]
        }
        if rows.count > 1 {
            rows.append([
                .text(localized("all")), .number(summary.pieces.reduce(0) { $0 + $1.sessions }),
                .minutes(summary.hundredths), .text(""),
                .text(""),
            ])
        }
        return Table(columns: columns, rows: rows)
    }
}

extension Table.Cell {
    /// A speed; for programs in per cent.
    fileprivate static func speed(_ speed: Speed) -> Table.Cell {
        Table.Cell(shown: "\(speed)", value: .number(String("\(speed)".dropLast())))
    }

    /// Hundredths of a minute as minutes.
    fileprivate static func minutes(_ hundredths: Int) -> Table.Cell {
        let text = PracticeLog.minutesText(hundredths)
        return Table.Cell(shown: text, value: .number(text))
    }

    fileprivate static func tenths(_ number: Double) -> Table.Cell {
        Table.Cell(shown: number.fixed(1), value: .number(number.fixed(1)))
    }

    fileprivate static func date(_ date: LocalTime) -> Table.Cell {
        Table.Cell(shown: date.shown, value: .text(date.text))
    }
}
