internal import Application
internal import ArgumentParser
internal import Formats
internal import Languages
internal import Running
internal import Scores

/// Options for files of workouts: all of a plan of weeks, a calendar, and what is for FIT files.
struct WorkoutFileOptions: ParsableArguments {
    @Flag(help: .localized("Write a file for each workout of a plan of weeks into the folder of -o."))
    var all = false

    @Option(
        help: .localized(
            "With --all: the types of the files, for example fit or mp3,zwo. Default: fit.", valueName: "types"),
        transform: WorkoutFileOptions.types)
    var to: [WorkoutFileType]?

    @Option(
        help: .localized(
            "In a calendar: remind this long before each workout, such as 1h or 30min.", valueName: "time"),
        transform: OptionText.time)
    var remind: Duration?

    @Option(
        parsing: .unconditional,
        help: .localized(
            "How much slower or faster than its pace a run in a .fit file may be, such as 5s/km. Default: 5s/km.",
            valueName: "time"), transform: WorkoutFileOptions.tolerance)
    var tolerance: Duration?

    /// The types of the files that `--all` writes; nil without it.
    var types: [WorkoutFileType]? { all ? to ?? WorkoutFileType(name: "fit").map { [$0] } : nil }

    func check(_ output: String?, save: String?) throws {
        if to != nil, !all { throw ValidationError(localized("--to needs --all")) }
        if all, output == nil || save != nil {
            throw ValidationError(localized("--all needs -o with a folder, for example --all -o workouts/"))
        }
        guard let remind else { return }
        guard !all, FileKind.extension(of: output ?? "") == "ics" else {
            throw ValidationError(localized("--remind needs -o with a calendar (.ics)"))
        }
        guard remind <= CalendarFile.longestReminder else {
            throw ValidationError(localized("--remind must be at most 4 weeks"))
        }
    }

    private static func types(_ text: String) throws -> [WorkoutFileType] {
        try text.split(separator: ",", omittingEmptySubsequences: false).map { name in
            guard let type = WorkoutFileType(name: String(name).trimmingBlanks.lowercased()) else {
                throw ValidationError(
                    localized("'\(name)' is not a type of files for workouts; write \(WorkoutFileType.names)"))
            }
            return type
        }.reduce(into: []) { types, type in
            if !types.contains(where: { $0.ending == type.ending }) { types.append(type) }
        }
    }

    /// Reads `5s/km`, `8s/mi`, `5s`, `5` or `0:05`; without a unit it is per kilometer.
    private static func tolerance(_ text: String) throws -> Duration {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let units = ["km": DistanceUnit.kilometers, "mi": .miles]
        let unit = parts.count == 2 ? units[parts[1].lowercased()] : .kilometers
        let isZero = ["0", "0s", "0:00"].contains(parts[0])
        let time = Double(parts[0]).map { Duration(inSeconds: $0) } ?? (try? Duration(runText: parts[0]))
        guard let unit, let time = isZero ? .zero : time else {
            throw ValidationError(localized("--tolerance is a time per kilometer or mile, such as 5s/km or 8s/mi"))
        }
        let perKilometer = Duration(inSeconds: time.inSeconds * 1000 / unit.meters)
        guard WorkoutOptions.toleranceRange.contains(perKilometer) else {
            throw ValidationError(localized("--tolerance must be 0 to 10 minutes per kilometer"))
        }
        return perKilometer
    }
}
