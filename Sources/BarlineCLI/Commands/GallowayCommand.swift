internal import ArgumentParser
internal import Languages
internal import Running
internal import Scores

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
        help: .localized("The temperature in C or F: 24C, 75F.", valueName: "degrees"), transform: HeatOption.read)
    var temperature: Heat?

    @OptionGroup var tableOptions: TableOptions

    func validate() throws {
        if temperature != nil, magicMile == nil { throw ValidationError(localized("--temperature needs --magic-mile")) }
        if pace != nil, magicMile != nil { throw ValidationError(localized("give either --pace or --magic-mile")) }
    }

    func run() throws {
        var output = StandardOutput()
        if let magicMile {
            try output.write(races(MagicMile(magicMile)))
        } else {
            let bands: [GallowayBand]
            if let pace {
                guard let band = RunWalkRatio.ratios(for: pace) else {
                    throw Failure.exit(
                        .usage,
                        localized(
                            "there is no ratio for this pace: give one from 6:45/mi to 20:00/mi (4:12/km to 12:25/km)"))
                }
                bands = [band]
            } else {
                bands = RunWalkRatio.table
            }
            try output.write(ratios(bands).text(tableOptions.style))
            if tableOptions.style == .plain { try output.write(RunWalkRatio.source + "\n") }
        }
        try output.flush()
    }

    private func ratios(_ bands: [GallowayBand]) -> Table {
        var table = Table(columns: [
            Table.Column(title: localized("pace /mi"), key: "pace_s_per_mi_from"),
            Table.Column(title: localized("to"), key: "pace_s_per_mi_to"),
            Table.Column(title: localized("run"), key: "run_s"), Table.Column(title: localized("walk"), key: "walk_s"),
            Table.Column(title: localized("as a plan"), key: "plan", isText: true),
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
            Table.Column(title: localized("race"), key: "race", isText: true),
            Table.Column(title: localized("time"), key: "time_s"),
            Table.Column(title: "/mi", key: "pace_s_per_mi"), Table.Column(title: "/km", key: "pace_s_per_km"),
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

/// Reads temperatures of options.
enum HeatOption {
    static func read(_ text: String) throws -> Heat {
        let number = text.trimmingSuffix(while: { !$0.isNumber })
        let unit = text.dropFirst(number.count).filter { $0 != " " && $0 != "°" }.uppercased()
        guard let degrees = Double(number), unit == "C" || unit == "F" else {
            throw ValidationError(
                localized("'\(text)' is not a temperature in degrees Celsius or Fahrenheit, for example 24C or 75F"))
        }
        let heat = unit == "C" ? Heat(celsius: degrees) : Heat(fahrenheit: degrees)
        guard Heat.range.contains(heat.fahrenheit) else {
            throw ValidationError(localized("a temperature must be -51 to 60 °C (-60 to 140 °F)"))
        }
        return heat
    }
}

extension String {
    /// The text without the characters at its end that satisfy `drop`.
    fileprivate func trimmingSuffix(while drop: (Character) -> Bool) -> String {
        String(reversed().drop(while: drop).reversed())
    }
}
