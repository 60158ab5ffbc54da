internal import Application
internal import ArgumentParser
internal import Files
internal import Formats
internal import Glibc
internal import Languages
internal import Scores
internal import Timing
internal import UserSettings

struct ConvertCommand: ParsableCommand {
    private static let readable = Format.ofScores.filter(\.canRead).map(\.rawValue).joined(separator: ", ")
    private static let writable = WrittenFormat.options

    static let configuration = CommandConfiguration(
        commandName: "convert",
        abstract: localized("Write a score in another format, or draw it."),
        discussion: localized(
            """
            The extension of a file determines its format. If several formats share it (.txt, .csv), the content \
            decides, or --from and --to. Barline reads \(readable), and writes \(writable). Information that the new \
            format cannot hold is reported on standard error.

              barline convert clicks.txt my-piece.yaml
              barline convert my-piece.yaml my-piece.mid
              barline convert sequenza-vii stand.pdf
              barline convert sequenza-vii labels.txt --to audacity --speed 80%

            An .html file is the stand itself: a page that plays the score in any browser, without Barline and without a \
            network.

              barline convert sequenza-vii stand.html
            """))

    @Argument(help: .localized("A score file, the name of a score, or - for standard input."), completion: .score)
    var score: String

    @Argument(help: .localized("The file to write, or - for standard output."), completion: .file())
    var out: String

    @Option(
        name: [.customLong("from"), .customLong("format")],
        help: .localized(
            "The format of the score, if its name and content do not determine it.", valueName: "format"),
        completion: .list(Format.readable.map(\.rawValue)),
        transform: OptionText.inputFormat)
    var from: Format?

    @Flag(help: .localized("Make it an error if a score of another program has lines that this program would skip."))
    var strict = false

    @OptionGroup var tempoOptions: TempoOptions
    @OptionGroup var gapOptions: PlanGapOptions

    @Option(
        help: .localized(
            "The format to write, if the name of the new file does not determine it.", valueName: "format"),
        completion: .list(WrittenFormat.all.map(\.option)),
        transform: OptionText.format)
    var to: WrittenFormat?

    @Option(help: .localized("Begin at a place, such as 5.1, 57 or a label.", valueName: "place"), completion: .place)
    var first: String?

    @Option(
        help: .localized("End after a place, such as 5.13, 57 or a label.", valueName: "place"), completion: .place)
    var last: String?

    @Option(
        parsing: .unconditional, help: .localized("Write the times at this speed.", valueName: "percent"),
        transform: OptionText.speed)
    var speed: Speed?

    @Flag(help: .localized("Also write each voice to a file of its own: piece-NAME.mid ..."))
    var eachVoice = false

    @Option(
        help: .localized(
            "In a page (.html), the words of the voice as sound, made with espeak-ng: a list as for `play --speak`, such as cues,finish.",
            valueName: "list"))
    var speak: String?

    @OptionGroup var planOptions: PlanOptions
    @OptionGroup var weekOptions: WeekOptions

    func validate() throws {
        if let speak {
            do { _ = try Setting.speak.value(speak) } catch { throw ValidationError("--speak: \(error)") }
        }
    }

    func run() throws {
        let written = try to ?? namedFormat()
        if OutputFile.isSame(out, as: LoadedScore.path(score)) {
            throw Failure.exit(.cannotWrite, localized("'\(out)' is the score: give the new file another name"))
        }
        guard case .score(let format) = written else { return try writePage() }
        if speak != nil {
            throw Failure.exit(.usage, localized("--speak: only a page that plays by itself (.html) can speak"))
        }
        try check(format)
        // A format of the whole page has holds until a cue.
        let gaps = LoadedScore.PlanGaps(
            about: gapOptions.open, canWait: format.isOfPage && gapOptions.open == nil,
            threshold: gapOptions.threshold)
        var (page, preferences, _) = try LoadedScore.read(score, reading(gaps))
        // Formats of the whole page keep the speed of the score; formats of times have the speed that the user hears.
        if !format.isOfPage { page.speed = try LoadedSettings.get().applied(to: page, preferences: preferences).speed }
        try planOptions.request.choose(in: &page)
        if out != "-", let path = LoadedScore.path(score) { page.tuning.move(from: path, to: out) }
        let timeline = Timeline(page)
        let bars = try PassageRequest.bars(timeline, from: ("--first", first), to: ("--last", last))
        let passage = try Passage(timeline, bars: bars).withinLimit()
        let writing = try Failure.exitOnError(.badData) {
            try format.write(PlayedScore(page, passage: passage, speed: speed ?? page.speed))
        }
        // All files are made before the first is written.
        let files = [(out, writing)] + (eachVoice ? try voices(of: page, as: format) : [])
        for (out, writing) in files {
            for loss in writing.losses {
                Failure.say(localized("warning: \(out == "-" ? format.name : out): \(loss)"))
            }
        }
        for (out, writing) in files { try OutputFile.write(writing.bytes, to: out) }
    }

    /// How the score is read.
    private func reading(_ gaps: LoadedScore.PlanGaps) -> LoadedScore.Choice {
        LoadedScore.Choice(
            format: from, isStrict: strict, tempi: tempoOptions.tempi, gaps: gaps, workout: weekOptions.choice)
    }

    /// A file for each voice of a score.
    private func voices(of page: Score, as format: Format) throws -> [(path: String, writing: Writing)] {
        guard page.voiceNames.count > 1 else {
            throw Failure.exit(.usage, localized("--each-voice: the score has only one voice"))
        }
        guard out != "-", first == nil, last == nil else {
            throw Failure.exit(
                .usage,
                localized("--each-voice writes files of whole voices: -, --first and --last cannot be used with it"))
        }
        return try page.voiceNames.enumerated().compactMap { number, name in
            guard let voice = page.with(voices: [name]) else { return nil }
            let passage = try Passage(Timeline(voice)).withinLimit()
            let writing = try Failure.exitOnError(.badData) {
                try format.write(PlayedScore(voice, passage: passage, speed: speed ?? page.speed))
            }
            return (FileKind.path(out, part: VoiceFile.name(number, of: page.voiceNames)), writing)
        }
    }

    /// Writes a page that plays the score by itself, as `play` would play it with the user's settings.
    private func writePage() throws {
        if eachVoice {
            throw Failure.exit(
                .usage,
                localized("--each-voice: a page that plays by itself has all voices; each player chooses one on it"))
        }
        var wanted = PerformanceRequest()
        wanted.passage.reading = reading(LoadedScore.PlanGaps(about: gapOptions.open, threshold: gapOptions.threshold))
        (wanted.passage.from, wanted.passage.to, wanted.passage.speed) = (first, last, speed)
        wanted.passage.version = planOptions.request
        wanted.cues.speak = try speak.map { try OptionText.chosen($0, Setting.speak) }
        try WrittenPage.write(.named(score), wanted, to: out)
    }

    /// Checks that the other options fit a format.
    private func check(_ format: Format) throws {
        guard format.canWrite else {
            throw Failure.exit(
                .usage, localized("\(format.name) can be read, but not written; --to takes \(Self.writable)"))
        }
        if format.isOfPage, first != nil || last != nil || speed != nil {
            throw Failure.exit(
                .usage,
                localized(
                    "\(format.name) always has the whole score: --first, --last and --speed cannot be used with it"))
        }
        if out == "-", format.isBinary, isatty(1) == 1 {
            throw Failure.exit(
                .usage, localized("\(format.name) cannot be written to a terminal: redirect it to a program or a file"))
        }
    }

    /// The format that the name of the new file implies.
    private func namedFormat() throws -> WrittenFormat {
        let formats = WrittenFormat.candidates(fileName: out)
        if formats.count == 1 { return formats[0] }
        if formats.count > 1 {
            let choice = formats.map { "--to \($0.option)" }.joined(separator: localized(" or "))
            throw Failure.exit(.usage, localized("'\(out)' may be in one of several formats: add \(choice)"))
        }
        guard FileKind.extension(of: out) != nil else {
            throw Failure.exit(
                .usage,
                out == "-"
                    ? localized("standard output does not determine a format: add --to with one of \(Self.writable)")
                    : localized("'\(out)' does not determine a format: add --to with one of \(Self.writable)")
            )
        }
        let known = Set(WrittenFormat.all.flatMap(\.extensions)).sorted().map { "." + $0 }
        throw Failure.exit(
            .usage,
            localized(
                "'\(out)' has no known extension: use one of \(known.joined(separator: ", ")), or add --to with one of \(Self.writable)"
            )
        )
    }
}

extension Tuning {
    /// Changes the paths of the Scala files so that the score finds them from its new folder.
    fileprivate mutating func move(from path: String, to new: String) {
        guard case .scala(var scale, var map) = scale,
            let folder = FileBytes.realPath(FileBytes.folder(of: path)),
            folder != FileBytes.realPath(FileBytes.folder(of: new))
        else { return }
        let moved = { (name: String?) in name.map { $0.hasPrefix("/") ? $0 : "\(folder)/\($0)" } }
        (scale.file, map.file) = (moved(scale.file), moved(map.file))
        self.scale = .scala(scale, map)
    }
}
