/// The formats of score files; the one list that names them.
public enum ScoreFormat: String, CaseIterable, Sendable {
    /// Keys, lines and bars; says everything a score can say.
    case yaml
    /// A table of labels and durations; one line.
    case csv

    /// What a format brings along.
    struct Definition {
        /// The endings of file names, in lower case.
        var extensions: [String]
        /// Whether a text without a telling file name looks like this format; nil for the format of all other texts.
        var recognizes: ((SourceText) -> Bool)?
        /// Reads a score and reports what is wrong; nil only where an error was reported.
        var read: (SourceText, inout DiagnosticLog) -> Score?
    }

    var definition: Definition {
        switch self {
        case .yaml: Definition(extensions: ["yaml", "yml"], recognizes: nil, read: YAMLScore.read)
        case .csv: Definition(extensions: ["csv"], recognizes: CSVScore.recognizes, read: CSVScore.read)
        }
    }

    /// The endings of file names that mean this format, in lower case, the usual one first.
    public var extensions: [String] { definition.extensions }

    /// The format that the ending of a file's name means; nil if it means none.
    public init?(fileName: String) {
        guard let dot = fileName.lastIndex(of: ".") else { return nil }
        let ending = fileName[fileName.index(after: dot)...].lowercased()
        guard let format = Self.allCases.first(where: { $0.extensions.contains(ending) }) else { return nil }
        self = format
    }

    /// The format that a text looks like.
    init(content source: SourceText) {
        self = Self.allCases.first { $0.definition.recognizes?(source) ?? false } ?? .yaml
    }
}

/// What reading a score file gave.
public struct Reading: Sendable {
    /// The score; nil exactly when `diagnostics` has an error.
    public var score: Score?
    /// Errors and warnings in order of position, at most 100 and a last one that counts the rest.
    public var diagnostics: [Diagnostic]

    /// Makes a reading of what another module has read.
    package init(score: Score?, diagnostics: [Diagnostic]) {
        (self.score, self.diagnostics) = (score, diagnostics)
    }
}

extension Score {
    /// Reads a score file.
    ///
    /// `file` is the name for messages; its ending tells the format unless `format` does, and without a known ending the
    /// content tells it. Never traps, whatever the bytes are; reports all errors of the file at once.
    public static func read(_ bytes: [UInt8], file: String, format: ScoreFormat? = nil) -> Reading {
        var log = DiagnosticLog()
        var source = SourceText(bytes, file: file)
        source.check(&log)
        guard !log.hasErrors else { return Reading(score: nil, diagnostics: log.diagnostics(in: source)) }
        let format = format ?? ScoreFormat(fileName: file) ?? ScoreFormat(content: source)
        let score = format.definition.read(source, &log)
        return Reading(score: log.hasErrors ? nil : score, diagnostics: log.diagnostics(in: source))
    }
}
