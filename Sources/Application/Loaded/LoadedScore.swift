package import Formats
package import Languages
package import Running
package import Scores
package import Screens
internal import UserSettings

/// Reads scores for commands. Problems are reported on standard error; an error ends the command.
package enum LoadedScore {
    /// How to read a score.
    package struct Choice: Sendable {
        /// The format; nil to find it.
        package var format: Format?
        /// Whether what the program of a format would skip is an error.
        package var isStrict = false
        /// The path of a file of tempi beside the score; nil for none.
        package var tempi: String?
        /// The language of the cues that a plan speaks.
        package var language = Language.en
        /// What a plan leaves open.
        package var gaps = PlanGaps()
        /// The workout of a plan of weeks.
        package var workout = WorkoutChoice()

        /// The files that are read with every score: its tempi, and the user's settings.
        var files: [String?] { [tempi, SettingsFile(environment: Environment.values)?.path] }

        package init(
            format: Format? = nil, isStrict: Bool = false, tempi: String? = nil, gaps: PlanGaps = PlanGaps(),
            workout: WorkoutChoice = WorkoutChoice()
        ) {
            (self.format, self.isStrict, self.tempi) = (format, isStrict, tempi)
            (self.gaps, self.workout) = (gaps, workout)
        }
    }

    /// What becomes of the intervals of a plan that last until the lap button, and of shares of a threshold.
    package struct PlanGaps: Sendable {
        /// The time that intervals until the lap button take about, if the plan does not say it.
        package var about: Duration?
        /// Whether they last until the user goes on; otherwise they end after that time.
        package var canWait = false
        /// Whether those that wait have their time, too, for a score that is written.
        package var keepsTimes = false
        /// The threshold; nil for that of the plan, or else of the settings.
        package var threshold: Pace?

        package init(about: Duration? = nil, canWait: Bool = false, threshold: Pace? = nil) {
            (self.about, self.canWait, self.threshold) = (about, canWait, threshold)
        }
    }

    /// A score, the preferences that it states itself, its words, and the paths of the files that it names.
    package typealias Piece = (
        score: Score, preferences: Set<Score.Preference>, words: any PieceWords, files: [String]
    )

    /// The score that the user means by `text`.
    package static func read(_ text: String, _ choice: Choice = Choice()) throws -> Piece {
        try read(try Failure.exitOnError(.noInput) { try find(text, choice) })
    }

    /// The same of what has been found.
    package static func read(_ found: LoadedDocument) throws -> Piece {
        // A setting that is wrong is the reason why the threshold is unknown.
        if found.document.plan?.lacksThreshold ?? false { _ = try LoadedSettings.get() }
        report(found.document.diagnostics)
        if found.refusal != nil { throw found.refused }
        guard let score = found.document.score else { throw ProgramEnd(.badData) }
        return (score, found.document.preferences, found.words, found.document.files)
    }

    /// The score or plan that the user means by `text`. A plan of weeks without a chosen workout has no score.
    ///
    /// Errors: there is no such score, or it cannot be read. Problems in its contents are in the document.
    package static func find(_ text: String, _ choice: Choice) throws(ScoreSourceError) -> LoadedDocument {
        let source: ScoreSource
        do throws(ScoreSourceError) {
            source = try ScoreSource.find(text, environment: Environment.values)
        } catch {
            guard choice.format == nil, var plan = LoadedDocument.ifPlan(text, choice.workout) else { throw error }
            plan.play(choice.gaps, spoken: choice.language)
            return plan
        }
        return try find(source, choice)
    }

    /// The score or plan at a source. Errors: it cannot be read.
    package static func find(_ source: ScoreSource, _ choice: Choice) throws(ScoreSourceError) -> LoadedDocument {
        var tempi: TempoFile?
        if let path = choice.tempi {
            let source = ScoreSource.file(path: path)
            tempi = TempoFile(try source.bytes(), file: source.displayName)
        }
        var found = find(
            try source.bytes(), name: source.displayName, folder: source.folder, choice, tempi: tempi)
        found.source = source
        return found
    }

    /// The score or plan that these bytes are; the name tells its format and is for messages. Files that the score names
    /// are in the folder; nil if it may name none.
    package static func find(
        _ bytes: [UInt8], name: String, folder: String?, _ choice: Choice, tempi: TempoFile? = nil
    ) -> LoadedDocument {
        let document = Document.read(
            bytes, name: name, format: choice.format, folder: folder, isStrict: choice.isStrict, tempi: tempi,
            isDraft: true
        ) { localized("add --format \($0.rawValue) or --format \($1.rawValue)") }
        var loaded = LoadedDocument(document, choice.workout)
        loaded.play(choice.gaps, spoken: choice.language)
        return loaded
    }

    /// The path of the file that `text` stands for; nil if it is not a file.
    package static func path(_ text: String) -> String? {
        (try? ScoreSource.find(text, environment: Environment.values))?.path
    }

    /// Prints diagnostics in the style of compilers.
    package static func report(_ diagnostics: [Diagnostic]) {
        let color = StandardError.hasColor
        for diagnostic in diagnostics { StandardError.write(diagnostic.rendered(color: color) + "\n") }
    }
}

/// The score that is played: one that the user names, or one that a page has chosen and that has been read already.
package enum ScoreChoice: Sendable {
    case named(String)
    case found(LoadedDocument)

    /// Its name.
    package var name: String {
        switch self {
        case .named(let name): name
        case .found(let found): found.document.name
        }
    }

    /// Where it comes from; nil if it was sent, or is the text of a plan. The name of what has been found is never taken for
    /// that of a file.
    var source: ScoreSource? {
        switch self {
        case .named(let name): try? ScoreSource.find(name, environment: Environment.values)
        case .found(let found): found.source
        }
    }

    /// Reads it. Problems are reported on standard error; an error ends the command.
    package func read(_ choice: LoadedScore.Choice) throws -> LoadedScore.Piece {
        switch self {
        case .named(let name): try LoadedScore.read(name, choice)
        case .found(let found): try LoadedScore.read(found)
        }
    }
}

extension Plan {
    /// The plan in one line as on the command line, so that in the practice log it is the same piece as there; or its text, if no
    /// line reads back as the same plan.
    package var typed: String {
        let line = text.split(separator: "\n").joined(separator: ", ")
        return (try? Plan(runText: line)) == self ? line : text
    }
}
