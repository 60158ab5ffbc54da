internal import Files
package import Formats
internal import Glibc
internal import Languages
internal import Playback
internal import Running
internal import Scores
internal import SystemPackage

/// Writes plans to files.
enum PlanFile {
    /// The error if a plan cannot be written.
    struct Fault: Error {
        var code: Failure.Code
        var message: String

        static func usage(_ message: String) -> Fault { Fault(code: .usage, message: message) }
    }

    /// What is written.
    enum Content {
        case workout(Plan, WorkoutOptions = WorkoutOptions())
        /// A plan of weeks. `name` stands for its title if it has none; a calendar reminds its user `remind` before each
        /// workout.
        case weeks(TrainingPlan, name: String, remind: Duration? = nil)
        case band(Band)
    }

    /// Writes a file and reports what its format does not carry; an error ends the command.
    static func write(_ content: Content, to path: String) throws {
        let losses = try exitOnFault { try save(content, to: path) }
        if case .band(let band) = content, let note = band.note { Failure.say(localized("note: \(path): \(note)")) }
        say(losses, path)
    }

    /// The same with several files, of which either all or none are written.
    static func write(_ files: [(path: String, content: Content)]) throws {
        let writings = try exitOnFault { try files.map { ($0.path, try writing($0.content, to: $0.path)) } }
        try OutputFile.write(writings.map { ($0, $1.bytes) })
        for (path, writing) in writings { say(writing.losses, path) }
    }

    private static func say(_ losses: [String], _ path: String) {
        for loss in losses { Failure.say(localized("warning: \(path): \(loss)")) }
    }

    private static func exitOnFault<Value>(_ body: () throws -> Value) throws -> Value {
        do { return try body() } catch let fault as Fault { throw Failure.exit(fault.code, fault.message) }
    }

    /// Stores the text of a plan under a name; returns its path. A plan of that name, or a bundled score, is in the way
    /// unless `replaces` is true; a score of your own always is.
    static func write(_ text: String, as name: String, replaces: Bool) throws -> String {
        guard let folder = ScoreFolder(environment: Environment.values) else {
            throw Failure.exit(.cannotWrite, localized("there is no home folder for plans: set HOME or XDG_DATA_HOME"))
        }
        let path = folder.planPath(name)
        if let other = folder.path(of: name), other != path {
            throw Failure.exit(
                .cannotWrite, localized("your score '\(other)' would hide a plan '\(name)'; choose another name"))
        }
        let bytes = Array(text.utf8)
        guard !replaces else {
            let losses = try exitOnFault { () throws(Fault) in
                let old = try lost(path, bytes)
                try replace(path, bytes, makesFolders: true)
                return old
            }
            say(losses, path)
            return path
        }
        if !FileBytes.exists(path), BundledScore.named(name) != nil {
            throw Failure.exit(
                .cannotWrite,
                localized(
                    "'\(name)' is a bundled score, which this plan would hide; choose another name, or give --replace"
                ))
        }
        do throws(FileError) { try TextFile.create(path, bytes) } catch {
            throw Failure.exit(
                .cannotWrite,
                error == .exists
                    ? localized("there is already a plan '\(name)'; choose another name, or give --replace")
                    : "'\(path)' \(error)")
        }
        return path
    }

    /// Writes a file, completely or not at all, in the format of its name; returns what this does not carry.
    static func save(_ content: Content, to path: String) throws(Fault) -> [String] {
        let made = try writing(content, to: path)
        try replace(path, made.bytes)
        return made.losses
    }

    /// The file in the format of its name, with what this does not carry of the new file and of the one that it replaces.
    private static func writing(_ content: Content, to path: String) throws(Fault) -> Writing {
        let ending = FileKind.extension(of: path) ?? ""
        let (format, picture) = (Format(planFileName: path), BandFormat(rawValue: ending))
        guard format != nil || picture != nil || ending == "ics" else {
            let known = WordText.list(Format.endings(Format.writtenPlans) + [".ics", ".pdf", ".svg"])
            throw .usage(localized("'\(path)' has no known extension: use \(known)"))
        }
        var writing: Writing
        switch content {
        case .workout(let plan, let options):
            guard let format else {
                throw .usage(
                    picture == nil
                        ? localized(
                            "'\(path)' is a calendar, which needs a plan of weeks with dates: week 1: {tue: ...}")
                        : localized("'\(path)' is a picture, which cannot be edited"))
            }
            do throws(TextError) { writing = try format.write(plan, now: time(nil), options) } catch {
                throw Fault(code: .badData, message: options.namesOptions ? "\(error)" : error.message)
            }
        case .weeks(let plan, let name, let remind) where ending == "ics":
            do throws(TextError) {
                writing = Writing(bytes: try CalendarFile.write(plan, name: name, now: now, remind: remind), losses: [])
            } catch {
                throw .usage("'\(path)': \(error)")
            }
        case .weeks(let plan, _, _) where format == .plan:
            writing = Writing(bytes: Array(plan.text.utf8), losses: [])
        case .weeks:
            throw .usage(
                localized(
                    "'\(path)' holds one workout, but this is a plan of weeks; add --week and --day, or write .plan or .ics"
                ))
        case .band(let band):
            guard let picture else {
                throw .usage(localized("'\(path)' has no known extension: a band is .pdf or .svg"))
            }
            writing = picture.write(band)
        }
        writing.losses += try lost(path, writing.bytes)
        return writing
    }

    /// The current time in seconds since 1970; for builds that must be reproducible, SOURCE_DATE_EPOCH.
    private static var now: Int { Environment[.now].flatMap { Int($0) } ?? time(nil) }

    /// What is in the file that these bytes would replace, and is lost then. A plan of weeks is not replaced by a single
    /// workout.
    private static func lost(_ path: String, _ bytes: [UInt8]) throws(Fault) -> [String] {
        guard FileKind.isFile(path), Format(planFileName: path) == .plan,
            let old = try? FileBytes.read(path, limit: Format.planByteLimit)
        else { return [] }
        guard !TrainingPlan.isLikely(old) || TrainingPlan.isLikely(bytes) else {
            throw Fault(
                code: .cannotWrite,
                message: localized(
                    "'\(path)' is a plan of weeks, which this workout would replace; choose another name"))
        }
        return Plan.hasComments(old) ? [localized("the comments in the old file are lost")] : []
    }

    private static func replace(_ path: String, _ bytes: [UInt8], makesFolders: Bool = false) throws(Fault) {
        do throws(FileError) { try TextFile.replace(path, bytes, makesFolders: makesFolders) } catch {
            throw Fault(code: .cannotWrite, message: "'\(path)' \(error)")
        }
    }
}

/// The workouts of a plan of weeks as files in a folder, named by week and day: `week-03-2-tue.fit`.
struct PlanWorkouts {
    var plan: TrainingPlan
    var types: [WorkoutFileType]
    var options: WorkoutOptions

    /// Writes all files, and returns their paths. If one cannot be written, none is: files of sound, which are made one
    /// after the other, are removed again, and the older ones come back. An error ends the command.
    func write(into folder: String) throws -> [String] {
        let base = folder.hasSuffix("/") ? String(folder.dropLast()) : folder
        let files = plan.slots.flatMap { slot in
            types.map { (path: "\(base)/\(name(slot)).\($0.ending)", slot: slot, type: $0) }
        }
        for (_, slot, type) in files { try check(slot, type) }
        let reason = mkdir(base, 0o777) == 0 ? nil : Errno.last
        if let reason, !FileBytes.isDirectory(base) {
            throw Failure.exit(.cannotWrite, localized("the folder '\(base)' cannot be made: \(reason.reason)"))
        }
        var new: [String] = []
        var old: [(kept: String, path: String)] = []
        defer { for (kept, _) in old { unlink(kept) } }
        do {
            for (path, slot, type) in files where type.format == nil {
                guard let workout = plan.plan(slot) else { continue }
                let target = (try? NewFile.target(path)) ?? path
                // A second name keeps an old file, on file systems that have such.
                let kept = "\(target).old-\(getpid())"
                if !FileBytes.exists(target) { new.append(target) }
                if link(target, kept) == 0 { old.append((kept, target)) }
                try RenderRequest(workout.text, to: path).render()
            }
            try PlanFile.write(
                files.compactMap { path, slot, type in
                    guard type.format != nil, let workout = plan.plan(slot) else { return nil }
                    return (path, .workout(workout, options))
                })
        } catch {
            for path in new { unlink(path) }
            for (kept, path) in old { rename(kept, path) }
            if reason == nil { rmdir(base) }
            throw error
        }
        return files.map(\.path)
    }

    /// Checks that a workout can be written as a file of a type; an error ends the command.
    private func check(_ slot: TrainingPlan.Slot, _ type: WorkoutFileType) throws {
        guard let workout = plan.plan(slot) else { return }
        let place = localized("week \(slot.week), \(slot.day.localizedName)")
        try Failure.exitOnError(.badData, "\(place): ") {
            if let format = type.format {
                _ = try format.write(workout, now: 0, options)
            } else {
                _ = try workout.closed().score()
                if workout.length == .forever { throw PlanError.endless }
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

/// A type of files that each hold one workout.
package struct WorkoutFileType: Sendable {
    package let ending: String
    /// The format of a workout; nil for sound.
    package let format: Format?

    /// The type that the extension of a file name means; nil if it means none.
    package init?(name: String) {
        (ending, format) = (name, Format(planFileName: "." + name))
        guard format != nil || FileType.allCases.contains(where: { $0.extensions.contains(name) }) else { return nil }
    }

    package static let names =
        (Format.writtenPlans.compactMap(\.extensions.first) + FileType.allCases.flatMap(\.extensions))
        .joined(separator: ", ")
}
