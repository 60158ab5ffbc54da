internal import Languages
internal import Running
package import Scores
package import UserSettings

extension DistanceUnit {
    /// The unit of what is printed or drawn: the one that the user asks for, or else that of the run or plan itself, or
    /// else that of the settings. Errors: the settings are needed and not valid.
    package static func shown(_ chosen: DistanceUnit?, of own: DistanceUnit?) throws -> DistanceUnit {
        try chosen ?? own ?? DistanceUnit(LoadedSettings.get()[Setting.unit])
    }

    package init(_ choice: UnitChoice) { self = choice == .mi ? .miles : .kilometers }
}

extension Table.Cell {
    /// A time; for programs in seconds. Without `decimals`, it has hundredths if it is less than a minute.
    static func time(_ time: Duration?, decimals: Int? = nil) -> Table.Cell {
        guard let time else { return .empty }
        let shown = decimals.map { time.runText(decimals: $0) } ?? time.shownText()
        return Table.Cell(shown: shown, value: .number(time.seconds(decimals: 3)))
    }

    /// A distance; for programs in meters. One that was written is shown in its own unit.
    static func distance(_ distance: Distance?, _ unit: DistanceUnit, isWritten: Bool = false) -> Table.Cell {
        guard let distance else { return .empty }
        let meters = Duration(inSeconds: distance.meters).seconds(decimals: 3)
        let shown = isWritten ? distance.writtenText(in: unit) : distance.text(in: unit)
        return Table.Cell(shown: shown, value: .number(meters))
    }

    /// A pace; for programs in seconds per kilometer.
    static func pace(_ pace: Pace?, _ unit: DistanceUnit) -> Table.Cell {
        guard let pace else { return .empty }
        let seconds = pace.time(per: .kilometers).seconds(decimals: 3)
        return Table.Cell(shown: pace.text(in: unit.paceUnit), value: .number(seconds))
    }
}

extension Splits {
    /// A row for each split.
    func table(in unit: DistanceUnit) -> Table {
        var table = Table(columns: [
            .number(localized("split"), "split"), .number(localized("distance"), "distance_m"),
            .number(localized("time"), "time_s"), .number(localized("pace"), "pace_s_per_km"),
            .number(localized("at"), "total_distance_m"), .number(localized("clock"), "total_time_s"),
        ])
        for row in rows {
            table.rows.append([
                .number(row.number), .distance(row.distance, unit),
                .time(row.time, decimals: finish < .seconds(120) ? 2 : 1),
                .pace(row.pace, unit), .distance(row.totalDistance, unit),
                .time(row.totalTime, decimals: decimals),
            ])
        }
        return table
    }
}

extension PlanTable {
    /// A row for each interval. The output of `--csv` can be read as a plan again.
    func table(in unit: DistanceUnit) -> Table {
        var table = Table(columns: [
            .number("#", "interval"), .number(localized("set"), "set"), .text("", "kind"), .text("", "label"),
            .number(localized("time"), "time_s"), .number(localized("distance"), "distance_m"),
            .number(localized("pace"), "pace_s_per_km"), .number(localized("total"), "total_time_s"),
            .number("", "total_distance_m"),
        ])
        let hasEfforts = !rows.allSatisfy(\.interval.demands.isEmpty)
        if hasEfforts { table.columns.append(.text(localized("effort"), "effort")) }
        let hasOpenEnds = rows.contains(where: \.interval.isOpen)
        if hasOpenEnds { table.columns.append(.text("", "until")) }
        for row in rows {
            var cells: [Table.Cell] = [
                .number(row.number), .number(row.set),
                Table.Cell(shown: row.interval.kind.word, value: .text(row.interval.kind.rawValue)),
                .text(row.interval.label), PlanTable.time(row),
                .distance(row.extent.distance, unit, isWritten: row.interval.measure.endsByDistance),
                .pace(row.extent.pace, unit), PlanTable.total(row), .distance(row.total.distance, unit),
            ]
            if hasEfforts {
                let demands = row.interval.demands
                cells.append(Table.Cell(shown: demands.effort?.shownText ?? "", value: .text(demands.text)))
            }
            if hasOpenEnds { cells.append(Table.Cell(shown: "", value: row.interval.isOpen ? "lap" : .null)) }
            table.rows.append(cells)
        }
        return table
    }

    /// The time of an interval: with tenths if there are any, or hundredths if it is less than a minute.
    private static func time(_ row: Row) -> Table.Cell {
        let time = row.extent.time
        var cell = Table.Cell.time(time)
        if row.interval.isOpen {
            cell.shown =
                time.map { localized("until lap, about \($0.shortText(decimals: 1))") } ?? localized("until lap")
        } else if let time {
            cell.shown = time.shortText(decimals: time < .seconds(60) ? 2 : 1)
        }
        return cell
    }

    /// The time up to the end of an interval, told as a finish.
    private static func total(_ row: Row) -> Table.Cell {
        var cell = Table.Cell.time(row.total.time)
        if let time = row.total.time { cell.shown = time.finishText(isGiven: row.isTimeGiven) }
        return cell
    }

    /// `22 intervals, 11:00, 1.9 km, 5:47 /km, 10.36 km/h`.
    func totals(in unit: DistanceUnit) -> String {
        let count = rows.count == 1 ? localized("1 interval") : localized("\(rows.count) intervals")
        let again = isEndless ? [localized("repeated until stopped")] : []
        let open = rows.filter(\.interval.isOpen)
        guard !open.isEmpty else {
            let sums = total.texts(in: unit, isTimeGiven: isTimeGiven)
            return ([count] + sums + again).joined(separator: ", ")
        }
        let isEstimated = open.allSatisfy { $0.extent.time != nil }
        var known = Extent(time: .zero, distance: .zero)
        for row in rows {
            let isUnknown = row.interval.isOpen && row.extent.time == nil
            known = Extent(
                time: known.time.flatMap { sum in (row.extent.time ?? (isUnknown ? .zero : nil)).map { sum + $0 } },
                distance: known.distance.flatMap { sum in
                    (row.extent.distance ?? (isUnknown ? .zero : nil)).map { sum + $0 }
                })
        }
        // Nothing is known of what only intervals without a time have.
        if known.time == .zero { known.time = nil }
        if known.distance == .zero { known.distance = nil }
        let sums = known.texts(in: unit).joined(separator: ", ")
        let shown = isEstimated ? localized("about \(sums)") : localized("at least \(sums)")
        return ([count] + (sums.isEmpty ? [] : [shown]) + [localized("\(open.count) until lap")] + again)
            .joined(separator: ", ")
    }
}
