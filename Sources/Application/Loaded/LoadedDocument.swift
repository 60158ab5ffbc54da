package import Formats
package import Languages
package import Running
package import Scores
package import Screens
internal import UserSettings

/// A score or plan that the user names: a file, standard input, a stored one, or the text of a plan itself.
package struct LoadedDocument: Sendable {
    /// What it says; in a plan of weeks, `plan` is the chosen workout.
    package var document: Document
    /// Where it comes from; nil if that is no place that can be read again.
    package var source: ScoreSource?
    /// The start in the text of a plan of weeks, whatever the options say.
    package private(set) var writtenStart: CalendarWeek?
    /// The chosen workout of a plan of weeks.
    package private(set) var slot: TrainingPlan.Slot?
    /// Why the options choose no workout: they do not fit the plan, or it has weeks and they are missing.
    package private(set) var refusal: TextError?
    /// The words of screens while it plays.
    package private(set) var words: any PieceWords = ScoreWords()

    /// Makes a score or plan. `choice` chooses a workout from a plan of weeks.
    package init(_ document: Document, _ choice: WorkoutChoice) {
        self.document = document
        guard var weeks = document.weeks else {
            // A plan with errors may have weeks.
            if choice.isGiven, document.score != nil || document.plan != nil { refusal = LoadedDocument.noWeeks }
            return
        }
        writtenStart = weeks.start
        weeks.start = choice.start ?? weeks.start
        self.document.weeks = weeks
        do throws(TextError) {
            let slot = try choice.slot(in: weeks)
            self.slot = slot
            (self.document.plan, self.document.places) = (weeks.plan(slot), document.placesOfDays[slot] ?? [])
        } catch {
            refusal = error
        }
    }

    /// The plan that `text` stands for. Problems are reported on standard error; an error ends the command. Paces
    /// may be missing. A plan of weeks may be without a chosen workout.
    package static func plan(_ text: String, _ choice: WorkoutChoice) throws -> LoadedDocument {
        let loaded = try Failure.exitOnError(.noInput) {
            try find(text, choice)
                ?? LoadedDocument(Format.plan.plan(Array(text.utf8), file: "plan", isDraft: true), choice)
        }
        LoadedScore.report(loaded.document.diagnostics)
        if loaded.document.weeks == nil {
            guard loaded.document.plan != nil else { throw ProgramEnd(.badData) }
            if loaded.refusal != nil { throw loaded.refused }
        }
        return loaded
    }

    /// Reads the plan that `text` names: a file, `-` for standard input, or a stored plan, in any format. nil if it names none.
    private static func find(
        _ text: String, _ choice: WorkoutChoice
    ) throws(ScoreSourceError) -> LoadedDocument? {
        let source: ScoreSource
        if text == "-" || FileKind.isFile(text) || isFileName(text) {
            source = try ScoreSource.find(text, environment: Environment.values)
        } else if let named = try? ScoreSource.find(text, environment: Environment.values), isPlan(named) {
            source = named
        } else {
            return nil
        }
        let (bytes, name) = (try source.bytes(), source.displayName)
        return LoadedDocument(Format.ofPlan(bytes, file: name).plan(bytes, file: name, isDraft: true), choice)
    }

    /// The plan that the argument of a score command is, if it is neither a file nor the name of a score.
    package static func ifPlan(_ text: String, _ choice: WorkoutChoice) -> LoadedDocument? {
        let bytes = Array(text.utf8)
        let isPlan = Plan.isLikely(text, settings: true) || TrainingPlan.isLikely(bytes)
        return isPlan && !isFileName(text)
            ? LoadedDocument(Format.plan.plan(bytes, file: "plan", isDraft: true), choice) : nil
    }

    /// Whether a source is a plan stored under a name.
    private static func isPlan(_ source: ScoreSource) -> Bool {
        if case .user(_, let path) = source { Format(planFileName: path) == .plan } else { false }
    }

    /// The title of a plan stored under a name, or else the name; nil if it is not a plan or cannot be read.
    package static func title(_ source: ScoreSource, name: String) -> String? {
        guard isPlan(source), let bytes = try? source.bytes() else { return nil }
        let document = Format.plan.plan(bytes, file: name, isDraft: true)
        return (document.weeks?.title ?? document.plan?.title).map { $0.isEmpty ? name : $0 }
    }

    /// Whether a text can only be the name of a file.
    private static func isFileName(_ text: String) -> Bool {
        !Format.candidates(fileName: text).isEmpty && !text.contains("(") && !text.contains("{")
    }

    /// The error for options of weeks with anything else.
    package static let noWeeks = TextError(
        localized("--week, --day and --start are for a plan of weeks, and this has none"))

    /// The error that ends a command that needs one workout.
    package var refused: any Error {
        Failure.exit(.usage, "'\(document.name)': \(refusal?.description ?? localized("no workout is chosen"))")
    }

    /// The name without the extension of a file, for what needs a title.
    package var title: String {
        let last = FileKind.name(of: document.name)
        return last.hasSuffix(".plan") ? String(last.dropLast(5)) : last
    }

    /// The problems of all workouts of a plan of weeks. Those that wait for the lap button can be played.
    package func problems(_ gaps: LoadedScore.PlanGaps) -> [Diagnostic] {
        var gaps = gaps
        gaps.canWait = true
        return (document.weeks?.slots ?? []).flatMap { slot in
            var day = self
            (day.document.plan, day.document.diagnostics) = (document.weeks?[slot]?.plan, [])
            day.document.places = document.placesOfDays[slot] ?? []
            day.play(gaps, spoken: .en)
            return day.document.diagnostics
        }
    }

    /// The diagnostic for a plan that cannot be carried out, at its place in the text.
    package func diagnostic(_ error: PlanError) -> Diagnostic {
        let message = error.textError
        guard let written = error.written else {
            return Diagnostic(.error, message.message, hint: message.hint, file: document.name)
        }
        guard written < document.places.count, !document.text.isEmpty else {
            let interval = document.plan?.written[written].text ?? ""
            return Diagnostic(.error, "'\(interval)': \(message.message)", hint: message.hint, file: document.name)
        }
        return Problem(document.places[written], message).diagnostic(in: document.text, file: document.name)
    }

    /// The plan with its open intervals as they are to be; if they cannot wait and one has no time, an error instead.
    private mutating func close(_ gaps: LoadedScore.PlanGaps) {
        document.plan?.fill(threshold: gaps.threshold)
        if let about = gaps.about { document.plan = document.plan?.estimating(about) }
        // Where a time is unknown, an error says so.
        let hasTimes = document.plan.map { plan in
            plan.written.allSatisfy { $0.isOpen || plan.extent($0).time != nil }
        }
        if hasTimes ?? false, let warning = noThreshold { document.diagnostics.append(warning) }
        guard let plan = document.plan, plan.hasOpenEnds, !gaps.canWait else { return }
        do throws(PlanError) {
            document.plan = try plan.closed()
        } catch {
            document.diagnostics.append(diagnostic(error))
            document.plan = nil
        }
    }

    /// Reports texts to speak that are not spoken. If the place of one is unknown, there is no plan.
    private mutating func checkRemarks() {
        // A plan without a table has an error of its own.
        guard let plan = document.plan, !plan.remarks.isEmpty, let table = try? PlanTable(plan) else { return }
        let places = document.places.dropFirst(plan.written.count)
        for (remark, place) in zip(plan.remarks.suffix(places.count), places) {
            guard let (why, isFault) = plan.unspoken(remark, in: table) else { continue }
            let problem = Problem(place, why).diagnostic(
                in: document.text, file: document.name, severity: isFault ? .error : .warning)
            document.diagnostics.append(problem)
            if isFault { document.plan = nil }
        }
    }

    /// The warning that shares of a threshold stay words, because the threshold is unknown; nil if it is known.
    package var noThreshold: Diagnostic? {
        guard let plan = document.plan, plan.lacksThreshold,
            let first = plan.written.firstIndex(where: { $0.effort?.needsThreshold ?? false })
        else { return nil }
        var warning = diagnostic(.noThreshold(first))
        warning.severity = .warning
        return warning
    }

    /// Makes the score as which a plan is played, with spoken cues in a language.
    package mutating func play(_ gaps: LoadedScore.PlanGaps, spoken language: Language) {
        close(gaps)
        checkRemarks()
        guard let plan = document.plan else { return }
        words = RunWords(plan, in: unit) ?? words
        // A plan sets these preferences: it has its own timing, no drone and no practice grid.
        document.preferences = [.drone, .speed, .beats, .grid]
        if plan.countIn != nil { document.preferences.insert(.countIn) }
        do throws(PlanError) {
            document.score = try plan.score(
                spoken: language, in: unit, waits: true, keepsTimes: gaps.keepsTimes)
        } catch {
            document.diagnostics.append(diagnostic(error))
        }
    }

    /// The unit of its distances and paces; nil if it mentions neither kilometers nor miles. Tables and workouts of other
    /// programs have numbers in meters, which the plan writes as 1km: their text tells.
    package var ownUnit: DistanceUnit? {
        let unit = document.plan?.unit ?? document.weeks?.unit
        // Without a text, nobody wrote a number; those that are round in miles are in miles.
        guard !document.text.isEmpty else { return unit == .miles ? unit : nil }
        return DistanceUnit(mentionedIn: String(decoding: document.text, as: UTF8.self)) == nil ? nil : unit
    }

    /// The unit in which distances are told.
    package var unit: DistanceUnit { ownUnit ?? DistanceUnit(LoadedSettings.valid[Setting.unit]) }

    /// Reports a plan that cannot be carried out; returns the end to throw.
    package func failure(_ error: PlanError) -> ProgramEnd {
        LoadedScore.report([diagnostic(error)])
        return ProgramEnd(.badData)
    }
}

extension Plan {
    /// Sets the threshold: as given, or if the plan lacks it, that of the settings.
    package mutating func fill(threshold given: Pace?) {
        if let given {
            threshold = given
        } else if lacksThreshold {
            threshold = LoadedSettings.valid[Setting.threshold]
        }
    }
}
