internal import Application
internal import ArgumentParser
internal import Languages
internal import Playback
internal import Running
internal import Scores
internal import Formats

/// Options for files of all workouts of a plan of weeks.
struct AllFilesOptions: ParsableArguments {
    @Flag(help: .localized("Write a file for each workout of a plan of weeks into the folder of -o."))
    var all = false

    @Option(
        help: .localized(
            "With --all: the types of the files, for example fit or mp3,zwo. Default: fit.", valueName: "types"),
        transform: AllFilesOptions.types)
    var to: [WorkoutFileType]?

    @Option(
        help: .localized(
            "In a calendar: remind this long before each workout, such as 1h or 30min.", valueName: "time"),
        transform: RunOption.time)
    var remind: Duration?

    /// The types of the files that `--all` writes.
    var types: [WorkoutFileType] { to ?? [.workout(.fit, ending: "fit")] }

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
        }
    }
}

/// A type of files that each hold one workout.
enum WorkoutFileType: Hashable {
    case workout(Format, ending: String)
    case sound(FileType, ending: String)

    /// The type for the extension of a file name; nil if there is none.
    init?(name: String) {
        if let format = Format(planFileName: "." + name) {
            self = .workout(format, ending: name)
        } else if let type = FileType.allCases.first(where: { $0.extensions.contains(name) }) {
            self = .sound(type, ending: name)
        } else {
            return nil
        }
    }

    var ending: String {
        switch self {
        case .workout(_, let ending), .sound(_, let ending): ending
        }
    }

    static let names =
        (Format.ofPlans.compactMap(\.extensions.first) + FileType.allCases.flatMap(\.extensions)).joined(
            separator: ", ")
}
