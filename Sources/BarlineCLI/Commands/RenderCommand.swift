internal import Application
internal import ArgumentParser
internal import Glibc
internal import Languages
internal import Playback

struct RenderCommand: ParsableCommand, PlainCommand {
    static let configuration = CommandConfiguration(
        commandName: "render",
        abstract: localized("Render a score to a sound file."),
        discussion: localized(
            """
            The extension determines the type: .wav (RF64 above 4 GB), .rf64, .flac, .ogg, .opus, .mp3 or .aiff. A name \
            without an extension is a WAV file, and an unknown extension is an error. The file \
            begins with the count-in and contains title, composer and markers. `-o -` writes raw interleaved \
            little-endian samples to standard output. An .html file is a page that plays the score by itself.

            A plan is rendered as loud as music is (-14 LUFS), and `--over` puts it over your own music.
            """))

    @Argument(help: ScoreChoice.help, completion: .score)
    var score: String

    @OptionGroup var performanceOptions: PerformanceOptions
    @OptionGroup var formatOptions: FormatOptions
    @OptionGroup var timecodeOptions: TimecodeOptions

    @Option(
        parsing: .upToNextOption,
        help: .localized(
            "Music to render the cues over: sound files and folders, one after the other.", valueName: "music"))
    var over: [String] = []

    @OptionGroup var practiceOptions: PracticeOptions
    @OptionGroup var plainOptions: PlainOptions

    @Option(
        name: .shortAndLong, help: .localized("The file to write, or - for raw samples.", valueName: "file"),
        completion: .file())
    var output: String

    @Option(
        help: .localized(
            "The type of the file, if its name does not determine it: \(FileType.names).", valueName: "type"),
        completion: .values(FileType.self),
        transform: { try OptionText.word($0, "--type") })
    var type: FileType?

    @Option(
        help: .localized(
            "Markers for lines and labels, for all bars, or off. Default: lines.", valueName: "which"),
        completion: .values(Marker.Choice.self),
        transform: { try OptionText.word($0, "--markers") })
    var markers = Marker.Choice.lines

    @Flag(
        help: .localized(
            "Also write click, drone, speech and music to separate files (piece-click.wav ...), and the click of each voice: piece-click-NAME.wav."
        ))
    var stems = false

    @Option(
        help: .localized(
            "Also write the timecode (LTC) of the score to this file of the same length, such as ltc.wav.",
            valueName: "file"), completion: .file())
    var ltc: String?

    /// WAV stands in for an unknown extension until `run` refuses it.
    private var fileType: FileType { type ?? FileType(path: output) ?? .wav }

    func validate() throws {
        if output == "-", stems || type != nil {
            throw ValidationError(localized("-o - writes raw samples: --type and --stems cannot be used with it"))
        }
        if let ltc {
            if output == "-" || ltc == "-" {
                throw ValidationError(localized("--ltc writes a file beside a sound file"))
            }
            guard FileType(path: ltc)?.isLossless ?? false else {
                throw ValidationError(localized("--ltc needs a name that ends in .wav, .rf64, .aiff or .flac"))
            }
        }
        if !fileType.isLossless, output != "-", formatOptions.bits != nil {
            throw ValidationError(localized("--bits cannot be used with a file of type \(fileType.rawValue)"))
        }
        if output != "-", let refusal = fileType.refusal(of: formatOptions.request.format) {
            throw ValidationError(refusal)
        }
        if performanceOptions.loop, output != "-" {
            throw ValidationError(localized("a file must end: use --times instead of --loop, or -o - for a stream"))
        }
        if output == "-", isatty(1) == 1 {
            throw ValidationError(
                localized("raw samples cannot be written to a terminal: redirect them to a program or a file"))
        }
    }

    func run() throws {
        var request = RenderRequest(score, to: output)
        (request.performance, request.practice) = (try performanceOptions.request(), practiceOptions.request)
        (request.format, request.timecode) = (formatOptions.request, timecodeOptions.request)
        (request.type, request.markers, request.stems, request.ltc) = (type, markers, stems, ltc)
        request.music.names = over
        try request.render()
    }
}

extension FileType {
    /// The values of `--type`.
    static let names = allCases.map(\.rawValue).joined(separator: ", ")
}
