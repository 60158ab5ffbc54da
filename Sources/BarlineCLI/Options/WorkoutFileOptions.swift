internal import Application
internal import ArgumentParser
internal import Languages
internal import Running
internal import UserSettings
internal import Formats

/// Options for writing workouts of other programs.
struct WorkoutFileOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: .localized(
            "How much slower or faster than its pace a run in a .fit file may be, such as 5s/km. Default: 5s/km.",
            valueName: "time"), transform: WorkoutFileOptions.tolerance)
    var tolerance: Duration?

    /// The choices for the writers; `threshold` is the pace that is power 1 in a .zwo file, unless it is that of the plan.
    func options(_ threshold: Pace?) -> WorkoutOptions {
        WorkoutOptions(
            tolerance: tolerance ?? WorkoutOptions().tolerance,
            threshold: threshold ?? LoadedSettings.valid[Setting.threshold])
    }

    /// Refuses an option that has no effect on the file to be written.
    func check(_ formats: [Format]) throws {
        if tolerance != nil, !formats.contains(.fit) {
            throw ValidationError(localized("--tolerance needs -o with a .fit file"))
        }
    }

    /// Reads `5s/km`, `8s/mi`, `5s`, `5` or `0:05`; without a unit it is per kilometer.
    private static func tolerance(_ text: String) throws -> Duration {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let units = ["km": DistanceUnit.kilometers, "mi": .miles]
        let unit = parts.count == 2 ? units[parts[1].lowercased()] : .kilometers
        let time: Duration? =
            switch parts[0] {
            case "0", "0s", "0:00": .zero
            default:
                Double(parts[0]).map { Duration(inSeconds: $0) } ?? (try? Duration(runText: parts[0]))
            }
        guard let unit, let time else {
            throw ValidationError(localized("--tolerance is a time per kilometer or mile, such as 5s/km or 8s/mi"))
        }
        let perKilometer = Duration(inSeconds: time.inSeconds * 1000 / unit.meters)
        guard WorkoutOptions.toleranceRange.contains(perKilometer) else {
            throw ValidationError(localized("--tolerance must be 0 to 10 minutes per kilometer"))
        }
        return perKilometer
    }
}
