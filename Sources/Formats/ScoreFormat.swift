internal import Languages
internal import Scores

/// The formats of scores; the only list of them.
public enum ScoreFormat: String, CaseIterable, Sendable {
    /// Keys, lines and bars; can express everything in a score.
    case yaml
    /// A table with one row per bar.
    case csv
    /// A tempo map of the metronome klick.
    case klick
    /// A score of the program Click Tracker.
    case clickTracker = "click-tracker"
    /// A score of SO(a)P, IRCAM's metronome for the browser.
    case soap
    /// A Standard MIDI File.
    case midi
    /// A MusicXML file, also compressed.
    case musicxml
    /// A label track of Audacity.
    case audacity
    /// Regions and markers of Reaper, as CSV.
    case reaper
    /// A picture of the page, as a single image.
    case svg
    /// A picture of the page, on sheets of A4.
    case pdf

    /// The properties of a format.
    struct Definition {
        /// The name of such a file in a sentence, such as "a klick tempo map".
        var name: String
        /// The endings of file names, in lower case.
        var extensions: [String]
        /// The encoding of its bytes.
        var content = Content.utf8
        /// How well a text fits this format, 0...1, if the file name does not tell the format; nil for a format that is
        /// not looked for.
        var fit: ((SourceText) -> Double)?
        /// Reads a score and reports errors; returns nil only after an error was reported. Nil for a format that is
        /// only written.
        var read: ((SourceText, inout DiagnosticLog) -> Score?)?
        /// Writes a score; nil for a format that is only read.
        var write: ScoreWriter?
        /// The features of a score that its files contain, in addition to the times of bars.
        var carries: Set<ScoreFeature> = []
    }

    /// The encoding of a file.
    enum Content {
        /// Text in UTF-8 only.
        case utf8
        /// Text in UTF-8, UTF-16 or Windows-1252, which includes ISO 8859-1.
        case anyText
        /// Text as `anyText`, or a zip archive with such a text, as MusicXML is compressed.
        case anyTextOrZip
        /// Binary data.
        case binary
    }

    var definition: Definition {
        switch self {
        case .yaml:
            Definition(
                name: localized("a Barline score"), extensions: ["yaml", "yml"], fit: YAMLScore.fit,
                read: YAMLScore.checked, write: .page { score, _ in Array(score.yaml.utf8) },
                carries: Set(ScoreFeature.allCases))
        case .csv:
            Definition(
                name: localized("a CSV table"), extensions: ["csv"], fit: CSVReader.fit, read: CSVReader.read,
                write: .played { played, _ in CSVWriter.write(played) },
                carries: [.lines, .labels, .sections, .cues, .numbering])
        case .klick:
            Definition(
                name: localized("a klick tempo map"), extensions: ["klick", "txt"], content: .anyText,
                fit: KlickReader.fit, read: KlickReader.read, write: .played(KlickWriter.write),
                carries: [
                    .title, .composer, .cues, .lines, .labels, .sections, .meters, .ramps, .grouping, .beats, .grid,
                    .clicks,
                ])
        case .clickTracker:
            Definition(
                name: localized("a Click Tracker score"), extensions: ["txt"], content: .anyText,
                fit: ClickTrackerReader.fit, read: ClickTrackerReader.read)
        case .soap:
            Definition(
                name: localized("a SO(a)P score"), extensions: ["soap", "txt"], content: .anyText,
                fit: SoapReader.fit, read: SoapReader.read)
        case .midi:
            Definition(
                name: localized("a MIDI file"), extensions: ["mid", "midi", "smf"], content: .binary,
                fit: { $0.bytes.starts(with: "MThd".utf8) ? 1 : 0 }, read: MIDIReader.read,
                write: .played(MIDIWriter.write),
                carries: [
                    .title, .timecode, .cues, .lines, .labels, .sections, .meters, .innerTempi, .beats, .grid, .clicks,
                    .numbering, .hits, .voices,
                ])
        case .musicxml:
            Definition(
                name: localized("a MusicXML file"), extensions: ["musicxml", "mxl", "xml"], content: .anyTextOrZip,
                fit: { MusicXMLFormat.recognizes($0) ? 1 : 0 }, read: MusicXMLReader.read)
        case .audacity:
            Definition(
                name: localized("an Audacity label track"), extensions: ["labels", "txt"], content: .anyText,
                fit: AudacityLabels.fit, read: AudacityLabels.read,
                write: .played { played, _ in AudacityLabels.write(played) },
                carries: [.lines, .labels, .sections, .countIn, .numbering, .hits])
        case .reaper:
            Definition(
                name: localized("a Reaper region list"), extensions: ["csv"], content: .anyText,
                fit: ReaperRegions.fit, read: ReaperRegions.read,
                write: .played { played, _ in ReaperRegions.write(played) },
                carries: [.lines, .labels, .sections, .countIn, .numbering, .hits])
        case .svg:
            Definition(
                name: localized("an SVG picture"), extensions: ["svg"],
                write: .played { played, _ throws(TextError) in
                    SVGPicture.bytes(of: try PictureLayout.picture(of: played))
                }, carries: ScoreFeature.pictured)
        case .pdf:
            Definition(
                name: localized("a PDF picture"), extensions: ["pdf"], content: .binary,
                write: .played { played, losses throws(TextError) in
                    let (bytes, loss) = PDFPicture.bytes(of: try PictureLayout.picture(of: played))
                    if let loss { losses.note(loss) }
                    return bytes
                }, carries: ScoreFeature.pictured)
        }
    }

    /// The endings of file names that can mean this format, in lower case, the usual one first.
    public var extensions: [String] { definition.extensions }
    /// The name of a file of this format in a sentence, such as "a klick tempo map".
    public var name: String { definition.name }
    /// Whether scores can be read from it.
    public var canRead: Bool { definition.read != nil }
    /// Whether its files are not text.
    public var isBinary: Bool { definition.content == .binary }
    /// Whether scores can be written in it.
    public var canWrite: Bool { definition.write != nil }

    /// The formats that the ending of a file name can mean, for reading or for writing; empty if there are none.
    public static func candidates(fileName: String, writing: Bool = false) -> [ScoreFormat] {
        guard let dot = fileName.lastIndex(of: ".") else { return [] }
        let ending = fileName[fileName.index(after: dot)...].lowercased()
        let able = allCases.filter { (writing ? $0.canWrite : $0.canRead) && $0.extensions.contains(ending) }
        // For writing, an ending means the format whose usual ending it is.
        let usual = writing ? able.first { $0.extensions.first == ending } : nil
        return usual.map { [$0] } ?? able
    }

    /// The first format in which scores with such a file name can be read; nil if there is none.
    public init?(fileName: String) {
        guard let format = Self.candidates(fileName: fileName).first else { return nil }
        self = format
    }

    /// How well a text fits each of these formats.
    package static func fits(_ bytes: [UInt8], _ formats: [ScoreFormat]) -> [(format: ScoreFormat, fit: Double)] {
        let text = SourceText(Array(bytes.prefix(sampleBytes)), file: "").transcoded
        return formats.compactMap { format in format.definition.fit.map { (format, $0(text)) } }
    }

    /// How much of a file is looked at.
    static let sampleBytes = 64 << 10

    /// The format of a text: the one that its name tells or, if that can be several, the one that fits best.
    ///
    /// Errors: two formats fit about equally well, or none does.
    static func find(_ bytes: [UInt8], file: String) throws(TextError) -> ScoreFormat {
        let named = candidates(fileName: file)
        if named.count == 1 { return named[0] }
        return try FormatFit.find(
            fits(bytes, named.isEmpty ? allCases : named), isNamed: !named.isEmpty, table: .csv, usual: .yaml,
            name: \.name
        ) { localized("give its format, \($0.rawValue) or \($1.rawValue)") }
    }
}
