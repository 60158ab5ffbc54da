internal import ArgumentParser
internal import Formats
internal import Scores
internal import Screens

/// Reads scores for commands: what is wrong goes to standard error, and an error ends the command.
enum LoadedScore {
    /// The score that a user means by `text`, and what it says itself of how it is performed.
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

    /// What a user means by `text`, a score or a plan, and the name that messages give it. With a format it is a score.
    ///
    /// Errors: there is none, or it cannot be read; what is wrong inside is in the reading.
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

    /// The path of the file that `text` means; nil for none.
    static func path(_ text: String) -> String? {
        switch try? ScoreSource.find(text, environment: Environment.values) {
        case .file(let path), .user(_, let path): path
        case .bundled, .standardInput, nil: nil
        }
    }

    /// Prints diagnostics as compilers do.
    static func report(_ diagnostics: [Diagnostic]) {
        let color = Terminal.hasColor(2)
        for diagnostic in diagnostics { StandardError.write(diagnostic.rendered(color: color) + "\n") }
    }
}
