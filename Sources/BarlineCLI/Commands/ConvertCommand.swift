internal import Application
internal import ArgumentParser
internal import Formats
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
            "The paper of a picture (.svg, .pdf): \(Picture.Paper.names). Default: a4.", valueName: "paper"),
        completion: .values(Picture.Paper.self), transform: { try OptionText.word($0, "--paper") })
    var paper: Picture.Paper?

    @Option(
        help: .localized(
            "In a page (.html), the words of the voice as sound, made with espeak-ng: a list as for `play --speak`, such as cues,finish.",
            valueName: "list"), transform: { try OptionText.chosen($0, Setting.speak) })
    var speak: Chosen<SpeechSettings>?

    @OptionGroup var versionOptions: VersionOptions
    @OptionGroup var weekOptions: WeekOptions

    func run() throws {
        var request = ConvertRequest(score, to: out)
        request.reading = LoadedScore.Choice(
            format: from, isStrict: strict, tempi: tempoOptions.tempi,
            gaps: gapOptions.gaps(), workout: weekOptions.choice)
        (request.version, request.to, request.eachVoice) = (versionOptions.request, to, eachVoice)
        (request.first, request.last, request.speed) = (first, last, speed)
        request.choices.paper = paper
        request[Setting.speak] = speak.map(\.value)
        try request.convert()
    }
}
