internal import ArgumentParser
internal import Formats
internal import Running
internal import Scores
internal import Screens
internal import Workouts

/// A plan that the user names: a workout file, standard input, or the text of the plan itself.
struct LoadedPlan {
    var reading: WorkoutReading
    /// The name of the plan in messages.
    var name: String
    /// The text of the plan; empty for formats that people do not write by hand.
    var text: [UInt8]

    /// The plan that `text` stands for. Problems are reported on standard error; an error ends the command. In a draft,
    /// paces may be missing.
    static func read(_ text: String, isDraft: Bool = false) throws -> LoadedPlan {
        let loaded: LoadedPlan
        do throws(ScoreSourceError) {
            loaded = try find(text, isDraft) ?? LoadedPlan(text: text, isDraft: isDraft)
        } catch {
            throw Failure.exit(.noInput, error)
        }
        LoadedScore.report(loaded.reading.diagnostics)
        guard loaded.reading.plan != nil else { throw ExitCode(Failure.Code.badData.rawValue) }
        return loaded
    }

    /// The plan in a file, on standard input or stored under a name, in any format; nil if `text` is none of these.
    private static func find(_ text: String, _ isDraft: Bool) throws(ScoreSourceError) -> LoadedPlan? {
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
        return LoadedPlan(bytes, format: format, name: source.displayName, isDraft: isDraft)
    }

    /// The plan that the argument of a score command is, if it is neither a file nor the name of a score.
    static func ifMeant(by text: String) -> LoadedPlan? {
        Plan.isLikely(text, settings: true) && !isFileName(text) ? LoadedPlan(text: text) : nil
    }

    /// Whether a source is a plan stored under a name.
    private static func isPlan(_ source: ScoreSource) -> Bool {
        if case .user(_, let path) = source { WorkoutFormat(fileName: path) == .plan } else { false }
    }

    /// The title of a plan stored under a name, or the name if it has no title; nil if it is not a plan or cannot be
    /// read.
    static func title(_ source: ScoreSource, name: String) -> String? {
        guard isPlan(source), let bytes = try? source.bytes() else { return nil }
        let title = LoadedPlan(bytes, format: .plan, name: name).reading.plan?.title
        return title.map { $0.isEmpty ? name : $0 }
    }

    /// Reads a plan in a format; `name` is its name in messages.
    init(_ bytes: [UInt8], format: WorkoutFormat, name: String, isDraft: Bool = false) {
        reading = format.read(bytes, file: name, isDraft: isDraft)
        self.name = name
        self.text = format == .fit || format == .zwift ? [] : bytes
    }

    private init(text: String, isDraft: Bool = false) {
        self.init(Array(text.utf8), format: .plan, name: "plan", isDraft: isDraft)
    }

    /// Whether a text can only be the name of a file.
    private static func isFileName(_ text: String) -> Bool {
        (WorkoutFormat(fileName: text) != nil || ScoreFormat(fileName: text) != nil) && !text.contains("(")
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

    /// The plan as a score, with spoken cues in a language.
    func score(spoken language: SpokenLanguage) -> Reading {
        guard let plan = reading.plan else { return Reading(score: nil, diagnostics: reading.diagnostics) }
        do throws(PlanError) {
            // A plan sets these preferences: it has its own timing, no drone and no practice grid.
            let preferences: Set<Score.Preference> = [.drone, .speed, .beats, .grid]
            return Reading(
                score: try plan.score(spoken: language, in: unit), diagnostics: reading.diagnostics,
                preferences: plan.countIn == nil ? preferences : preferences.union([.countIn]))
        } catch {
            return Reading(score: nil, diagnostics: reading.diagnostics + [diagnostic(error)])
        }
    }

    /// The plan as it is shown while it plays, in miles if its text or the command line mentions them; nil if it cannot be
    /// laid out.
    var shown: ShownRun? {
        guard let plan = reading.plan, let table = try? PlanTable(plan) else { return nil }
        return ShownRun(table, in: unit)
    }

    /// Miles if the plan's text or the command line mentions them.
    private var unit: DistanceUnit { RunUnit(of: String(decoding: text, as: UTF8.self)).distance }

    /// Reports a plan that cannot be carried out; returns the exit code to throw.
    func failure(_ error: PlanError) -> ExitCode {
        LoadedScore.report([diagnostic(error)])
        return ExitCode(Failure.Code.badData.rawValue)
    }
}
