internal import Application
internal import ArgumentParser
internal import Languages
internal import Running
internal import Scores
internal import Screens
internal import UserSettings

/// The units that runners think in.
enum RunUnit: String, ExpressibleByArgument, CaseIterable {
    case km, mi

    var distance: DistanceUnit { self == .km ? .kilometers : .miles }
    var pace: PaceUnit { self == .km ? .perKilometer : .perMile }

    /// The unit of what is printed or drawn: the one that the user asks for, or else that of the run or plan itself, or
    /// else that of the settings. Errors: the settings are needed and not valid.
    init(_ chosen: RunUnit?, of own: DistanceUnit?) throws {
        self = try chosen ?? own.map(RunUnit.init) ?? RunUnit(LoadedSettings.get())
    }

    init(_ unit: DistanceUnit) { self = unit == .miles ? .mi : .km }
    init(_ settings: Settings) { self = settings[Setting.unit] == .mi ? .mi : .km }
}

/// Reads the values of runs in options; shows mistakes at their place.
enum RunOption {
    static func distance(_ text: String) throws -> Distance { try OptionText.read(text) { try Distance(runText: $0) } }
    static func time(_ text: String) throws -> Duration { try OptionText.read(text) { try Duration(runText: $0) } }
    static func pace(_ text: String) throws -> Pace { try OptionText.read(text) { try Pace(runText: $0) } }

    /// A time with or without a sign: `-2s`, `+0:10`.
    static func change(_ text: String) throws -> Duration {
        let sign = text.hasPrefix("-") ? -1 : 1
        let magnitude = text.hasPrefix("-") || text.hasPrefix("+") ? String(text.dropFirst()) : text
        return try time(magnitude) * sign
    }

    /// Reads the words of a command as one run. A mistake is shown with a caret and ends the command.
    static func run(_ words: [String]) throws -> Run {
        let text = words.joined(separator: " ")
        do throws(Problem) {
            let (run, note) = try Run.read(text)
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
        let lines = fault.diagnostic(in: Array(text.utf8), file: "").rendered(color: Terminal.hasColor(2))
        for line in lines.split(separator: "\n").dropFirst() { StandardError.write(line + "\n") }
    }
}

extension Table.Cell {
    /// A time; for programs in seconds. Without `decimals`, it has hundredths if it is less than a minute.
    static func time(_ time: Duration?, decimals: Int? = nil) -> Table.Cell {
        guard let time else { return .empty }
        let shown = decimals.map { time.runText(decimals: $0) } ?? time.shownText()
        return Table.Cell(shown: shown, value: .number(time.seconds(decimals: 3)))
    }

    /// A distance; for programs in meters. One that was written is shown in its own unit.
    static func distance(_ distance: Distance?, _ unit: RunUnit, isWritten: Bool = false) -> Table.Cell {
        guard let distance else { return .empty }
        let meters = Duration(inSeconds: distance.meters).seconds(decimals: 3)
        let shown = isWritten ? distance.writtenText(in: unit.distance) : distance.text(in: unit.distance)
        return Table.Cell(shown: shown, value: .number(meters))
    }

    /// A pace; for programs in seconds per kilometer.
    static func pace(_ pace: Pace?, _ unit: RunUnit) -> Table.Cell {
        guard let pace else { return .empty }
        let seconds = pace.time(per: .kilometers).seconds(decimals: 3)
        return Table.Cell(shown: pace.text(in: unit.pace), value: .number(seconds))
    }
}
