public import Formats
public import Scores

extension Score {
    /// Reads a score file.
    ///
    /// Unless `format` is given, the end of the file's name tells the format; see `Format`. Warnings do not keep a
    /// score from being played; they go to `warn`. Scala files that the score names are looked for next to the score.
    public init(
        contentsOf path: String, format: Format? = nil, warn: (Diagnostic) -> Void = { _ in }
    ) throws(ScoreError) {
        let reading: Document
        do throws(ScoreSourceError) {
            reading = try ScoreSource.file(path: path).read(format: format)
        } catch {
            throw .unreadable(error)
        }
        try self.init(reading, warn)
    }

    /// Reads the text of a score: Barline's own YAML, or any other format that is recognized.
    ///
    /// `file` is the name that diagnostics show. The text cannot refer to Scala files.
    public init(
        _ text: String, file: String = "score", format: Format? = nil, warn: (Diagnostic) -> Void = { _ in }
    ) throws(ScoreError) {
        try self.init(Score.read(Array(text.utf8), file: file, format: format), warn)
    }

    /// Reads a score that is part of Barline, such as "sequenza-vii"; `BundledScore.all` lists them.
    public init(named name: String) throws(ScoreError) {
        guard let bundled = BundledScore.named(name) else {
            throw .unreadable(.notFound(name, isPath: false, nearest: nil))
        }
        try self.init(bundled.reading) { _ in }
    }

    private init(_ reading: Document, _ warn: (Diagnostic) -> Void) throws(ScoreError) {
        guard let score = reading.score else { throw .invalid(reading.diagnostics) }
        reading.diagnostics.forEach(warn)
        self = score
    }
}

/// Why a score could not be read.
public enum ScoreError: Error, Equatable, CustomStringConvertible {
    /// The file cannot be read.
    case unreadable(ScoreSourceError)
    /// The text is not a valid score. The list has all its errors and warnings.
    case invalid([Diagnostic])

    /// All errors and warnings of the text, each with its file, line and column; empty if the file could not be read.
    public var diagnostics: [Diagnostic] { if case .invalid(let diagnostics) = self { diagnostics } else { [] } }

    /// The errors in the form of compilers: `FILE:LINE:COLUMN: error: MESSAGE`, the line, and a mark below the place.
    public var description: String {
        switch self {
        case .unreadable(let error): error.description
        case .invalid(let diagnostics): diagnostics.map { $0.rendered() }.joined(separator: "\n")
        }
    }
}
