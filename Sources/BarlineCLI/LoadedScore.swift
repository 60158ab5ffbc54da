internal import ArgumentParser
internal import Score
internal import Screen

/// Reads scores for commands: what is wrong goes to standard error, and an error ends the command.
enum LoadedScore {
    /// The score that a user means by `text`.
    static func read(_ text: String, format: ScoreFormat? = nil) throws -> Score {
        let reading: Reading
        do throws(ScoreSourceError) {
            reading = try ScoreSource.find(text, environment: Environment.values).read(format: format)
        } catch {
            throw Failure.exit(.noInput, error)
        }
        report(reading.diagnostics)
        guard let score = reading.score else { throw ExitCode(Failure.Code.badData.rawValue) }
        return score
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
