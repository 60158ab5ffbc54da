internal import Formats
internal import Languages
package import Running
package import Scores

/// Distance, time and pace of a run, of which two are given. `print` writes them to standard output.
package struct PaceRequest: Sendable {
    /// Two of distance, time and pace, as people write them; nil for the calculator at a terminal.
    package var words: String?
    /// The unit of predicted paces; nil for that of the words, or else of the settings.
    package var unit: DistanceUnit?
    /// Whether the times of other races are predicted (Riegel, 1981).
    package var predicts = false
    /// Whether it is written as a JSON object.
    package var json = false

    package init(_ words: String?) { self.words = words }

    /// Prints it. Errors: `ProgramEnd`, whose reason has been told.
    package func print() throws {
        guard let words else {
            guard StandardOutput.isInteractive, !json, !predicts else {
                throw Failure.exit(
                    .usage, localized("give two of distance, time and pace, for example 26.2mi 10:00/mi"))
            }
            return calculate()
        }
        let run = try Run.said(words)
        guard !json else { return try StandardOutput.print(json(run)) }
        let unit = try DistanceUnit.shown(unit, of: DistanceUnit(mentionedIn: words))
        try StandardOutput.print(text(run) + (predicts ? "\n" + predictions(run, unit) : ""))
    }

    /// Runs the calculator at the terminal.
    private func calculate() {
        let isColored = StandardOutput.hasColor
        let marks = isColored ? ("\u{1B}[7m", "\u{1B}[27m") : ("[", "]")
        var calculator = PaceCalculator(.first)
        CalculatorScreen.run(marks: isColored ? marks : ("", ""), lines: { calculator.lines(marks: marks) }) {
            calculator.press($0)
        }
    }

    /// Three lines, for distance, time and pace; the computed one begins with `=`.
    private func text(_ run: Run) -> String {
        // 400 m stay 400 m.
        let isMeters =
            run.result != .distance && run.distance.exactText == run.distance.text(in: .meters).filter { $0 != " " }
        let distance = [isMeters ? DistanceUnit.meters : .kilometers, .miles].map { run.distance.text(in: $0) }
        let time = run.time.finishText(isGiven: run.result != .time)
        let pace = [PaceUnit.perKilometer, .perMile, .kilometersPerHour, .milesPerHour].map { run.pace.text(in: $0) }
        let rows: [(Run.Quantity, [String])] = [(.distance, distance), (.time, [time]), (.pace, pace)]
        return rows.map { quantity, texts in
            let mark = quantity == run.result ? "= " : "  "
            let fields = texts.map { $0.padding(to: 11) }.joined(separator: "  ")
            return (mark + quantity.word.padding(to: 11) + fields).trimmedEnd + "\n"
        }.joined()
    }

    private func json(_ run: Run) -> String {
        let meters = Duration(inSeconds: run.distance.meters).seconds(decimals: 6)
        let speed = Duration(inSeconds: run.pace.metersPerSecond).seconds(decimals: 9)
        var fields: [(String, JSON)] = [
            ("distance_m", .number(meters)), ("time_s", .seconds(run.time, decimals: 6)),
            ("speed_m_per_s", .number(speed)), ("result", .text(run.result.rawValue)),
        ]
        if predicts {
            let times = Prediction.races.map { race in
                (race.name, JSON.seconds(Prediction.time(for: race.distance, after: run), decimals: 3))
            }
            fields.append(("predicted_s", .fields(times)))
        }
        return JSON.line(fields) + "\n"
    }

    private func predictions(_ run: Run, _ unit: DistanceUnit) -> String {
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

extension Run {
    /// The run that the words of a command say. A mistake is shown with a caret and ends the command.
    static func said(_ text: String) throws -> Run {
        do throws(Problem) {
            let (run, note) = try read(text)
            if let note { say(localized("note: \(note)"), note, in: text) }
            return run
        } catch {
            say(localized("error: \(error)"), error, in: text)
            throw ProgramEnd(.badData)
        }
    }

    /// Prints a message and the words of the command, with its place marked.
    private static func say(_ message: String, _ fault: Problem, in text: String) {
        Failure.say(message)
        let lines = fault.diagnostic(in: Array(text.utf8), file: "").rendered(color: StandardError.hasColor)
        for line in lines.split(separator: "\n").dropFirst() { StandardError.write(line + "\n") }
    }
}

/// The split times of a run. `print` writes them to standard output, or to a file.
package struct SplitsRequest: Sendable {
    /// Two of distance, time and pace, as people write them.
    package var words: String
    /// The length of a split; nil for a kilometer or mile.
    package var every: Distance?
    /// The unit; nil for that of the words, or else of the settings.
    package var unit: DistanceUnit?
    /// How much slower each split is than the one before; the finish time stays.
    package var step: Duration?
    /// What single splits take: so much more or less, or exactly so much. It moves the finish time.
    package var changes: [(number: Int, time: Duration, isDifference: Bool)] = []
    package var style = Table.Style.plain
    /// The path of a wrist band; nil for none.
    package var output: String?

    package init(_ words: String) { self.words = words }

    /// Prints or writes them. Errors: `ProgramEnd`, whose reason has been told.
    package func print() throws {
        let run = try Run.said(words)
        let unit = try DistanceUnit.shown(
            unit, of: DistanceUnit(mentionedIn: words + " " + (every?.exactText ?? "")))
        let splits = try Failure.exitOnError(.usage) {
            var splits = try Splits(run, every: every ?? unit.distance)
            if let step { try splits.progress(by: step) }
            for (number, time, isDifference) in changes {
                if isDifference { try splits.change(number, by: time) } else { try splits.change(number, to: time) }
            }
            return splits
        }
        if !run.isFasterThanAnyone, let row = splits.fasterThanAnyone {
            throw Failure.exit(
                .usage,
                localized(
                    "split \(row.number) would be \(row.distance.text(in: unit)) in \(row.time.shownText()); nobody has run this distance so fast"
                ))
        }
        if let output {
            let band = try Failure.exitOnError(.usage) { try Band(splits, in: unit, isFixed: every != nil) }
            return try PlanFile.write(.band(band), to: output)
        }
        var text = splits.table(in: unit).text(style)
        if style == .plain {
            let pace = Pace(splits.distance, in: splits.finish).text(in: unit.paceUnit)
            let finish = splits.finish.shortText(decimals: splits.decimals)
            text += localized("finish \(finish), \(pace) on average") + "\n"
        }
        try StandardOutput.print(text)
    }
}

/// Run and walk times for a pace, or the race times that a Magic Mile predicts. `print` writes them to standard output.
package struct GallowayRequest: Sendable {
    /// The pace of running and walking together; nil for all of them.
    package var pace: Pace?
    /// The time of an all-out mile from which races are predicted; nil to list run and walk times.
    package var magicMile: Duration?
    /// The heat in which the races are.
    package var temperature: Heat?
    package var style = Table.Style.plain

    package init() {}

    /// Prints them. Errors: `ProgramEnd`, whose reason has been told.
    package func print() throws {
        if let magicMile { return try StandardOutput.print(races(MagicMile(magicMile))) }
        var bands = RunWalkRatio.table
        if let pace {
            guard let band = RunWalkRatio.ratios(for: pace) else {
                throw Failure.exit(
                    .usage,
                    localized(
                        "there is no ratio for this pace: give one from 6:45/mi to 20:00/mi (4:12/km to 12:25/km)"))
            }
            bands = [band]
        }
        try StandardOutput.print(ratios(bands).text(style) + (style == .plain ? RunWalkRatio.source + "\n" : ""))
    }

    private func ratios(_ bands: [GallowayBand]) -> Table {
        var table = Table(columns: [
            .number(localized("pace /mi"), "pace_s_per_mi_from"), .number(localized("to"), "pace_s_per_mi_to"),
            .number(localized("run"), "run_s"), .number(localized("walk"), "walk_s"),
            .text(localized("as a plan"), "plan"),
        ])
        for band in bands {
            let (from, to) = (band.secondsPerMile.lowerBound, band.secondsPerMile.upperBound)
            table.rows += band.ratios.map { ratio in
                let plan = ratio.parts.map(\.text).joined(separator: ", ")
                return [.time(.seconds(from)), .time(.seconds(to)), .time(ratio.run), .time(ratio.walk), .text(plan)]
            }
        }
        return table
    }

    private func races(_ mile: MagicMile) -> String {
        let heat = temperature ?? .none
        var table = Table(columns: [
            .text(localized("race"), "race"), .number(localized("time"), "time_s"),
            .number("/mi", "pace_s_per_mi"), .number("/km", "pace_s_per_km"),
        ])
        func row(_ name: String, _ shown: String, _ distance: Distance?, _ pace: Pace?) {
            table.rows.append([
                Table.Cell(shown: shown, value: .text(name)), .time(distance.flatMap { pace?.time(for: $0) }),
                .time(pace?.time(per: .miles)), .time(pace?.time(per: .kilometers)),
            ])
        }
        for race in MagicMile.Race.allCases {
            row(race.rawValue, race.localizedName, race.distance, mile.pace(race, at: heat))
        }
        row("long runs", localized("long runs"), nil, mile.longRunPace(at: heat))
        return table.text(style) + (style == .plain ? sources : "")
    }

    /// The rules that the table follows.
    private var sources: String {
        var lines = [localized("races: Jeff Galloway, Magic Mile (jeffgalloway.com), for up to 60 °F (16 °C)")]
        guard let temperature, temperature.fahrenheit >= 60 else { return lines[0] + "\n" }
        lines.append(
            temperature.raceSlowing.map { share in
                localized("heat: races \(Int((share * 100).rounded())) % slower, by \(Heat.raceSource)")
            } ?? localized("heat: \(Heat.raceSource) ends at 85 °F (29 °C): run for fun"))
        let slowing = temperature.trainingSlowing
        if slowing > .zero {
            lines.append(
                localized("heat: long runs \(slowing.runText()) per mile slower, 30 s for each 5 °F above 60 °F"))
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
