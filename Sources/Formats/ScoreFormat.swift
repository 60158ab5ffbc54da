internal import Scores

/// The formats of scores; the one list that names them.
public enum ScoreFormat: String, CaseIterable, Sendable {
    /// Keys, lines and bars; says everything a score can say.
    case yaml
    /// A table with a row for each bar.
    case csv
    /// A tempo map of the metronome klick.
    case klick
    /// A score of the program Click Tracker.
    case clickTracker = "click-tracker"
    /// A Standard MIDI File.
    case midi
    /// A label track of Audacity.
    case audacity
    /// Regions and markers of Reaper, as CSV.
    case reaper
    /// A picture of the page, one for all of it.
    case svg
    /// A picture of the page, on sheets of A4.
    case pdf

    /// What a format brings along.
    struct Definition {
        /// What a file is called in a sentence, such as "a klick tempo map".
        var name: String
        /// The endings of file names, in lower case.
        var extensions: [String]
        /// What its bytes are.
        var content = Content.utf8
        /// Whether a text without a telling file name looks like this format; nil for a format that is not looked for.
        var recognizes: ((SourceText) -> Bool)?
        /// Reads a score and reports what is wrong; nil only where an error was reported. Nil for a format to write only.
        var read: ((SourceText, inout DiagnosticLog) -> Score?)?
        /// Writes a score; nil for a format to read only.
        var write: ScoreWriter?
        /// What its files say of a score, beside when bars begin.
        var carries: Set<ScoreFeature> = []
    }

    /// What the bytes of a file are.
    enum Content {
        /// Text in UTF-8, and nothing else.
        case utf8
        /// Text in UTF-8, UTF-16 or Windows-1252, of which ISO 8859-1 is a part.
        case anyText
        /// No text.
        case binary
    }

    var definition: Definition {
        switch self {
        case .yaml: .yaml
        case .csv: .csv
        case .klick: .klick
        case .clickTracker: .clickTracker
        case .midi: .midi
        case .audacity: .audacity
        case .reaper: .reaper
        case .svg: .svg
        case .pdf: .pdf
        }
    }

    /// The endings of file names that can mean this format, in lower case, the usual one first.
    public var extensions: [String] { definition.extensions }
    /// What a file of this format is called in a sentence, such as "a klick tempo map".
    public var name: String { definition.name }
    /// Whether scores can be read from it.
    public var canRead: Bool { definition.read != nil }
    /// Whether its files are no text.
    public var isBinary: Bool { definition.content == .binary || self == .pdf }
    /// Whether scores can be written in it.
    public var canWrite: Bool { definition.write != nil }

    /// The formats that the ending of a file's name can mean, for reading or for writing; none if it means none.
    public static func candidates(fileName: String, writing: Bool = false) -> [ScoreFormat] {
        guard let dot = fileName.lastIndex(of: ".") else { return [] }
        let ending = fileName[fileName.index(after: dot)...].lowercased()
        let able = allCases.filter { (writing ? $0.canWrite : $0.canRead) && $0.extensions.contains(ending) }
        // What is written has the format of which this is the usual ending.
        guard writing, let usual = able.first(where: { $0.extensions.first == ending }) else { return able }
        return [usual]
    }

    /// The first format that scores with such a file name are read in; nil if there is none.
    public init?(fileName: String) {
        guard let format = Self.candidates(fileName: fileName).first else { return nil }
        self = format
    }

    /// Whether a text looks like one of the formats that files of its name have.
    public static func recognizes(_ bytes: [UInt8], file: String) -> Bool {
        let text = SourceText(bytes, file: file).transcoded
        let named = candidates(fileName: file)
        return (named.isEmpty ? allCases : named).contains { $0.definition.recognizes?(text) ?? false }
    }

    /// The format of a file by its name and, where that leaves a choice, by its content.
    init(of source: SourceText) {
        let named = Self.candidates(fileName: source.file)
        if named.count == 1 {
            self = named[0]
            return
        }
        let text = source.transcoded
        let choice = named.isEmpty ? Self.allCases : named
        self = choice.first { $0.definition.recognizes?(text) ?? false } ?? named.first ?? .yaml
    }
}
