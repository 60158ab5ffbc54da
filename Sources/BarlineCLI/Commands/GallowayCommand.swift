internal import Application
internal import ArgumentParser
internal import Languages
internal import Running

struct GallowayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "galloway",
        abstract: localized("Print run and walk times for a pace, or the race times that a Magic Mile predicts."),
        discussion: localized(
            """
            The ratios and the Magic Mile are Jeff Galloway's (jeffgalloway.com). Its predictions hold up to 60 °F \
            (16 °C). With --temperature, races are slower by his chart for races (3 % from 60 °F, 12 % from 75 °F, \
            20 % from 80 °F), and long runs by 30 s per mile for each 5 °F above 60 °F.

              barline galloway --pace 10:30/mi
              barline galloway --magic-mile 8:00 --temperature 24C
            """))

    @Option(
        help: .localized("The overall pace, running and walking together.", valueName: "pace"),
        transform: RunOption.pace)
    var pace: Pace?

    @Option(help: .localized("The time of an all-out mile.", valueName: "time"), transform: RunOption.time)
    var magicMile: Duration?

    @Option(
        parsing: .unconditional,
        help: .localized("The temperature in C or F: 24C, 75F.", valueName: "degrees"), transform: Heat.init(option:))
    var temperature: Heat?

    @OptionGroup var tableOptions: TableOptions

    func validate() throws {
        if temperature != nil, magicMile == nil { throw ValidationError(localized("--temperature needs --magic-mile")) }
        if pace != nil, magicMile != nil { throw ValidationError(localized("give either --pace or --magic-mile")) }
    }

    func run() throws {
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
        let source = tableOptions.style == .plain ? RunWalkRatio.source + "\n" : ""
        try StandardOutput.print(ratios(bands).text(tableOptions.style) + source)
    }

    private func ratios(_ bands: [GallowayBand]) -> Table {
        var table = Table(columns: [
            .number(localized("pace /mi"), "pace_s_per_mi_from"), .number(localized("to"), "pace_s_per_mi_to"),
            .number(localized("run"), "run_s"), .number(localized("walk"), "walk_s"),
            .text(localized("as a plan"), "plan"),
        ])
        for band in bands {
            for ratio in band.ratios {
                let plan = ratio.parts.map(\.text).joined(separator: ", ")
                table.rows.append([
                    .time(.seconds(band.secondsPerMile.lowerBound)), .time(.seconds(band.secondsPerMile.upperBound)),
                    .time(ratio.run), .time(ratio.walk), .text(plan),
                ])
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
        return table.text(tableOptions.style) + (tableOptions.style == .plain ? sources : "")
    }

    /// The rules that the table follows.
    private var sources: String {
        var lines = [localized("races: Jeff Galloway, Magic Mile (jeffgalloway.com), for up to 60 °F (16 °C)")]
        guard let temperature, temperature.fahrenheit >= 60 else { return lines[0] + "\n" }
        if let share = temperature.raceSlowing {
            lines.append(localized("heat: races \(Int((share * 100).rounded())) % slower, by \(Heat.raceSource)"))
        } else {
            lines.append(localized("heat: \(Heat.raceSource) ends at 85 °F (29 °C): run for fun"))
        }
        let slowing = temperature.trainingSlowing.runText()
        lines.append(localized("heat: long runs \(slowing) per mile slower, 30 s for each 5 °F above 60 °F"))
        return lines.joined(separator: "\n") + "\n"
    }
}

extension Heat {
    /// Reads the temperature of an option.
    fileprivate init(option text: String) throws {
        let number = text[..<(text.lastIndex(where: \.isNumber).map(text.index(after:)) ?? text.startIndex)]
        let unit = text.dropFirst(number.count).filter { $0 != " " && $0 != "°" }.uppercased()
        guard let degrees = Double(number), unit == "C" || unit == "F" else {
            throw ValidationError(
                localized("'\(text)' is not a temperature in degrees Celsius or Fahrenheit, for example 24C or 75F"))
        }
        self = unit == "C" ? Heat(celsius: degrees) : Heat(fahrenheit: degrees)
        guard Heat.range.contains(fahrenheit) else {
            throw ValidationError(localized("a temperature must be -51 to 60 °C (-60 to 140 °F)"))
        }
    }
}
