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
            """)

    @Argument(help: "The plan: its text, a file, or - for standard input.")
    var plan: String

    @Option(
        help: ArgumentHelp(
            "Show how often the plan fits into a distance or a time, and what is left.", valueName: "target"),
        transform: FillTarget.init(text:))
    var fill: FillTarget?

    @Option(
        help: ArgumentHelp(
            "Find the running pace for a total time; with --fill 10mi, for 10 miles in that time.",
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

    @Option(
        help: ArgumentHelp("Give the plan a name: `barline play NAME` plays it like a score.", valueName: "name"))
    var save: String?

    func run() throws {
        var loaded = try LoadedPlan.read(self.plan)
        guard var plan = loaded.reading.plan else { return }
        if let runPace { plan.paces[.run] = runPace }
        if let walkPace { plan.paces[.walk] = walkPace }
        loaded.reading.plan = plan
        let unit = unit ?? RunUnit(of: String(decoding: loaded.text, as: UTF8.self))
        var notes = ""
        let table: PlanTable
        do throws(PlanError) {
            if let target { notes += try solve(target, &plan, unit) }
            if let fill { notes += try filling(fill, plan, unit) }
            table = try PlanTable(plan)
        } catch {
            throw loaded.failure(error)
        }
        if let output { return try PlanFile.write(plan, to: output) }
        if let save { return try PlanFile.write(plan, as: save) }
        var text = PlanShowCommand.table(table, unit).text(tableOptions.style)
        if tableOptions.isForPeople {
            if tableOptions.style == .markdown { text += "\n" }
            text += PlanShowCommand.totals(table, unit) + "\n" + notes
        }
        var standard = StandardOutput()
        try standard.write(text)
        try standard.flush()
    }

    func validate() throws {
        if output != nil || save != nil, fill != nil {
            throw ValidationError("--fill only prints: to store a length, write it in the plan, as in for 10mi")
        }
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

    /// Sets the running pace that meets a target; returns a line that states it.
    private func solve(_ target: Duration, _ plan: inout Plan, _ unit: RunUnit) throws(PlanError) -> String {
        let pace: Pace
        if case .distance(let distance) = fill {
            pace = try plan.runPace(for: distance, in: target)
        } else if plan.written.contains(where: { if case .distance = $0.measure { $0.kind == .run } else { false } }) {
            pace = try plan.runPace(forTime: target)
        } else {
            return try filling(.time(target), plan, unit)
        }
        plan.paces[.run] = pace
        return "to finish in \(target.runText()), run at \(pace.text(in: unit.pace))\n"
    }

    private func filling(_ target: FillTarget, _ plan: Plan, _ unit: RunUnit) throws(PlanError) -> String {
        let (filling, name, left): (Filling, String, String)
        switch target {
        case .distance(let distance):
            filling = try Filling(distance, with: plan)
            (name, left) = (distance.text(in: unit.distance), (filling.distanceLeft ?? .zero).text(in: unit.distance))
        case .time(let time):
            filling = try Filling(time, with: plan)
            (name, left) = (time.runText(), (filling.timeLeft ?? .zero).runText())
        }
        let times = filling.repetitions == 1 ? "once" : "\(filling.repetitions) times"
        let used = PlanShowCommand.texts(filling.used, unit).joined(separator: ", ")
        return "\(name): \(times)" + (filling.repetitions > 0 ? " (\(used))" : "") + ", \(left) left\n"
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
            let hasDecimals = row.extent.time.map { $0.attoseconds % 1_000_000_000_000_000_000 != 0 } ?? false
            table.rows.append([
                .number(row.number), .number(row.set), .text(row.interval.kind.rawValue), .text(row.interval.label),
                .time(row.extent.time, decimals: hasDecimals ? 1 : 0), .distance(row.extent.distance, unit),
                .pace(row.extent.pace, unit), .time(row.total.time), .distance(row.total.distance, unit),
            ])
        }
        return table
    }

    /// `22 intervals, 11:00, 1.9 km, 5:47 /km, 10.36 km/h`.
    static func totals(_ table: PlanTable, _ unit: RunUnit) -> String {
        let count = table.rows.count == 1 ? "1 interval" : "\(table.rows.count) intervals"
        let again = table.isEndless ? ["repeated until stopped"] : []
        return ([count] + texts(table.total, unit) + again).joined(separator: ", ")
    }

    private static func texts(_ extent: Extent, _ unit: RunUnit) -> [String] {
        var texts: [String] = []
        if let time = extent.time { texts.append(time.runText()) }
        if let distance = extent.distance { texts.append(distance.text(in: unit.distance)) }
        if let pace = extent.pace {
            texts += [pace.text(in: unit.pace), pace.text(in: unit == .km ? .kilometersPerHour : .milesPerHour)]
        }
        return texts
    }
}

/// A distance or a time to fill.
enum FillTarget {
    case distance(Distance)
    case time(Duration)

    init(text: String) throws {
        if let distance = try? Distance(runText: text) {
            self = .distance(distance)
        } else if let time = try? Duration(runText: text) {
            self = .time(time)
        } else {
            throw ValidationError("'\(text)' is neither a distance nor a time; write for example 10mi or 2:00:00")
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

    /// Writes a plan; an error ends the command.
    static func write(_ plan: Plan, to path: String) throws {
        do throws(Fault) {
            try save(plan, to: path)
        } catch {
            throw Failure.exit(error.code, error.message)
        }
    }

    /// Stores a plan under a name, replacing any plan of that name, and prints its path.
    static func write(_ plan: Plan, as name: String) throws {
        guard let folder = ScoreFolder(environment: Environment.values) else {
            throw Failure.exit(.cannotWrite, "there is no home folder for plans: set HOME or XDG_DATA_HOME")
        }
        let path = folder.planPath(name)
        do throws(FileError) {
            try TextFile.replace(path, Array((plan.text + "\n").utf8), makesFolders: true)
        } catch {
            throw Failure.exit(.cannotWrite, "'\(path)' \(error)")
        }
        var output = StandardOutput()
        try output.write(path + "\n")
        try output.flush()
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

    /// Writes a plan in the format that the name of the file implies. The file is written completely or not at all.
    static func save(_ plan: Plan, to path: String) throws(Fault) {
        let format = try format(of: path)
        let bytes: [UInt8]
        do throws(WorkoutError) {
            bytes = try format.write(plan, now: time(nil))
        } catch {
            throw Fault(code: .badData, message: "\(error)")
        }
        do throws(FileError) {
            try TextFile.replace(path, bytes)
        } catch {
            throw Fault(code: .cannotWrite, message: "'\(path)' \(error)")
        }
    }
}
