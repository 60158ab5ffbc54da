internal import ArgumentParser
internal import Languages
internal import Running
internal import Workouts

struct SplitsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "splits",
        abstract: localized("Print the split times of a run for every kilometer, mile or other distance."),
        discussion: localized("For example:") + """


              barline splits marathon in 3:45:00
              barline splits 26.2mi @ 9:00/mi --every 1mi --step -1s
              barline splits 5k in 20:00 --every 400m --change 3=-2s
              barline splits marathon in 3:45:00 -o band.pdf
            """)

    @Argument(help: .localized("Two of distance, time and pace.", valueName: "value"))
    var values: [String]

    @Option(
        help: .localized("The length of a split. Default: 1km or 1mi.", valueName: "distance"),
        transform: RunOption.distance)
    var every: Distance?

    @Option(
        parsing: .unconditional,
        help: .localized(
            "Make each split slower (2s) or faster (-2s) than the one before; the finish time stays.", valueName: "time"
        ),
        transform: RunOption.change)
    var step: Duration?

    @Option(
        help: .localized(
            "Change one split: 3=+5s makes it 5 s slower; the finish time moves. Can be repeated.", valueName: "n=time"),
        transform: SplitChange.init(text:))
    var change: [SplitChange] = []

    @OptionGroup var tableOptions: TableOptions

    @Option(
        name: .shortAndLong,
        help: .localized("Write a wrist band to print and cut out: .pdf or .svg.", valueName: "file"))
    var output: String?

    func run() throws {
        let run = try RunOption.run(values)
        let unit = RunUnit(of: values.joined(separator: " "))
        let splits = try Failure.exitOnError(.usage) {
            var splits = try Splits(run, every: every ?? unit.distance.distance)
            if let step { try splits.progress(by: step) }
            for change in change { try splits.change(change.number, by: change.change) }
            return splits
        }
        if let output {
            let band = try Failure.exitOnError(.usage) {
                try Band(splits, in: unit.distance, isFixed: every != nil)
            }
            return try PlanFile.write(band, to: output)
        }
        var text = SplitsCommand.table(splits, unit).text(tableOptions.style)
        if tableOptions.style == .plain {
            let pace = Pace(splits.distance, in: splits.finish).text(in: unit.pace)
            let finish = run.result == .time ? splits.finish.shownText() : splits.finish.shortText(decimals: 3)
            text += localized("finish \(finish), \(pace) on average") + "\n"
        }
        try StandardOutput.print(text)
    }

    /// A row for each split.
    static func table(_ splits: Splits, _ unit: RunUnit) -> Table {
        var table = Table(columns: [
            .number(localized("split"), "split"), .number(localized("distance"), "distance_m"),
            .number(localized("time"), "time_s"), .number(localized("pace"), "pace_s_per_km"),
            .number(localized("at"), "total_distance_m"), .number(localized("clock"), "total_time_s"),
        ])
        // Sprinters count hundredths.
        let isShort = splits.finish < .seconds(120)
        for row in splits.rows {
            table.rows.append([
                .number(row.number), .distance(row.distance, unit), .time(row.time, decimals: isShort ? 2 : 1),
                .pace(row.pace, unit), .distance(row.totalDistance, unit),
                .time(row.totalTime, decimals: isShort ? 2 : 0),
            ])
        }
        return table
    }
}

/// The number of a split, and how much slower it becomes.
struct SplitChange {
    let number: Int
    let change: Duration

    init(text: String) throws {
        let parts = text.split(separator: "=", maxSplits: 1)
        guard parts.count == 2, let number = Int(parts[0]) else {
            throw ValidationError(localized("'\(text)' is not a split number and a time, for example 3=+5s or 12=-2s"))
        }
        self.number = number
        change = try RunOption.change(String(parts[1]))
    }
}
