internal import Application
internal import ArgumentParser
internal import Formats
internal import Languages
internal import Scores

struct TapCommand: ParsableCommand, PlainCommand {
    static let configuration = CommandConfiguration(
        commandName: "tap",
        abstract: localized("Write a score from taps on the beats of a recording."),
        discussion: localized(
            """
            Play the recording and press any key on every beat; the first one begins the first bar, and one more ends \
            the last bar. Backspace takes back a tap; Enter, Escape or q ends. Instead of tapping, you can give the times of \
            taps: one per line, or a label track.

              barline tap --beats 4 -o my-piece.yaml
              barline tap --beats 2 --meter 6/8 labels.txt -o my-piece.yaml
            """))

    @Argument(
        help: .localized("A file with the times of taps, or - for standard input.", valueName: "times"),
        completion: .file())
    var file: String?

    @Option(help: .localized("How many taps make a bar, 1 to 64.", valueName: "taps"))
    var beats: Int

    @Option(
        help: .localized("The meter of the bars. Default: as many quarters as taps.", valueName: "meter"),
        transform: { try OptionText.read($0, Meter.init(scoreText:)) })
    var meter: Meter?

    @Flag(help: .localized("Write bars of seconds instead of bars with a meter and a tempo."))
    var seconds = false

    @Option(
        name: [.short, .customLong("output")],
        help: .localized("The score to write; - or nothing for standard output.", valueName: "file"))
    var output = "-"

    @OptionGroup var plainOptions: PlainOptions

    func validate() throws {
        guard TappedScore.beatRange.contains(beats) else {
            throw ValidationError(localized("--beats must be 1 to 64 taps"))
        }
        if seconds, meter != nil { throw ValidationError(localized("--meter and --seconds cannot both be given")) }
        if output != "-", !["yaml", "yml"].contains(FileKind.extension(of: output)) {
            throw ValidationError(localized("'\(output)' must end in .yaml; `barline convert` writes other formats"))
        }
    }

    func run() throws {
        var request = TapRequest(file, beats: beats)
        (request.style, request.output) = (seconds ? .seconds : .meter(meter), output)
        try request.write()
    }
}
