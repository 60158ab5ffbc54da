internal import Application
internal import ArgumentParser
internal import Files
internal import Glibc
internal import Languages
internal import Running
internal import Formats

/// The workouts of a plan of weeks as files in a folder, named by week and day: `week-03-2-tue.fit`.
struct PlanWorkouts {
    var plan: TrainingPlan
    var types: [WorkoutFileType]
    var options: WorkoutOptions

    /// Writes all files, and returns their paths. Nothing is written if a workout cannot be. An error ends the command.
    func write(into folder: String) throws -> [String] {
        let base = folder.hasSuffix("/") ? String(folder.dropLast()) : folder
        let files = plan.slots.flatMap { slot in
            types.map { (path: "\(base)/\(name(slot)).\($0.ending)", slot: slot, type: $0) }
        }
        for (_, slot, type) in files { try check(slot, type) }
        if mkdir(base, 0o777) != 0, !FileBytes.isDirectory(base) {
            throw Failure.exit(.cannotWrite, localized("the folder '\(base)' cannot be made"))
        }
        for (path, slot, type) in files {
            guard let workout = plan.plan(slot) else { continue }
            switch type {
            case .workout: try PlanFile.write(workout, to: path, options)
            case .sound:
                // As `barline render` does it, with the settings of the user.
                let render = try RenderCommand.parse([workout.text, "-o", path])
                try render.run()
            }
        }
        return files.map(\.path)
    }

    /// Checks that a workout can be written as a file of a type; an error ends the command.
    private func check(_ slot: TrainingPlan.Slot, _ type: WorkoutFileType) throws {
        guard let workout = plan.plan(slot) else { return }
        let place = localized("week \(slot.week), \(slot.day.localizedName)")
        switch type {
        case .workout(let format, _):
            try Failure.exitOnError(.badData, "\(place): ") { _ = try format.write(workout, now: 0, options) }
        case .sound:
            try Failure.exitOnError(.badData, "\(place): ") { _ = try workout.closed().score() }
            if workout.length == .forever {
                throw Failure.exit(.badData, "\(place): \(PlanError.endless)")
            }
        }
    }

    /// `week-03-2-tue`: in the order of the plan, if they are sorted by name.
    private func name(_ slot: TrainingPlan.Slot) -> String {
        let digits = "\(plan.slots.map(\.week).max() ?? 0)".count
        let week = String(repeating: "0", count: max(digits - "\(slot.week)".count, 0)) + "\(slot.week)"
        return "week-\(week)-\(slot.day.rawValue + 1)-\(slot.day.short)"
    }
}
