internal import Languages
internal import Running
internal import Scores

/// The formats of scores and of plans of intervals; the only list of them.
public enum Format: String, CaseIterable, Sendable {
    /// Keys, lines and bars; can express everything in a score.
    case yaml
    /// A table with one row per bar, or per interval of a plan.
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
    /// A picture of the page, on sheets of paper.
    case pdf
    /// Barline's own text of a plan, or of a plan of weeks.
    case plan
    /// A Zwift workout.
    case zwift
    /// A Garmin workout.
    case fit
    /// The workout text of intervals.icu.
    case intervals

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
        var carries: Set<Feature> = []
        /// How plans are read and written; nil for a format of scores only.
        var plan: PlanDefinition?
    }

    /// The properties of a format of plans.
    struct PlanDefinition {
        /// How well the beginning of a file fits this format, 0...1.
        var fit: ([UInt8]) -> Double
        /// Reads a plan; the String is its name in messages. In a draft, paces may be missing.
        var read: (_ bytes: [UInt8], String, _ isDraft: Bool) -> Document
        /// Writes a plan that has an end, for other programs with its length written out; nil for a format that is only
        /// read. The Int is the current time, in seconds since 1970.
        var write: ((Plan, Int, WorkoutOptions, inout Losses) throws(TextError) -> [UInt8])?
        /// The features that its writer carries, or reports itself.
        var carries: Set<Feature> = [.title, .threshold, .cadence, .groups, .nestedGroups]
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
                read: YAMLScore.checked,
                write: .page { played, _, _ in Array(played.score.yaml(stating: played.stated).utf8) },
                carries: Set(Feature.allCases).subtracting([.remarks]))
        case .csv:
            Definition(
                name: localized("a CSV table"), extensions: ["csv"], fit: CSVReader.fit, read: CSVReader.read,
                write: .played { played, _, _ in CSVWriter.write(played) },
                carries: [.lines, .labels, .sections, .cues, .numbering],
                plan: PlanDefinition(
                    fit: { WorkoutTable.recognizes($0) ? 1 : 0 },
                    read: { bytes, file, _ in WorkoutTable.read(bytes, file) },
                    write: { plan, _, _, _ throws(TextError) in try WorkoutTable.write(plan) },
                    carries: [.threshold]))
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
                fit: { $0.bytes.starts(with: "MThd".utf8) ? 1 : 0 }, read: MIDIScore.read,
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
                write: .played { played, _, _ in AudacityLabels.write(played) },
                carries: [.lines, .labels, .sections, .countIn, .numbering, .hits])
        case .reaper:
            Definition(
                name: localized("a Reaper region list"), extensions: ["csv"], content: .anyText,
                fit: ReaperRegions.fit, read: ReaperRegions.read,
                write: .played { played, _, _ in ReaperRegions.write(played) },
                carries: [.lines, .labels, .sections, .countIn, .numbering, .hits])
        case .svg:
            Definition(
                name: localized("an SVG picture"), extensions: ["svg"],
                write: .drawn { (SVGPicture.bytes(of: $0), nil) }, carries: Feature.pictured)
        case .pdf:
            Definition(
                name: localized("a PDF picture"), extensions: ["pdf"], content: .binary,
                write: .drawn(PDFPicture.bytes), carries: Feature.pictured)
        case .plan:
            Definition(
                name: localized("a plan of intervals"), extensions: ["plan", "txt"],
                plan: PlanDefinition(
                    fit: { TrainingPlan.isLikely($0) ? 1 : Plan.fit($0) }, read: PlanText.read,
                    write: { plan, _, _, _ in Array(plan.text.utf8) }))
        case .zwift:
            Definition(
                name: localized("a Zwift workout"), extensions: ["zwo"],
                plan: PlanDefinition(
                    fit: { ZwiftReader.recognizes($0) ? 1 : 0 },
                    read: { bytes, file, _ in ZwiftReader.read(bytes, file) },
                    write: { plan, _, options, losses throws(TextError) in
                        try ZwiftWriter.write(plan, options, &losses)
                    }))
        case .fit:
            Definition(
                name: localized("a Garmin workout"), extensions: ["fit"], content: .binary,
                plan: PlanDefinition(
                    fit: { FITBytes.recognizes($0) ? 1 : 0 }, read: { bytes, file, _ in FITReader.read(bytes, file) },
                    write: FITWriter.write, carries: [.title, .threshold, .groups]))
        case .intervals:
            Definition(
                name: localized("a workout of intervals.icu"), extensions: ["txt"],
                plan: PlanDefinition(
                    fit: IntervalsText.fit, read: { bytes, file, _ in IntervalsText.read(bytes, file) },
                    write: { plan, _, _, losses throws(TextError) in try IntervalsText.write(plan, &losses) },
                    carries: [.groups]))
        }
    }

    /// The endings of file names that can mean this format, in lower case, the usual one first.
    public var extensions: [String] { definition.extensions }
    /// The name of a file of this format in a sentence, such as "a klick tempo map".
    public var name: String { definition.name }
    /// Whether it can be read, as a score or as a plan.
    public var canRead: Bool { definition.read != nil || definition.plan != nil }
    /// Whether its files are not text.
    public var isBinary: Bool { definition.content == .binary }
    /// Whether scores can be written in it.
    public var canWrite: Bool { definition.write != nil }

    /// The formats that can be read.
    package static let readable = allCases.filter(\.canRead)
    /// Their names, for messages.
    package static let readableNames = readable.map(\.rawValue).joined(separator: ", ")
    /// The formats of scores.
    public static let ofScores = allCases.filter { $0.definition.read != nil || $0.canWrite }
    /// The formats of plans.
    package static let ofPlans = allCases.filter { $0.definition.plan != nil }
    /// Those in which plans can be written.
    package static let writtenPlans = allCases.filter { $0.definition.plan?.write != nil }
}
