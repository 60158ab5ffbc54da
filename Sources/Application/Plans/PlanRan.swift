internal import Charts
internal import Formats
internal import Languages
internal import Running
internal import Scores

/// A plan beside what was run of it: `barline plan --ran`.
struct PlanRan {
    let ran: RanPlan
    let activity: Activity
    let unit: DistanceUnit

    /// Reads the activity and pairs it with the plan; an error ends the command.
    init(_ table: PlanTable, _ path: String, _ unit: DistanceUnit) throws {
        guard let format = ActivityFormat(fileName: path) else {
            let known = WordText.list(ActivityFormat.endings)
            throw Failure.exit(.usage, localized("'\(path)' has no known extension: an activity is \(known)"))
        }
        let bytes = try InputFile.read(
            path, limit: ActivityFormat.byteLimit, localized("an activity has at most 64 MiB"))
        self.unit = unit
        (activity, ran) = try Failure.exitOnError(.badData, "'\(path)': ") {
            let activity = try format.read(bytes)
            return (activity, try RanPlan(table, activity))
        }
    }

    /// Prints the table, or writes the picture.
    func show(_ style: Table.Style, to output: String?, title: String) throws {
        guard let output else {
            let end = style.isForPeople ? (style == .markdown ? "\n" : "") + summary + "\n" : ""
            return try StandardOutput.print(table.text(style) + end)
        }
        guard FileKind.extension(of: output) == "svg" else {
            throw Failure.exit(.usage, localized("'\(output)' has no known extension: a picture of --ran is .svg"))
        }
        let picture = RanPicture.svg(ran, activity, title: title, unit: unit)
        try OutputFile.write(Array(picture.utf8), to: output)
    }

    /// A row for each interval, and for each piece that was not planned.
    private var table: Table {
        var table = Table(columns: [
            .number("#", "interval"), .text("", "kind"), .text("", "label"),
            .number(localized("planned"), "planned_time_s"), .number("", "planned_distance_m"),
            .number("", "planned_pace_s_per_km"), .number(localized("run as"), "time_s"), .number("", "distance_m"),
            .number("", "pace_s_per_km"), .text("", "state"), .text("", "is_sure"),
        ])
        let hidden = { (isSure: Bool) in
            Table.Cell(shown: isSure ? "" : localized("unsure"), value: .bool(isSure))
        }
        func add(_ extras: some Sequence<RanPlan.Extra>) {
            for extra in extras {
                table.rows.append(
                    [Table.Cell(shown: "+", value: .null), .text(""), .text(""), .empty, .empty, .empty]
                        + cells(extra.ran)
                        + [Table.Cell(shown: localized("not planned"), value: "extra"), hidden(true)])
            }
        }
        add(ran.extras.filter { $0.after == 0 })
        for (index, row) in ran.rows.enumerated() {
            let interval = row.planned.interval
            table.rows.append(
                [
                    .number(row.planned.number),
                    Table.Cell(shown: interval.kind.word, value: .text(interval.kind.rawValue)), .text(interval.label),
                    interval.isOpen
                        ? Table.Cell(shown: localized("until lap"), value: .null) : .time(row.planned.extent.time),
                    .distance(row.planned.extent.distance, unit), .pace(row.planned.extent.pace, unit),
                ] + (row.ran.map(cells) ?? Array(repeating: .empty, count: 3))
                    + [Table.Cell(shown: word(row.state), value: .text(row.state.rawValue)), hidden(row.isSure)])
            add(ran.extras.filter { $0.after == index + 1 })
        }
        return table
    }

    private func cells(_ piece: RanPlan.Piece) -> [Table.Cell] {
        [.time(piece.time, decimals: 0), .distance(piece.distance, unit), .pace(piece.pace, unit)]
    }

    private func word(_ state: RanPlan.State) -> String {
        switch state {
        case .done: localized("done")
        case .short: localized("cut short")
        case .long: localized("longer")
        case .missing: localized("missing")
        }
    }

    /// `18 of 20 intervals done, 1 cut short, 1 missing, 2 unsure; by laps`.
    private var summary: String {
        func count(_ state: RanPlan.State) -> Int { ran.rows.count { $0.state == state } }
        let (done, all, unsure) = (count(.done), ran.rows.count, ran.rows.count { !$0.isSure })
        var parts = [
            done == 1 ? localized("1 of \(all) intervals done") : localized("\(done) of \(all) intervals done")
        ]
        func add(_ count: Int, _ one: String, _ several: String) {
            if count > 0 { parts.append(count == 1 ? one : several) }
        }
        add(count(.short), localized("1 cut short"), localized("\(count(.short)) cut short"))
        add(count(.long), localized("1 longer"), localized("\(count(.long)) longer"))
        add(count(.missing), localized("1 missing"), localized("\(count(.missing)) missing"))
        add(ran.extras.count, localized("1 not planned"), localized("\(ran.extras.count) not planned"))
        add(unsure, localized("1 unsure"), localized("\(unsure) unsure"))
        parts.append(ran.hasLaps ? localized("by the laps") : localized("by the speed"))
        return parts.joined(separator: ", ")
    }
}
