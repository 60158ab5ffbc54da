public import Scores

/// What reading a score file gave.
public struct Reading: Sendable {
    /// The score; nil exactly when `diagnostics` has an error.
    public var score: Score?
    /// Errors and warnings in order of position, at most 100 and a last one that counts the rest.
    public var diagnostics: [Diagnostic]
    /// The settings of the performance that the file gives; all others have their defaults.
    package var preferences: Set<Score.Preference>

    /// Makes a reading of what another module has read.
    package init(score: Score?, diagnostics: [Diagnostic], preferences: Set<Score.Preference> = []) {
        (self.score, self.diagnostics, self.preferences) = (score, diagnostics, preferences)
    }
}

extension Score {
    /// Reads a score file.
    ///
    /// `file` is the name for messages; its ending tells the format unless `format` does, and where it leaves a choice the
    /// content tells it. Never traps, whatever the bytes are; reports all errors of the file at once.
    ///
    /// A score can name files of Scala, as seen from `folder`; without one that is an error, and no file is touched.
    public static func read(
        _ bytes: [UInt8], file: String, format: ScoreFormat? = nil, folder: String? = nil
    ) -> Reading {
        var log = DiagnosticLog()
        var source = SourceText(bytes, file: file)
        source.folder = folder
        guard source.checkSize(&log) else { return Reading(score: nil, diagnostics: log.diagnostics(in: source)) }
        let format = format ?? ScoreFormat(of: source)
        let definition = format.definition
        guard let read = definition.read else {
            log.error(at: 0..<0, "\(definition.name) can be written, but not read")
            return Reading(score: nil, diagnostics: log.diagnostics(in: source))
        }
        switch definition.content {
        case .utf8: source.check(&log)
        case .anyText:
            source = source.transcoded
            source.check(&log)
        case .binary: source.isBinary = true
        }
        guard !log.hasErrors else { return Reading(score: nil, diagnostics: log.diagnostics(in: source)) }
        let score = read(source, &log)
        return Reading(
            score: log.hasErrors ? nil : score, diagnostics: log.diagnostics(in: source), preferences: log.preferences)
    }
}
