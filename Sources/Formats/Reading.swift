internal import Languages
public import Scores

/// The result of reading a score file.
public struct Reading: Sendable {
    /// The score; nil exactly when `diagnostics` has an error.
    public var score: Score?
    /// Errors and warnings in order of position: at most 100, and one more that reports how many errors were left out.
    public var diagnostics: [Diagnostic]
    /// The performance settings that the file gives; all others have their defaults.
    package var preferences: Set<Score.Preference>

    /// Makes the reading of a score that another module has read.
    package init(score: Score?, diagnostics: [Diagnostic], preferences: Set<Score.Preference> = []) {
        (self.score, self.diagnostics, self.preferences) = (score, diagnostics, preferences)
    }
}

extension Score {
    /// Reads a score file.
    ///
    /// `file` is the name for messages. Without `format`, the ending of the name determines the format; if several are
    /// possible, the content decides. Never traps, whatever the bytes are; reports all errors of the file at once.
    ///
    /// A score can name Scala files, relative to `folder`; if `folder` is nil, that is an error and no file is read.
    /// Some programs read on where a text of theirs is not valid: this is a warning, or an error if `isStrict`.
    public static func read(
        _ bytes: [UInt8], file: String, format: ScoreFormat? = nil, folder: String? = nil, isStrict: Bool = false
    ) -> Reading {
        read(bytes, file: file, format: format, folder: folder, isStrict: isStrict, tempi: nil)
    }

    /// The same, with a file of tempi beside a score in MusicXML.
    package static func read(
        _ bytes: [UInt8], file: String, format: ScoreFormat? = nil, folder: String? = nil, isStrict: Bool = false,
        tempi: TempoFile?
    ) -> Reading {
        var log = DiagnosticLog(strict: isStrict)
        var source = SourceText(bytes, file: file)
        source.folder = folder
        guard source.checkSize(&log) else { return Reading(score: nil, diagnostics: log.diagnostics(in: source)) }
        let found: ScoreFormat
        do throws(TextError) {
            if let format { found = format } else { found = try ScoreFormat.find(bytes, file: file) }
        } catch {
            log.error(at: 0..<0, error)
            return Reading(score: nil, diagnostics: log.diagnostics(in: source))
        }
        let definition = found.definition
        guard let read = definition.read else {
            log.error(at: 0..<0, localized("\(definition.name) can be written, but not read"))
            return Reading(score: nil, diagnostics: log.diagnostics(in: source))
        }
        switch definition.content {
        case .utf8: source.check(&log)
        case .anyText:
            source = source.transcoded
            source.check(&log)
        case .anyTextOrZip:
            do throws(FormatFault) {
                source = try MusicXMLFormat.text(in: source).transcoded
                source.check(&log)
            } catch {
                source.isBinary = true
                log.error(at: error.range, error.text)
            }
        case .binary: source.isBinary = true
        }
        guard !log.hasErrors else { return Reading(score: nil, diagnostics: log.diagnostics(in: source)) }
        source.hasTempiBeside = tempi != nil
        let score = read(source, &log)
        if let score, score.sections.contains(where: { $0.parts.count > Score.writtenLineLimit }) {
            log.error(at: 0..<0, localized("a score has at most 200 000 lines"))
        }
        guard let tempi else {
            return Reading(
                score: log.hasErrors ? nil : score, diagnostics: log.diagnostics(in: source),
                preferences: log.preferences)
        }
        if found != .musicxml {
            log.error(
                at: 0..<0, localized("tempi beside a score are for MusicXML"),
                hint: localized("write them into this score itself"))
        }
        guard let score, !log.hasErrors else { return Reading(score: nil, diagnostics: log.diagnostics(in: source)) }
        let (new, givesFirstTempo, problems) = tempi.applied(to: score)
        if givesFirstTempo { log.withdrawMissingTempo() }
        return Reading(score: new, diagnostics: log.diagnostics(in: source) + problems, preferences: log.preferences)
    }
}
