internal import Application
internal import Files
internal import Formats
internal import Glibc
internal import Languages
internal import Running
internal import Scores

/// Writes plans to files.
enum PlanFile {
    /// The error if a plan cannot be written.
    struct Fault: Error {
        var code: Failure.Code
        var message: String
    }

    /// What a file can hold.
    enum Kind {
        /// One plan.
        case workout(Format)
        /// The workouts of weeks, at their dates.
        case calendar
        /// A wrist band.
        case band(BandFormat)
    }

    /// Writes a plan and reports what its format does not carry; an error ends the command.
    static func write(_ plan: Plan, to path: String, _ options: WorkoutOptions) throws {
        for loss in try exitOnFault({ try save(plan, to: path, options) }) {
            Failure.say(localized("warning: \(path): \(loss)"))
        }
    }

    /// Writes a plan of weeks; an error ends the command. `name` stands for its title if it has none.
    static func write(_ plan: TrainingPlan, to path: String, name: String, remind: Duration?) throws {
        try exitOnFault { try save(plan, to: path, name: name, remind: remind) }
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
        if !replaces {
            if FileBytes.exists(path) {
                throw Failure.exit(
                    .cannotWrite, localized("there is already a plan '\(name)'; choose another name, or give --replace")
                )
            }
            if BundledScore.named(name) != nil {
                throw Failure.exit(
                    .cannotWrite,
                    localized(
                        "'\(name)' is a bundled score, which this plan would hide; choose another name, or give --replace"
                    ))
            }
        }
        try exitOnFault { try keepWeeks(path, from: Array(text.utf8)) }
        try Failure.exitOnError(.cannotWrite, "'\(path)' ") {
            try TextFile.replace(path, Array(text.utf8), makesFolders: true)
        }
        return path
    }

    /// Refuses a name that no format of a workout has; an error ends the command.
    static func check(_ path: String) throws { _ = try exitOnFault { try format(of: path) } }

    /// What the name of a file says that it holds.
    private static func kind(of path: String) throws(Fault) -> Kind {
        let ending = FileKind.extension(of: path) ?? ""
        if ending == "ics" { return .calendar }
        if let format = BandFormat(rawValue: ending) { return .band(format) }
        return .workout(try format(of: path, orOther: true))
    }

    /// `orOther` says whether the file may be of another kind, which the error then names, too.
    private static func format(of path: String, orOther: Bool = false) throws(Fault) -> Format {
        guard let format = Format(planFileName: path) else {
            throw Fault(
                code: .usage,
                message: orOther
                    ? localized(
                        "'\(path)' has no known extension: use .plan, .zwo, .fit, .csv, .txt, .ics, .pdf or .svg")
                    : localized("'\(path)' has no known extension: use .plan, .zwo, .fit, .csv or .txt"))
        }
        return format
    }

    /// Writes a wrist band and reports what it does not carry; an error ends the command.
    static func write(_ band: Band, to path: String) throws {
        guard case .band(let format) = try exitOnFault({ try kind(of: path) }) else {
            throw Failure.exit(.usage, localized("'\(path)' has no known extension: a band is .pdf or .svg"))
        }
        let writing = format.write(band)
        try OutputFile.write(writing.bytes, to: path)
        if let note = band.note { Failure.say(localized("note: \(path): \(note)")) }
        for loss in writing.losses { Failure.say(localized("warning: \(path): \(loss)")) }
    }

    /// Writes a plan, completely or not at all, in the format of the file's name; returns what this does not carry.
    static func save(
        _ plan: Plan, to path: String, _ options: WorkoutOptions = WorkoutOptions()
    ) throws(Fault) -> [String] {
        let writing: Writing
        switch try kind(of: path) {
        case .calendar:
            throw Fault(
                code: .usage,
                message: localized(
                    "'\(path)' is a calendar, which needs a plan of weeks with dates: week 1: {tue: ...}"))
        case .band: throw Fault(code: .usage, message: localized("'\(path)' is a picture, which cannot be edited"))
        case .workout(let format):
            do throws(TextError) {
                writing = try format.write(plan, now: time(nil), options)
            } catch {
                throw Fault(code: .badData, message: "\(error)")
            }
        }
        try replace(path, writing.bytes)
        return writing.losses
    }

    /// Writes a plan of weeks as text or calendar. `name` stands for its title if it has none; a calendar reminds its user
    /// `remind` before each workout.
    static func save(
        _ plan: TrainingPlan, to path: String, name: String, remind: Duration? = nil
    ) throws(Fault) {
        switch try kind(of: path) {
        case .calendar:
            let bytes: [UInt8]
            do throws(TextError) {
                bytes = try CalendarFile.write(plan, name: name, now: now, remind: remind)
            } catch {
                throw Fault(code: .usage, message: "'\(path)': \(error)")
            }
            try replace(path, bytes)
        case .workout(.plan): try replace(path, Array(plan.text.utf8))
        case .workout, .band:
            throw Fault(
                code: .usage,
                message:
                    localized(
                        "'\(path)' holds one workout, but this is a plan of weeks; add --week and --day, or write .plan or .ics"
                    )
            )
        }
    }

    /// The current time in seconds since 1970; for builds that must be reproducible, SOURCE_DATE_EPOCH.
    private static var now: Int { Environment.values["SOURCE_DATE_EPOCH"].flatMap { Int($0) } ?? time(nil) }

    /// Refuses to replace a plan of weeks by a single workout.
    private static func keepWeeks(_ path: String, from bytes: [UInt8]) throws(Fault) {
        guard FileKind.isFile(path), let old = try? FileBytes.read(path, limit: Format.planByteLimit),
            Format(planFileName: path) == .plan, TrainingPlan.isLikely(old), !TrainingPlan.isLikely(bytes)
        else { return }
        throw Fault(
            code: .cannotWrite,
            message: localized("'\(path)' is a plan of weeks, which this workout would replace; choose another name"))
    }

    private static func replace(_ path: String, _ bytes: [UInt8]) throws(Fault) {
        try keepWeeks(path, from: bytes)
        do throws(FileError) {
            try TextFile.replace(path, bytes)
        } catch {
            throw Fault(code: .cannotWrite, message: "'\(path)' \(error)")
        }
    }
}
