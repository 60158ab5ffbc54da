internal import Application
internal import ArgumentParser
internal import Languages
internal import Running
internal import Formats

struct PlanShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: localized("Print the table of a plan with running totals, or write it in another format."),
        discussion: localized(
            """
            PLAN is a text such as '10x(run 0:30, walk 0:30), walk 1:00, for 2:00:00', a file (.plan, .zwo, .fit, \
            .csv, or the text of intervals.icu), or - for standard input.

              barline plan '4x(run 1:00 @ 10:00/mi, walk 0:30 @ 16:00/mi)' --fill 10mi
              barline plan '6x(run 400m, rest 1:30)' --target 25:00
              barline plan tuesday.plan -o tuesday.zwo
              barline plan '10x(run 0:30, walk 0:30)' --save tuesday
              barline plan 'run 10:00, walk 2:00' --walk 16:00/mi --fill 5mi --target 50:00 --save goal

            A plan of weeks, such as 'week 1: {tue: 6x(run 400m, rest 1:30), sun: long 10mi}', prints an overview. \
            --week 3 prints a week; with --day tue, that workout is the plan. -o writes it as a calendar.

              barline plan spring --week 3 --day tue
              barline plan spring -o spring.ics

            A band to wear on the wrist, with the times to be at each kilometer or mile: print it at 100 %.

              barline plan goal -o band.pdf
            """) + "\n\n" + localized("`barline plan edit FILE` edits a plan on one screen."))

    @Argument(help: .localized("The plan: its text, a file, or - for standard input."), completion: .score)
    var plan: String

    @Option(
        help: .localized(
            "Show how often the plan fits into a distance or a time, and what is left; with -o or --save, repeat it so.",
            valueName: "length"),
        transform: FillTarget.init(text:))
    var fill: FillTarget?

    @Option(
        help: .localized(
            "Find the running pace for a total time; with --fill 10mi, repeat the plan for 10 miles in that time.",
            valueName: "time"), transform: RunOption.time)
    var target: Duration?

    @Option(
        name: .customLong("run"), help: .localized("The pace of running parts that have none.", valueName: "pace"),
        transform: RunOption.pace)
    var runPace: Pace?

    @Option(
        name: .customLong("walk"), help: .localized("The pace of walking parts that have none.", valueName: "pace"),
        transform: RunOption.pace)
    var walkPace: Pace?

    @OptionGroup var gapOptions: PlanGapOptions

    @Option(help: .localized("The unit: km or mi."))
    var unit: RunUnit?

    @Option(
        help: .localized("Print the time at every multiple of a distance; also for a band.", valueName: "distance"),
        transform: RunOption.distance)
    var every: Distance?

    @Option(
        help: .localized(
            "Compare the plan with what was run: a recorded activity (.fit, .tcx, .gpx); with -o, draw both (.svg).",
            valueName: "file"), completion: .file(extensions: ["fit", "tcx", "gpx"]))
    var ran: String?

    @OptionGroup var weekOptions: WeekOptions

    @OptionGroup var tableOptions: TableOptions

    @Option(
        name: .shortAndLong,
        help: .localized(
            "Write the plan: .plan, .zwo, .fit, .csv, or .txt for intervals.icu; as a wrist band to print: .pdf or "
                + ".svg; a plan of weeks as calendar: .ics.",
            valueName: "file"), completion: .file())
    var output: String?

    @OptionGroup var allFilesOptions: AllFilesOptions
    @OptionGroup var workoutOptions: WorkoutFileOptions

    @Option(
        help: .localized("Give the plan a name: `barline play NAME` plays it like a score.", valueName: "name"))
    var save: String?

    @Flag(help: .localized("With --save: replace the plan of that name, or hide the bundled score of that name."))
    var replace = false

    func run() throws {
        if let output, OutputFile.isSame(output, as: LoadedScore.path(self.plan)) {
            throw Failure.exit(.cannotWrite, localized("'\(output)' is the plan: give the new file another name"))
        }
        var loaded = try LoadedDocument.plan(self.plan, weekOptions.choice, isDraft: true)
        let unit = try RunUnit(unit, of: loaded.ownUnit ?? unitOfOptions)
        if allFilesOptions.all, loaded.document.weeks == nil {
            throw Failure.exit(.usage, localized("--all is for a plan of weeks, and this has none"))
        }
        if let weeks = loaded.document.weeks,
            allFilesOptions.all || loaded.slot == nil || FileKind.extension(of: output ?? "") == "ics"
        {
            return try run(weeks, loaded, unit)
        }
        guard var plan = loaded.document.plan else { return }
        setPaces(of: &plan)
        if gapOptions.threshold != nil, !plan.needsThreshold, !formats.contains(.zwift) {
            throw Failure.exit(
                .usage, localized("--threshold is for a plan with shares of a threshold, or for -o with a .zwo file"))
        }
        // The threshold of the settings is the user's, and not a part of the plan.
        let threshold = plan.threshold
        plan.fill(threshold: nil)
        loaded.document.plan = plan
        LoadedScore.report(loaded.noThreshold.map { [$0] } ?? [])
        if let ran { return try compare(plan, with: ran, loaded, unit) }
        let isStored = output != nil || save != nil
        let goal: PlanGoal.Result
        let table: PlanTable
        do throws(PlanError) {
            goal = try PlanGoal(fill: fill, target: target, unit: unit).fit(&plan, isStored: isStored)
            table = try PlanTable(plan)
        } catch {
            throw loaded.failure(error)
        }
        if isStored {
            if let output, BandFormat(rawValue: FileKind.extension(of: output) ?? "") != nil {
                let band = try Failure.exitOnError(.badData) { try Band(plan, every: every, in: unit.distance) }
                try PlanFile.write(band, to: output)
            } else if let output {
                if formats == [.plan] { plan.threshold = threshold }
                try PlanFile.write(plan, to: output, workoutOptions.options(gapOptions.threshold))
            }
            plan.threshold = threshold
            let path = try save.map { try PlanFile.write(plan.text, as: $0, replaces: replace) }
            let result = goal.text.isEmpty ? "" : PlanShowCommand.totals(table, unit) + "\n" + goal.text
            return try StandardOutput.print(result + (path.map { $0 + "\n" } ?? ""))
        }
        var shown = try splits(table, unit) ?? PlanShowCommand.table(table, unit)
        if !tableOptions.isForPeople { shown.add(goal.fields) }
        var text = shown.text(tableOptions.style)
        if tableOptions.isForPeople {
            if tableOptions.style == .markdown { text += "\n" }
            text += PlanShowCommand.totals(table, unit) + "\n" + goal.text
            for remark in plan.remarks { text += remark.text + "\n" }
        } else if !plan.remarks.isEmpty {
            Failure.say(
                plan.remarks.count == 1
                    ? localized("note: the table leaves out the spoken text of the plan")
                    : localized("note: the table leaves out the \(plan.remarks.count) spoken texts of the plan"))
        }
        try StandardOutput.print(text)
    }

    /// Shows what was run of a plan.
    private func compare(_ plan: Plan, with ran: String, _ loaded: LoadedDocument, _ unit: RunUnit) throws {
        if let output, OutputFile.isSame(output, as: ran) {
            throw Failure.exit(
                .cannotWrite, localized("'\(output)' is the activity: give the picture another name"))
        }
        let table: PlanTable
        do throws(PlanError) { table = try PlanTable(plan) } catch { throw loaded.failure(error) }
        let title = plan.title.isEmpty ? loaded.title : plan.title
        try PlanRan(table, ran, unit).show(tableOptions.style, to: output, title: title)
    }

    /// The table of `--every`; nil without this option.
    private func splits(_ table: PlanTable, _ unit: RunUnit) throws -> Table? {
        guard let every else { return nil }
        guard let splits = try Failure.exitOnError(.usage, "", { try Splits(table, every: every) }) else {
            throw Failure.exit(
                .badData, localized("--every: the plan has no end, or the time or distance of an interval is unknown"))
        }
        return SplitsCommand.table(splits, unit)
    }

    /// The unit that the options of the plan mention.
    private var unitOfOptions: DistanceUnit? {
        var lengths = [every]
        if case .distance(let distance) = fill { lengths.append(distance) }
        let texts = lengths.compactMap { $0?.exactText } + [runPace, walkPace].compactMap { $0?.exactText }
        return DistanceUnit(mentionedIn: texts.joined(separator: " "))
    }

    /// The formats of workouts that are written.
    private var formats: [Format] {
        guard allFilesOptions.all else { return [output.flatMap(Format.init(planFileName:))].compactMap(\.self) }
        return allFilesOptions.types.compactMap { if case .workout(let format, _) = $0 { format } else { nil } }
    }

    private func setPaces(of plan: inout Plan) {
        if let runPace { plan.paces[.run] = runPace }
        if let walkPace { plan.paces[.walk] = walkPace }
        if let open = gapOptions.open { plan = plan.estimating(open) }
        if let threshold = gapOptions.threshold { plan.threshold = threshold }
    }

    /// Prints or writes a plan of weeks, or the part of it that the options choose.
    private func run(_ weeks: TrainingPlan, _ loaded: LoadedDocument, _ unit: RunUnit) throws {
        var weeks = weeks
        if let slot = loaded.slot {
            weeks = weeks.only { $0 == slot }
        } else if weekOptions.day != nil {
            throw loaded.refused
        } else if let week = weekOptions.week {
            guard weeks.weeks[week] != nil else { throw loaded.refused }
            if output != nil || save != nil { weeks = weeks.only { $0.week == week } }
        }
        if ran != nil { throw loaded.refused }
        if fill != nil || target != nil || every != nil {
            throw Failure.exit(
                .usage, localized("--fill, --target and --every are for one workout; add --week and --day"))
        }
        weeks.changePlans(setPaces)
        // The threshold of the settings is the user's, and not a part of the plan.
        if save == nil, allFilesOptions.all || formats != [.plan] { weeks.changePlans { $0.fill(threshold: nil) } }
        if allFilesOptions.all, let output {
            let files = PlanWorkouts(
                plan: weeks, types: allFilesOptions.types, options: workoutOptions.options(gapOptions.threshold))
            try StandardOutput.print(try files.write(into: output).map { $0 + "\n" }.joined())
        } else if let output {
            try PlanFile.write(weeks, to: output, name: loaded.title, remind: allFilesOptions.remind)
        } else if let save {
            try StandardOutput.print(try PlanFile.write(weeks.text, as: save, replaces: replace) + "\n")
        } else {
            let printed = PlanWeeks(plan: weeks, unit: unit, style: tableOptions.style)
            try StandardOutput.print(weekOptions.week.map { printed.week($0) } ?? printed.overview())
        }
    }

    func validate() throws {
        if case .time = fill, target != nil {
            throw ValidationError(localized("with --target, --fill takes a distance, as in --fill 5mi --target 50:00"))
        }
        if every != nil, let output, BandFormat(rawValue: FileKind.extension(of: output) ?? "") == nil {
            throw ValidationError(localized("--every with -o is for a band: .pdf or .svg"))
        }
        if every != nil, save != nil { throw ValidationError(localized("--every cannot be used with --save")) }
        if replace, save == nil { throw ValidationError(localized("--replace needs --save")) }
        if ran != nil, fill != nil || target != nil || every != nil || save != nil || allFilesOptions.all {
            throw ValidationError(
                localized("--ran cannot be used with --fill, --target, --every, --save and --all"))
        }
        try allFilesOptions.check(output, save: save)
        if allFilesOptions.all, fill != nil || target != nil || every != nil {
            throw ValidationError(localized("--fill, --target and --every are for one workout"))
        }
        try workoutOptions.check(formats)
        if output != nil, save != nil { throw ValidationError(localized("-o and --save cannot both be given")) }
        if let save {
            let isName = save.unicodeScalars.allSatisfy {
                $0.properties.isAlphabetic || "0123456789 -_".unicodeScalars.contains($0)
            }
            guard isName, save.unicodeScalars.first?.properties.isAlphabetic ?? false else {
                throw ValidationError(localized("a name is letters, digits, - and _, and begins with a letter"))
            }
        }
    }

    // MARK: - Tables

    /// A row for each interval. The output of `--csv` can be read as a plan again.
    private static func table(_ plan: PlanTable, _ unit: RunUnit) -> Table {
        var table = Table(columns: [
            .number("#", "interval"), .number(localized("set"), "set"), .text("", "kind"), .text("", "label"),
            .number(localized("time"), "time_s"), .number(localized("distance"), "distance_m"),
            .number(localized("pace"), "pace_s_per_km"), .number(localized("total"), "total_time_s"),
            .number("", "total_distance_m"),
        ])
        let hasEfforts = plan.rows.contains { $0.interval.effort != nil }
        if hasEfforts { table.columns.append(.text(localized("effort"), "effort")) }
        let hasOpenEnds = plan.rows.contains(where: \.interval.isOpen)
        if hasOpenEnds { table.columns.append(.text("", "until")) }
        for row in plan.rows {
            table.rows.append([
                .number(row.number), .number(row.set),
                Table.Cell(shown: row.interval.kind.word, value: .text(row.interval.kind.rawValue)),
                .text(row.interval.label), time(row),
                .distance(row.extent.distance, unit, isWritten: row.interval.hasDistance),
                .pace(row.extent.pace, unit), .time(row.total.time), .distance(row.total.distance, unit),
            ])
            if hasEfforts { table.rows[table.rows.count - 1].append(.text(row.interval.effort?.text ?? "")) }
            let until = Table.Cell(shown: "", value: row.interval.isOpen ? "lap" : .null)
            if hasOpenEnds { table.rows[table.rows.count - 1].append(until) }
        }
        return table
    }

    /// The time of an interval: with tenths if there are any, or hundredths if it is less than a minute.
    private static func time(_ row: PlanTable.Row) -> Table.Cell {
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

    /// `22 intervals, 11:00, 1.9 km, 5:47 /km, 10.36 km/h`.
    static func totals(_ table: PlanTable, _ unit: RunUnit) -> String {
        let count = table.rows.count == 1 ? localized("1 interval") : localized("\(table.rows.count) intervals")
        let again = table.isEndless ? [localized("repeated until stopped")] : []
        let open = table.rows.filter(\.interval.isOpen)
        guard !open.isEmpty else {
            return ([count] + table.total.texts(in: unit.distance) + again).joined(separator: ", ")
        }
        let isEstimated = open.allSatisfy { $0.extent.time != nil }
        var known = Extent(time: .zero, distance: .zero)
        for row in table.rows {
            let isUnknown = row.interval.isOpen && row.extent.time == nil
            known = Extent(
                time: known.time.flatMap { sum in (row.extent.time ?? (isUnknown ? .zero : nil)).map { sum + $0 } },
                distance: known.distance.flatMap { sum in
                    (row.extent.distance ?? (isUnknown ? .zero : nil)).map { sum + $0 }
                })
        }
        let sums = known.texts(in: unit.distance).joined(separator: ", ")
        let shown = isEstimated ? localized("about \(sums)") : localized("at least \(sums)")
        return ([count] + (sums.isEmpty ? [] : [shown]) + [localized("\(open.count) until lap")] + again)
            .joined(separator: ", ")
    }
}

extension Interval {
    /// Whether its distance is written in the plan, and does not follow from time and pace.
    fileprivate var hasDistance: Bool {
        switch measure {
        case .time, .open: false
        case .distance: true
        case .run(let run): run.result != .distance
        }
    }
}
