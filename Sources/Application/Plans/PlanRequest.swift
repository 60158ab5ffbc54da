package import Formats
internal import Languages
package import Running
package import Scores
internal import UserSettings

/// A plan that is shown, fitted to a goal, written, or compared with what was run. `show` carries it out.
package struct PlanRequest: Sendable {
    /// The plan: its text, a file, the name of a plan, or `-`.
    package var plan: String
    /// Which workout of a plan of weeks is wanted.
    package var workout = WorkoutChoice()
    /// The distance or time that the plan fills.
    package var fill: Plan.Length?
    /// The time in which all of it is to be run.
    package var target: Duration?
    /// The paces of parts that have none.
    package var paces: [Interval.Kind: Pace] = [:]
    /// How long intervals until the lap button take about, and the threshold.
    package var gaps = LoadedScore.PlanGaps()
    /// The unit; nil for that of the plan, or else of the settings.
    package var unit: DistanceUnit?
    /// The distance at each multiple of which a time is printed.
    package var every: Distance?
    /// The path of an activity with which the plan is compared.
    package var ran: String?
    package var style = Table.Style.plain
    /// The path of the file to write; with `types`, of a folder.
    package var output: String?
    /// The types of files for all workouts of a plan of weeks; nil to write a single file.
    package var types: [WorkoutFileType]?
    /// How long before each workout a calendar reminds its user.
    package var remind: Duration?
    /// How much slower or faster than its pace a run in a FIT file may be, per kilometer.
    package var tolerance: Duration?
    /// The name under which the plan is stored, and whether it may replace another one.
    package var save: String?
    package var replaces = false

    package init(_ plan: String) { self.plan = plan }

    /// The formats of workouts that are written.
    package var formats: [Format] {
        types?.compactMap(\.format) ?? output.flatMap(Format.init(planFileName:)).map { [$0] } ?? []
    }

    /// Whether the name of a file is that of a wrist band.
    package static func isBand(_ path: String) -> Bool {
        FileKind.extension(of: path).flatMap(BandFormat.init(rawValue:)) != nil
    }

    /// Prints or writes it. Errors: `ProgramEnd`, whose reason has been told.
    package func show() throws {
        try OutputFile.refuse(output, as: [LoadedScore.path(plan)]) {
            localized("'\($0)' is the plan: give the new file another name")
        }
        var loaded = try LoadedDocument.plan(plan, workout)
        let unit = try DistanceUnit.shown(unit, of: loaded.ownUnit ?? mentionedUnit)
        if types != nil, loaded.document.weeks == nil {
            throw Failure.exit(.usage, localized("--all is for a plan of weeks, and this has none"))
        }
        if let weeks = loaded.document.weeks,
            types != nil || loaded.slot == nil || FileKind.extension(of: output ?? "") == "ics"
        {
            return try show(weeks, loaded, unit)
        }
        guard var plan = loaded.document.plan else { return }
        setPaces(of: &plan)
        try checkSettings([plan])
        if gaps.threshold != nil, !plan.needsThreshold, !formats.contains(.zwift) {
            throw Failure.exit(
                .usage, localized("--threshold is for a plan with shares of a threshold, or for -o with a .zwo file"))
        }
        // The threshold of the settings is the user's, and not a part of the plan.
        let threshold = plan.threshold
        plan.fill(threshold: nil)
        loaded.document.plan = plan
        LoadedScore.report(loaded.noThreshold.map { [$0] } ?? [])
        let isStored = output != nil || save != nil
        let goal: PlanGoal.Result
        var table: PlanTable
        do throws(PlanError) {
            goal = try PlanGoal(fill: fill, target: target, unit: unit).fit(&plan, isStored: isStored)
            table = try PlanTable(plan)
            if target != nil {
                plan.writePaces(per: unit)
                table.takeTimeAsGiven()
            }
        } catch { throw loaded.failure(error) }
        if let ran {
            try OutputFile.refuse(output, as: [ran]) {
                localized("'\($0)' is the activity: give the picture another name")
            }
            let title = plan.title.isEmpty ? loaded.title : plan.title
            return try PlanRan(table, ran, unit).show(style, to: output, title: title)
        }
        guard isStored else { return try StandardOutput.print(text(plan, table, goal, unit)) }
        if let output, PlanRequest.isBand(output) {
            let band = try Failure.exitOnError(.badData) {
                try Band(plan, every: every, in: unit, isGoal: target != nil)
            }
            try PlanFile.write(.band(band), to: output)
        } else if let output {
            if formats == [.plan] { plan.threshold = threshold }
            try PlanFile.write(.workout(plan, options), to: output)
        }
        plan.threshold = threshold
        let path = try save.map { try PlanFile.write(plan.text, as: $0, replaces: replaces) }
        let result = goal.text.isEmpty ? "" : table.totals(in: unit) + "\n" + goal.text
        try StandardOutput.print(result + (path.map { $0 + "\n" } ?? ""))
    }

    /// The table of a plan, and for people its totals, its goal and what is spoken.
    private func text(
        _ plan: Plan, _ table: PlanTable, _ goal: PlanGoal.Result, _ unit: DistanceUnit
    ) throws -> String {
        var shown = table.table(in: unit)
        if let every {
            guard let splits = try Failure.exitOnError(.usage, "", { try Splits(table, every: every) }) else {
                throw Failure.exit(
                    .badData,
                    localized("--every: the plan has no end, or the time or distance of an interval is unknown"))
            }
            shown = splits.table(in: unit)
        }
        guard style.isForPeople else {
            shown.add(goal.fields)
            if !plan.remarks.isEmpty {
                Failure.say(
                    plan.remarks.count == 1
                        ? localized("note: the table leaves out the spoken text of the plan")
                        : localized("note: the table leaves out the \(plan.remarks.count) spoken texts of the plan"))
            }
            return shown.text(style)
        }
        return shown.text(style) + (style == .markdown ? "\n" : "") + table.totals(in: unit) + "\n" + goal.text
            + plan.remarks.map { $0.text + "\n" }.joined()
    }

    /// The unit that the request itself mentions.
    private var mentionedUnit: DistanceUnit? {
        var lengths = [every]
        if case .distance(let distance) = fill { lengths.append(distance) }
        let texts = lengths.compactMap { $0?.exactText } + paces.values.compactMap(\.exactText)
        return DistanceUnit(mentionedIn: texts.joined(separator: " "))
    }

    private var options: WorkoutOptions {
        WorkoutOptions(
            tolerance: tolerance ?? WorkoutOptions().tolerance,
            threshold: gaps.threshold ?? LoadedSettings.valid[Setting.threshold])
    }

    /// Ends the command if the settings are needed for a threshold, and not valid.
    private func checkSettings(_ plans: [Plan]) throws {
        let needsThreshold = gaps.threshold == nil && formats.contains(.zwift)
        if needsThreshold || plans.contains(where: \.lacksThreshold) { _ = try LoadedSettings.get() }
    }

    private func setPaces(of plan: inout Plan) {
        plan.paces.merge(paces) { $1 }
        if let open = gaps.about { plan = plan.estimating(open) }
        if let threshold = gaps.threshold { plan.threshold = threshold }
    }

    /// Prints or writes a plan of weeks, or the part of it that is wanted.
    private func show(_ weeks: TrainingPlan, _ loaded: LoadedDocument, _ unit: DistanceUnit) throws {
        var weeks = weeks
        if let slot = loaded.slot {
            weeks = weeks.only { $0 == slot }
        } else if workout.day != nil {
            throw loaded.refused
        } else if let week = workout.week {
            guard weeks.weeks[week] != nil else { throw loaded.refused }
            if output != nil || save != nil { weeks = weeks.only { $0.week == week } }
        }
        if ran != nil { throw loaded.refused }
        if fill != nil || target != nil || every != nil {
            throw Failure.exit(
                .usage, localized("--fill, --target and --every are for one workout; add --week and --day"))
        }
        weeks.changePlans(setPaces)
        try checkSettings(weeks.slots.compactMap { weeks[$0]?.plan })
        // The threshold of the settings is the user's, and not a part of the plan.
        if save == nil, types != nil || formats != [.plan] { weeks.changePlans { $0.fill(threshold: nil) } }
        if let types, let output {
            let files = PlanWorkouts(plan: weeks, types: types, options: options)
            try StandardOutput.print(try files.write(into: output).map { $0 + "\n" }.joined())
        } else if let output {
            try PlanFile.write(.weeks(weeks, name: loaded.title, remind: remind), to: output)
        } else if let save {
            try StandardOutput.print(try PlanFile.write(weeks.text, as: save, replaces: replaces) + "\n")
        } else {
            let printed = PlanWeeks(plan: weeks, unit: unit, style: style)
            try StandardOutput.print(workout.week.map { printed.week($0) } ?? printed.overview())
        }
    }
}
