internal import Application
internal import ArgumentParser
internal import Languages
internal import Running
internal import Scores
internal import Screens

struct PaceCommand: ParsableCommand, PlainCommand {
    static let configuration = CommandConfiguration(
        commandName: "pace",
        abstract: localized("Compute distance, time or pace from the other two."),
        discussion: localized(
            """
            barline pace 26.2mi 10:00/mi     a distance at a pace: how long?
              barline pace 5k in 25:00         a distance in a time: how fast?
              barline pace 1:00:00 @ 12 km/h   a time at a speed: how far?

            Distances are in m, km or mi (or mile, half marathon, marathon), times 25:00, 90s or 1h30min, paces 5:00/km, 10:00/mi, \
            12 km/h, 6 mph or 3.5 m/s. Without arguments at a terminal, `pace` opens a small calculator.
            """))

    @Argument(help: .localized("Two of distance, time and pace.", valueName: "value"))
    var values: [String] = []

    @Option(help: .localized("The unit of predicted paces: km or mi."))
    var unit: RunUnit?

    @Flag(help: .localized("Also predict the times of other races (Riegel, 1981)."))
    var predict = false

    @Flag(help: .localized("Print a JSON object, in meters, seconds and meters per second."))
    var json = false

    @OptionGroup var plainOptions: PlainOptions

    func run() throws {
        guard !values.isEmpty else {
            guard Terminal.isInteractive, !json, !predict else {
                throw Failure.exit(
                    .usage, localized("give two of distance, time and pace, for example 26.2mi 10:00/mi"))
            }
            return PaceCommand.calculate()
        }
        let run = try RunOption.run(values)
        guard !json else { return try StandardOutput.print(PaceCommand.json(run, predict: predict)) }
        let unit = try RunUnit(unit, of: DistanceUnit(mentionedIn: values.joined(separator: " ")))
        let predictions = predict ? "\n" + PaceCommand.predictions(run, unit) : ""
        try StandardOutput.print(PaceCommand.text(run) + predictions)
    }

    /// Runs the calculator at the terminal.
    private static func calculate() {
        let isColored = Terminal.hasColor(1)
        let marks = isColored ? ("\u{1B}[7m", "\u{1B}[27m") : ("[", "]")
        var calculator = PaceCalculator(.first)
        CalculatorScreen.run(marks: isColored ? marks : ("", "")) {
            calculator.lines(marks: marks)
        } press: {
            calculator.press($0)
        }
    }

    /// Three lines, for distance, time and pace; the computed one begins with `=`.
    private static func text(_ run: Run) -> String {
        // 400 m stay 400 m.
        let isMeters =
            run.result != .distance && run.distance.exactText == run.distance.text(in: .meters).filter { $0 != " " }
        let distance = [isMeters ? DistanceUnit.meters : .kilometers, .miles].map { run.distance.text(in: $0) }
        let time = run.result == .time ? run.time.shownText() : run.time.shortText(decimals: 3)
        let pace = [PaceUnit.perKilometer, .perMile, .kilometersPerHour, .milesPerHour].map { run.pace.text(in: $0) }
        let rows: [(Run.Quantity, [String])] = [(.distance, distance), (.time, [time]), (.pace, pace)]
        return rows.map { quantity, texts in
            let mark = quantity == run.result ? "= " : "  "
            let fields = texts.map { $0.padding(to: 11) }.joined(separator: "  ")
            return (mark + quantity.word.padding(to: 11) + fields).trimmedEnd + "\n"
        }.joined()
    }

    private static func json(_ run: Run, predict: Bool) -> String {
        let meters = Duration(inSeconds: run.distance.meters).seconds(decimals: 6)
        let speed = Duration(inSeconds: run.pace.metersPerSecond).seconds(decimals: 9)
        var fields: [(String, JSON)] = [
            ("distance_m", .number(meters)), ("time_s", .seconds(run.time, decimals: 6)),
            ("speed_m_per_s", .number(speed)), ("result", .text(run.result.rawValue)),
        ]
        if predict {
            let times = Prediction.races.map { race in
                (race.name, JSON.seconds(Prediction.time(for: race.distance, after: run), decimals: 3))
            }
            fields.append(("predicted_s", .fields(times)))
        }
        return JSON.line(fields) + "\n"
    }

    private static func predictions(_ run: Run, _ unit: RunUnit) -> String {
        var table = Table(columns: [
            .text(localized("race"), "race"), .number(localized("time"), "time_s"),
            .number(localized("pace"), "pace_s_per_km"),
        ])
        for race in Prediction.races {
            let time = Prediction.time(for: race.distance, after: run)
            let name = Prediction.localizedName(race.name)
            table.rows.append([.text(name), .time(time), .pace(Pace(race.distance, in: time), unit)])
        }
        return table.text(.plain)
    }
}
