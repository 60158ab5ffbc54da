internal import ArgumentParser
internal import Formats
internal import Scores
internal import Screens

/// Reads scores for commands. Problems are reported on standard error; an error ends the command.
enum LoadedScore {
    /// The score that the user means by `text`, the preferences that it states itself, and whether it is a plan.
    static func read(
        _ text: String, format: ScoreFormat? = nil, spoken language: SpokenLanguage = .en
    ) throws -> (score: Score, preferences: Set<Score.Preference>, isPlan: Bool) {
        let (reading, isPlan): (Reading, Bool)
        do throws(ScoreSourceError) {
            (_, reading, isPlan) = try self.reading(text, format: format, spoken: language)
        } catch {
            throw Failure.exit(.noInput, error)
        }
        report(reading.diagnostics)
        guard let score = reading.score else { throw ExitCode(Failure.Code.badData.rawValue) }
        return (score, reading.preferences, isPlan)
    }

    /// The score or plan that the user means by `text`, and its name in messages. If a format is given, it is a score.
    ///
    /// Errors: there is none, or it cannot be read; problems in its contents are in the reading.
    static func reading(
        _ text: String, format: ScoreFormat? = nil, spoken language: SpokenLanguage = .en
    ) throws(ScoreSourceError) -> (name: String, reading: Reading, isPlan: Bool) {
        let source: ScoreSource
        do throws(ScoreSourceError) {
            source = try ScoreSource.find(text, environment: Environment.values)
        } catch {
            guard format == nil, let plan = LoadedPlan.ifMeant(by: text, nil, nil) else { throw error }
            return (plan.name, plan.score(spoken: language), true)
        }
        let bytes = try source.bytes()
        if format == nil, let plan = LoadedPlan.ifMeant(by: text, source, bytes) {
            return (plan.name, plan.score(spoken: language), true)
        }
        let reading = Score.read(bytes, file: source.displayName, format: format, folder: source.folder)
        return (source.displayName, reading, false)
    }

    /// The path of the file that `text` stands for; nil if it is not a file.
    static func path(_ text: String) -> String? {
        switch try? ScoreSource.find(text, environment: Environment.values) {
        case .file(let path), .user(_, let path): path
        case .bundled, .standardInput, nil: nil
        }
    }

    /// Prints diagnostics in the style of compilers.
    static func report(_ diagnostics: [Diagnostic]) {
        let color = Terminal.hasColor(2)
        for diagnostic in diagnostics { StandardError.write(diagnostic.rendered(color: color) + "\n") }
    }
}
