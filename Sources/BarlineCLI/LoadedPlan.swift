internal import ArgumentParser
internal import Formats
internal import Languages
internal import Running
internal import Scores
internal import Screens
internal import UserSettings
internal import Workouts

/// A plan that the user names: a workout file, standard input, or the text of the plan itself.
struct LoadedPlan {
    /// The plan; in a plan of weeks, the chosen workout.
    var reading: WorkoutReading
    /// The plan of weeks that it is; nil for a single plan, and if there are errors in its text.
    private(set) var weeks: TrainingPlan?
    /// The start in the text of a plan of weeks, whatever the options say.
    private(set) var writtenStart: CalendarWeek?
    /// The chosen workout of a plan of weeks.
    private(set) var slot: TrainingPlan.Slot?
    /// Why the options choose no workout: they do not fit the plan, or it has weeks and they are missing.
    private(set) var refusal: TextError?
    /// The places of the written intervals of each workout of a plan of weeks.
    private var places: [TrainingPlan.Slot: [Range<Int>]] = [:]
    /// The name of the plan in messages.
    var name: String
    /// The text of the plan; empty for formats that people do not write by hand.
    var text: [UInt8]

    /// The plan that `text` stands for. Problems are reported on standard error; an error ends the command. In a draft,
    /// paces may be missing. A plan of weeks may be without a chosen workout.
    static func read(_ text: String, _ choice: WorkoutChoice, isDraft: Bool = false) throws -> LoadedPlan {
        let loaded = try Failure.exitOnError(.noInput) {
            try find(text, choice, isDraft) ?? LoadedPlan(text: text, choice, isDraft: isDraft)
        }
        LoadedScore.report(loaded.reading.diagnostics)
        if loaded.weeks == nil {
            guard loaded.reading.plan != nil else { throw ExitCode(Failure.Code.badData.rawValue) }
            if loaded.refusal != nil { throw loaded.refused }
        }
        return loaded
    }

    /// The plan in a file, on standard input or stored under a name, in any format; nil if `text` is none of these.
    private static func find(
        _ text: String, _ choice: WorkoutChoice, _ isDraft: Bool
    ) throws(ScoreSourceError) -> LoadedPlan? {
        let source: ScoreSource
        if text == "-" || FileKind.isFile(text) || isFileName(text) {
            source = try ScoreSource.find(text, environment: Environment.values)
        } else if let named = try? ScoreSource.find(text, environment: Environment.values), isPlan(named) {
            source = named
        } else {
            return nil
        }
        let bytes = try source.bytes()
        let named = WorkoutFormat.candidates(fileName: source.displayName).first
        let format = WorkoutFormat(content: bytes) ?? named ?? .plan
        return LoadedPlan(bytes, format: format, name: source.displayName, choice, isDraft: isDraft)
    }

    /// The plan that the argument of a score command is, if it is neither a file nor the name of a score.
    static func ifMeant(by text: String, _ choice: WorkoutChoice) -> LoadedPlan? {
        let isPlan = Plan.isLikely(text, settings: true) || TrainingPlan.isLikely(Array(text.utf8))
        return isPlan && !isFileName(text) ? LoadedPlan(text: text, choice) : nil
    }

    /// Whether a source is a plan stored under a name.
    private static func isPlan(_ source: ScoreSource) -> Bool {
        if case .user(_, let path) = source { WorkoutFormat(fileName: path) == .plan } else { false }
    }

    /// The title of a plan stored under a name, or else the name; nil if it is not a plan or cannot be read.
    static func title(_ source: ScoreSource, name: String) -> String? {
        guard isPlan(source), let bytes = try? source.bytes() else { return nil }
        let loaded = LoadedPlan(bytes, format: .plan, name: name, WorkoutChoice())
        let title = loaded.weeks?.title ?? loaded.reading.plan?.title
        return title.map { $0.isEmpty ? name : $0 }
    }

    /// Reads a plan in a format; `name` is its name in messages. `choice` chooses a workout from a plan of weeks.
    init(_ bytes: [UInt8], format: WorkoutFormat, name: String, _ choice: WorkoutChoice, isDraft: Bool = false) {
        self.name = name
        self.text = format == .fit || format == .zwift ? [] : bytes
        guard format == .plan, bytes.count <= WorkoutFormat.byteLimit, TrainingPlan.isLikely(bytes) else {
            reading = format.read(bytes, file: name, isDraft: isDraft)
            if choice.isGiven { refusal = LoadedPlan.noWeeks }
            return
        }
        let found = TrainingPlan.read(bytes, isDraft: isDraft)
        let diagnostics =
            found.faults.map { $0.diagnostic(in: bytes, file: name) }
            + found.notes.map { $0.diagnostic(in: bytes, file: name, severity: .warning) }
        reading = WorkoutReading(nil, diagnostics)
        guard var plan = found.plan else { return }
        writtenStart = plan.start
        plan.start = choice.start ?? plan.start
        (weeks, places) = (plan, found.places)
        do throws(TextError) {
            let slot = try choice.slot(in: plan)
            self.slot = slot
            reading = WorkoutReading(plan.plan(slot), diagnostics, places: found.places[slot] ?? [])
        } catch {
            refusal = error
        }
    }

    private init(text: String, _ choice: WorkoutChoice, isDraft: Bool = false) {
        self.init(Array(text.utf8), format: .plan, name: "plan", choice, isDraft: isDraft)
    }

    /// Whether a text can only be the name of a file.
    private static func isFileName(_ text: String) -> Bool {
        (WorkoutFormat(fileName: text) != nil || ScoreFormat(fileName: text) != nil) && !text.contains("(")
            && !text.contains("{")
    }

    /// The error for options of weeks with anything else.
    static let noWeeks = TextError(localized("--week, --day and --start are for a plan of weeks, and this has none"))

    /// The error that ends a command that needs one workout.
    var refused: any Error {
        Failure.exit(.usage, "'\(name)': \(refusal?.description ?? localized("no workout is chosen"))")
    }

    /// The name without the extension of a file, for what needs a title.
    var title: String {
        let last = name.split(separator: "/").last.map(String.init) ?? name
        return last.hasSuffix(".plan") ? String(last.dropLast(5)) : last
    }

    /// The errors of all workouts of a plan of weeks that cannot be played.
    var problems: [Diagnostic] {
        guard let weeks else { return [] }
        return weeks.slots.compactMap { slot in
            guard var plan = weeks[slot]?.plan else { return nil }
            plan.fill(threshold: nil)
            do throws(PlanError) { _ = try plan.score() } catch {
                var day = self
                day.reading = WorkoutReading(plan, places: places[slot] ?? [])
                return day.diagnostic(error)
            }
            return nil
        }
    }

    /// The diagnostic for a plan that cannot be carried out, at its place in the text.
    func diagnostic(_ error: PlanError) -> Diagnostic {
        let message = error.textError
        guard let written = error.written else {
            return Diagnostic(.error, message.message, hint: message.hint, file: name)
        }
        guard written < reading.places.count, !text.isEmpty else {
            let interval = reading.plan?.written[written].text ?? ""
            return Diagnostic(.error, "'\(interval)': \(message.message)", hint: message.hint, file: name)
        }
        return RunTextFault(reading.places[written], message).diagnostic(in: text, file: name)
    }

    /// The plan with its open intervals as they are to be; if they cannot wait and one has no time, an error instead.
    func closed(_ gaps: LoadedScore.PlanGaps) -> LoadedPlan {
        var loaded = self
        loaded.reading.plan?.fill(threshold: gaps.threshold)
        // Where a time is unknown, an error says so.
        let hasTimes = loaded.reading.plan.map { plan in
            plan.written.allSatisfy { $0.isOpen || plan.extent($0).time != nil }
        }
        if hasTimes ?? false, let warning = loaded.noThreshold { loaded.reading.diagnostics.append(warning) }
        guard let plan = loaded.reading.plan, plan.hasOpenEnds else { return loaded }
        loaded.reading.plan = gaps.about.map(plan.estimating) ?? plan
        guard !gaps.canWait, let estimated = loaded.reading.plan else { return loaded }
        do throws(PlanError) {
            loaded.reading.plan = try estimated.closed()
        } catch {
            loaded.reading.diagnostics.append(diagnostic(error))
            loaded.reading.plan = nil
        }
        return loaded
    }

    /// The warning that shares of a threshold stay words, because the threshold is unknown; nil if it is known.
    var noThreshold: Diagnostic? {
        guard let plan = reading.plan, plan.lacksThreshold,
            let first = plan.written.firstIndex(where: { $0.effort?.needsThreshold ?? false })
        else { return nil }
        var warning = diagnostic(.noThreshold(first))
        warning.severity = .warning
        return warning
    }

    /// The plan as a score, with spoken cues in a language.
    func score(spoken language: Language) -> Reading {
        guard let plan = reading.plan else { return Reading(score: nil, diagnostics: reading.diagnostics) }
        do throws(PlanError) {
            // A plan sets these preferences: it has its own timing, no drone and no practice grid.
            let preferences: Set<Score.Preference> = [.drone, .speed, .beats, .grid]
            return Reading(
                score: try plan.score(spoken: language, in: unit, waits: true), diagnostics: reading.diagnostics,
                preferences: plan.countIn == nil ? preferences : preferences.union([.countIn]))
        } catch {
            return Reading(score: nil, diagnostics: reading.diagnostics + [diagnostic(error)])
        }
    }

    /// The plan as it is shown while it plays; nil if it cannot be laid out.
    var shown: ShownRun? {
        guard let plan = reading.plan, let table = try? PlanTable(plan) else { return nil }
        return ShownRun(table, in: unit, of: plan)
    }

    /// The unit of its distances and paces; nil if it has neither kilometers nor miles.
    var ownUnit: DistanceUnit? { reading.plan?.unit ?? weeks?.unit }

    private var unit: DistanceUnit { ownUnit ?? RunUnit(LoadedSettings.valid).distance }

    /// Reports a plan that cannot be carried out; returns the exit code to throw.
    func failure(_ error: PlanError) -> ExitCode {
        LoadedScore.report([diagnostic(error)])
        return ExitCode(Failure.Code.badData.rawValue)
    }
}

extension Plan {
    /// Sets the threshold: as given, or if the plan lacks it, that of the settings.
    mutating func fill(threshold given: Pace?) {
        if let given {
            threshold = given
        } else if lacksThreshold {
            threshold = LoadedSettings.valid[Setting.threshold]
        }
    }
}
