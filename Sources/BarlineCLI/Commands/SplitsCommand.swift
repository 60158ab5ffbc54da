internal import Application
internal import ArgumentParser
internal import Languages
internal import Running
internal import Formats

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

    @Option(help: .localized("The unit: km or mi."))
    var unit: RunUnit?

    @Option(
        parsing: .unconditional,
        help: .localized(
            "Make each split slower (2s) or faster (-2s) than the one before; the finish time stays.", valueName: "time"
        ),
        transform: RunOption.change)
    var step: Duration?

    @Option(
        help: .localized(
            "Change one split: 3=+5s makes it 5 s slower, and 3=4:10 sets its time; the finish time moves. Can be "
                + "repeated.", valueName: "n=time"),
        transform: SplitChange.init(text:))
    var change: [SplitChange] = []

    @OptionGroup var tableOptions: TableOptions

    @Option(
        name: .shortAndLong,
        help: .localized("Write a wrist band to print and cut out: .pdf or .svg.", valueName: "file"))
    var output: String?

    func run() throws {
        let run = try RunOption.run(values)
        let texts = values + [every?.exactText ?? ""]
        let unit = try RunUnit(unit, of: DistanceUnit(mentionedIn: texts.joined(separator: " ")))
        let splits = try Failure.exitOnError(.usage) {
            var splits = try Splits(run, every: every ?? unit.distance.distance)
            if let step { try splits.progress(by: step) }
            for change in change {
                switch change.time {
                case .by(let time): try splits.change(change.number, by: time)
                case .to(let time): try splits.change(change.number, to: time)
                }
            }
            return splits
        }
        if !run.isFasterThanAnyone, let row = splits.fasterThanAnyone {
            throw Failure.exit(
                .usage,
                localized(
                    "split \(row.number) would be \(row.distance.text(in: unit.distance)) in \(row.time.shownText()); nobody has run this distance so fast"
                ))
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

/// The number of a split, and how its time changes.
struct SplitChange {
    let number: Int
    let time: Time

    enum Time {
        /// It becomes slower by this, or faster if it is negative.
        case by(Duration)
        /// It becomes this.
        case to(Duration)
    }

    init(text: String) throws {
        let parts = text.split(separator: "=", maxSplits: 1)
        guard parts.count == 2, let number = Int(parts[0]) else {
            throw ValidationError(
                localized("'\(text)' is not a split number and a time, for example 3=+5s, 12=-2s or 2=4:10"))
        }
        self.number = number
        let isSigned = parts[1].first == "+" || parts[1].first == "-"
        let time = try RunOption.change(String(parts[1]))
        self.time = isSigned ? .by(time) : .to(time)
    }
}
