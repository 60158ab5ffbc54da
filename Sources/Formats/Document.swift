internal import Languages
package import Running
public import Scores

/// What a file says: a score, a plan of intervals or a plan of weeks, and what is wrong with it.
public struct Document: Sendable {
    /// Its name in messages.
    package var name: String
    /// The score; nil for a plan, and if `diagnostics` has an error.
    public var score: Score?
    /// The plan; nil for anything else, and if `diagnostics` has an error.
    package var plan: Plan?
    /// The plan of weeks; nil for anything else, and if `diagnostics` has an error.
    package var weeks: TrainingPlan?
    /// Errors and warnings in order of position: at most 100, and one more that reports how many errors were left out.
    public var diagnostics: [Diagnostic]
    /// The performance settings that the file gives; all others have their defaults.
    package var preferences: Set<Score.Preference>
    /// The paths of other files that the file names, such as a Scala file.
    package var files: [String] = []
    /// The text of a plan that people write by hand; empty for anything else.
    package var text: [UInt8] = []
    /// The places of the written intervals of a plan in its text, and then of its texts to speak, for errors that are found
    /// later; empty if unknown.
    package var places: [Range<Int>] = []
    /// The same of each workout of a plan of weeks.
    package var placesOfDays: [TrainingPlan.Slot: [Range<Int>]] = [:]

    /// Makes a document of a score.
    package init(
        _ name: String, score: Score? = nil, _ diagnostics: [Diagnostic], preferences: Set<Score.Preference> = []
    ) {
        (self.name, self.score, self.diagnostics, self.preferences) = (name, score, diagnostics, preferences)
    }

    /// Makes a document of a plan.
    package init(
        _ name: String, plan: Plan?, _ diagnostics: [Diagnostic], text: [UInt8] = [], places: [Range<Int>] = []
    ) {
        self.init(name, diagnostics)
        (self.plan, self.text, self.places) = (plan, text, places)
    }

    /// Reads a file.
    ///
    /// `name` is its name in messages. Without `format`, the ending of the name determines the format; if several are
    /// possible, the content decides. Never traps, whatever the bytes are; reports all errors of the file at once.
    ///
    /// A score can name Scala files, relative to `folder`; if `folder` is nil, that is an error and no file is read.
    /// Some programs read on where a text of theirs is not valid: this is a warning, or an error if `isStrict`.
    /// `tempi` are those of a file beside a score in MusicXML. A plan can be a draft. `hint` says how to choose between two
    /// formats.
    package static func read(
        _ bytes: [UInt8], name: String, format: Format? = nil, folder: String? = nil, isStrict: Bool = false,
        tempi: TempoFile? = nil, takesPlans: Bool = true, isDraft: Bool = false,
        hint: (Format, Format) -> String = { localized("give its format, \($0.rawValue) or \($1.rawValue)") }
    ) -> Document {
        var log = DiagnosticLog(strict: isStrict)
        var source = SourceText(bytes, file: name)
        source.folder = folder
        guard source.checkSize(&log) else { return Document(source, log) }
        let found: Format
        do throws(TextError) {
            if let format {
                found = format
            } else {
                found = try Format.find(
                    bytes, file: name, among: takesPlans ? Format.allCases : Format.ofScores, hint: hint)
            }
        } catch {
            log.error(at: 0..<0, error)
            return Document(source, log)
        }
        if tempi != nil, found != .musicxml {
            log.error(
                at: 0..<0, localized("tempi beside a score are for MusicXML"),
                hint: localized("write them into this score itself"))
        }
        if takesPlans, found.isPlan(bytes) {
            return log.hasErrors ? Document(source, log) : found.plan(bytes, file: name, isDraft: isDraft)
        }
        return read(source, found, tempi, &log)
    }

    /// Reads a score in a format.
    private static func read(
        _ source: SourceText, _ format: Format, _ tempi: TempoFile?, _ log: inout DiagnosticLog
    ) -> Document {
        var source = source
        let definition = format.definition
        guard let read = definition.read else {
            log.error(
                at: 0..<0,
                definition.plan == nil
                    ? localized("\(definition.name) can be written, but not read")
                    : localized("\(definition.name) is not a score"))
            return Document(source, log)
        }
        switch definition.content {
        case .utf8: source.check(&log)
        case .anyText:
            source = source.transcoded
            source.check(&log)
        case .anyTextOrZip:
            do throws(Problem) {
                source = try MusicXMLFormat.text(in: source).transcoded
                source.check(&log)
            } catch {
                source.isBinary = true
                log.error(at: error.range, error.error)
            }
        case .binary: source.isBinary = true
        }
        guard !log.hasErrors else { return Document(source, log) }
        source.barsWithTempi = tempi?.bars
        let score = read(source, &log)
        if let score, score.sections.contains(where: { $0.parts.count > Score.writtenLineLimit }) {
            log.error(at: 0..<0, localized("a score has at most 200 000 lines"))
        }
        guard let tempi, let score, !log.hasErrors else { return Document(source, log, score) }
        let (new, givesFirstTempo, problems) = tempi.applied(to: score)
        if givesFirstTempo { log.withdrawMissingTempo() }
        var document = Document(source, log, new)
        document.diagnostics += problems
        return document
    }

    /// What was read of a text.
    private init(_ source: SourceText, _ log: DiagnosticLog, _ score: Score? = nil) {
        self.init(
            source.file, score: log.hasErrors ? nil : score, log.diagnostics(in: source),
            preferences: log.hasErrors ? [] : log.preferences)
        files = log.files
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
        _ bytes: [UInt8], file: String, format: Format? = nil, folder: String? = nil, isStrict: Bool = false
    ) -> Document {
        Document.read(
            bytes, name: file, format: format, folder: folder, isStrict: isStrict, takesPlans: false)
    }
}
