internal import ArgumentParser
internal import Files
internal import Formats
internal import Glibc
internal import Running
internal import Scores
internal import Workouts

struct PlanShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Print the table of a plan with running totals, or write it in another format.",
        discussion: """
            PLAN is a text such as '10x(run 0:30, walk 0:30), walk 1:00, for 2:00:00', a file (.plan, .zwo, .fit, \
            .csv, or the text of intervals.icu), or - for standard input.

              barline plan '4x(run 1:00 @ 10:00/mi, walk 0:30 @ 16:00/mi)' --fill 10mi
              barline plan '6x(run 400m, rest 1:30)' --target 25:00
              barline plan tuesday.plan -o tuesday.zwo
              barline plan '10x(run 0:30, walk 0:30)' --save tuesday
              barline plan 'run 10:00, walk 2:00' --walk 16:00/mi --fill 5mi --target 50:00 --save goal
            """)

    @Argument(help: "The plan: its text, a file, or - for standard input.")
    var plan: String

    @Option(
        help: ArgumentHelp(
            "Show how often the plan fits into a distance or a time, and what is left; with -o or --save, repeat it so.",
            valueName: "length"),
        transform: FillTarget.init(text:))
    var fill: FillTarget?

    @Option(
        help: ArgumentHelp(
            "Find the running pace for a total time; with --fill 10mi, repeat the plan for 10 miles in that time.",
            valueName: "time"), transform: RunOption.time)
    var target: Duration?

    @Option(
        name: .customLong("run"), help: ArgumentHelp("The pace of running parts that have none.", valueName: "pace"),
        transform: RunOption.pace)
    var runPace: Pace?

    @Option(
        name: .customLong("walk"), help: ArgumentHelp("The pace of walking parts that have none.", valueName: "pace"),
        transform: RunOption.pace)
    var walkPace: Pace?

    @Option(help: "The unit: km or mi.")
    var unit: RunUnit?

    @OptionGroup var tableOptions: TableOptions

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Write the plan: .plan, .zwo, .fit, .csv, or .txt for intervals.icu.", valueName: "file"))
    var output: String?

    @OptionGroup var workoutOptions: WorkoutFileOptions

    @Option(
        help: ArgumentHelp("Give the plan a name: `barline play NAME` plays it like a score.", valueName: "name"))
    var save: String?

    @Flag(help: "With --save: replace the plan of that name, or hide the bundled score of that name.")
    var replace = false

    func run() throws {
        var loaded = try LoadedPlan.read(self.plan, isDraft: true)
        guard var plan = loaded.reading.plan else { return }
        if let runPace { plan.paces[.run] = runPace }
        if let walkPace { plan.paces[.walk] = walkPace }
        loaded.reading.plan = plan
        let unit = unit ?? RunUnit(of: String(decoding: loaded.text, as: UTF8.self))
        let isStored = output != nil || save != nil
        let notes: String
        let table: PlanTable
        do throws(PlanError) {
            notes = try PlanGoal(fill: fill, target: target, unit: unit).fit(&plan, isStored: isStored)
            table = try PlanTable(plan)
        } catch {
            throw loaded.failure(error)
        }
        var standard = StandardOutput()
        if isStored {
            if let output { try PlanFile.write(plan, to: output, workoutOptions.options) }
            let path = try save.map { try PlanFile.write(plan, as: $0, replaces: replace) }
            if !notes.isEmpty { try standard.write(PlanShowCommand.totals(table, unit) + "\n" + notes) }
            if let path { try standard.write(path + "\n") }
            return try standard.flush()
        }
        var text = PlanShowCommand.table(table, unit).text(tableOptions.style)
        if tableOptions.isForPeople {
            if tableOptions.style == .markdown { text += "\n" }
            text += PlanShowCommand.totals(table, unit) + "\n" + notes
            for remark in plan.remarks { text += remark.text + "\n" }
        } else if !plan.remarks.isEmpty {
            let which = plan.remarks.count == 1 ? "the spoken text" : "the \(plan.remarks.count) spoken texts"
            Failure.say("note: the table leaves out \(which) of the plan")
        }
        try standard.write(text)
        try standard.flush()
    }

    func validate() throws {
        if case .time = fill, target != nil {
            throw ValidationError("with --target, --fill takes a distance, as in --fill 5mi --target 50:00")
        }
        if replace, save == nil { throw ValidationError("--replace needs --save") }
        try workoutOptions.check(output)
        if output != nil, save != nil { throw ValidationError("-o and --save cannot both be given") }
        if let save {
            let isName = save.unicodeScalars.allSatisfy {
                $0.properties.isAlphabetic || "0123456789 -_".unicodeScalars.contains($0)
            }
            guard isName, save.unicodeScalars.first?.properties.isAlphabetic ?? false else {
                throw ValidationError("a name is letters, digits, - and _, and begins with a letter")
            }
        }
    }

    // MARK: - Tables

    /// A row for each interval. The output of `--csv` can be read as a plan again.
    static func table(_ plan: PlanTable, _ unit: RunUnit) -> Table {
        var table = Table(columns: [
            Table.Column(title: "#", key: "interval"), Table.Column(title: "set", key: "set"),
            Table.Column(title: "", key: "kind", isText: true), Table.Column(title: "", key: "label", isText: true),
            Table.Column(title: "time", key: "time_s"), Table.Column(title: "distance", key: "distance_m"),
            Table.Column(title: "pace", key: "pace_s_per_km"), Table.Column(title: "total", key: "total_time_s"),
            Table.Column(title: "", key: "total_distance_m"),
        ])
        for row in plan.rows {
            table.rows.append([
                .number(row.number), .number(row.set), .text(row.interval.kind.rawValue), .text(row.interval.label),
                time(row.extent.time), .distance(row.extent.distance, unit, isWritten: row.interval.hasDistance),
                .pace(row.extent.pace, unit), .time(row.total.time), .distance(row.total.distance, unit),
            ])
        }
        return table
    }

    /// The time of an interval: with tenths if there are any, or hundredths if it is less than a minute.
    private static func time(_ time: Duration?) -> Table.Cell {
        var cell = Table.Cell.time(time)
        if let time { cell.shown = time.shortText(decimals: time < .seconds(60) ? 2 : 1) }
        return cell
    }

    /// `22 intervals, 11:00, 1.9 km, 5:47 /km, 10.36 km/h`.
    static func totals(_ table: PlanTable, _ unit: RunUnit) -> String {
        let count = table.rows.count == 1 ? "1 interval" : "\(table.rows.count) intervals"
        let again = table.isEndless ? ["repeated until stopped"] : []
        return ([count] + texts(table.total, unit) + again).joined(separator: ", ")
    }

    static func texts(_ extent: Extent, _ unit: RunUnit) -> [String] {
        var texts: [String] = []
        if let time = extent.time { texts.append(time.shownText()) }
        if let distance = extent.distance { texts.append(distance.text(in: unit.distance)) }
        if let pace = extent.pace {
            texts += [pace.text(in: unit.pace), pace.text(in: unit == .km ? .kilometersPerHour : .milesPerHour)]
        }
        return texts
    }
}

extension Interval {
    /// Whether its distance is written in the plan, and does not follow from time and pace.
    fileprivate var hasDistance: Bool {
        switch measure {
        case .time: false
        case .distance: true
        case .run(let run): run.result != .distance
        }
    }
}

/// Writes plans to files.
enum PlanFile {
    /// The error if a plan cannot be written.
    struct Fault: Error {
        var code: Failure.Code
        var message: String
    }

    /// Writes a plan and reports what its format does not carry; an error ends the command.
    static func write(_ plan: Plan, to path: String, _ options: WorkoutOptions) throws {
        do throws(Fault) {
            for loss in try save(plan, to: path, options) { Failure.say("warning: \(path): \(loss)") }
        } catch {
            throw Failure.exit(error.code, error.message)
        }
    }

    /// Stores a plan under a name; returns its path. A plan of that name, or a bundled score, is in the way unless
    /// `replaces` is true; a score of your own always is.
    static func write(_ plan: Plan, as name: String, replaces: Bool) throws -> String {
        guard let folder = ScoreFolder(environment: Environment.values) else {
            throw Failure.exit(.cannotWrite, "there is no home folder for plans: set HOME or XDG_DATA_HOME")
        }
        let path = folder.planPath(name)
        if let other = folder.path(of: name), other != path {
            throw Failure.exit(.cannotWrite, "your score '\(other)' would hide a plan '\(name)'; choose another name")
        }
        if !replaces {
            if FileBytes.exists(path) {
                throw Failure.exit(
                    .cannotWrite, "there is already a plan '\(name)'; choose another name, or give --replace")
            }
            if BundledScore.named(name) != nil {
                throw Failure.exit(
                    .cannotWrite,
                    "'\(name)' is a bundled score, which this plan would hide; choose another name, or give --replace")
            }
        }
        do throws(FileError) {
            try TextFile.replace(path, Array(plan.text.utf8), makesFolders: true)
        } catch {
            throw Failure.exit(.cannotWrite, "'\(path)' \(error)")
        }
        return path
    }

    /// Refuses a name that no format has; an error ends the command.
    static func check(_ path: String) throws {
        do throws(Fault) {
            _ = try format(of: path)
        } catch {
            throw Failure.exit(error.code, error.message)
        }
    }

    private static func format(of path: String) throws(Fault) -> WorkoutFormat {
        guard let format = WorkoutFormat(fileName: path) else {
            throw Fault(code: .usage, message: "'\(path)' has no known extension: use .plan, .zwo, .fit, .csv or .txt")
        }
        return format
    }

    /// Writes a plan in the format that the name of the file implies, and returns what this format does not carry. The
    /// file is written completely or not at all.
    static func save(
        _ plan: Plan, to path: String, _ options: WorkoutOptions = WorkoutOptions()
    ) throws(Fault) -> [String] {
        let format = try format(of: path)
        let writing: WorkoutWriting
        do throws(WorkoutError) {
            writing = try format.write(plan, now: time(nil), options)
        } catch {
            throw Fault(code: .badData, message: "\(error)")
        }
        do throws(FileError) {
            try TextFile.replace(path, writing.bytes)
        } catch {
            throw Fault(code: .cannotWrite, message: "'\(path)' \(error)")
        }
        return writing.losses
    }
}
