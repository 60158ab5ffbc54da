internal import Application
internal import ArgumentParser
internal import Languages
internal import Scores
internal import UserSettings
internal import Timing

struct TuneCommand: AsyncParsableCommand, PlainCommand {
    static let configuration = CommandConfiguration(
        commandName: "tune",
        abstract: localized("Show how far you are from the note, and from a pure interval over a drone."),
        discussion: localized(
            """
            `barline tune B4` plays a B and listens to the microphone. The stripes stand still when you are in tune: the \
            upper ones with the nearest note of the tuning, the lower ones with the purest interval over the drone. \
            Without a note, nothing is played. In unison with the drone, a note is marked unsure.
            """))

    @Argument(
        help: .localized("The notes of the drone: A4, 'E3, B3 -6dB' ...", valueName: "notes"),
        transform: { try OptionText.read(NoteNames.scoreText($0), Score.Drone.notes(scoreText:)) })
    var notes: [Score.Drone.Note]?

    @Option(
        help: .localized(
            "With --plain, and in a pipe, tell a note at most every so many seconds.", valueName: "seconds"),
        transform: { try OptionText.read($0) { try Duration(scoreText: $0, as: .countIn) } })
    var every: Duration?

    @Option(help: .localized("The microphone: an ALSA device, see `barline devices --inputs`.", valueName: "name"))
    var input: String?

    @OptionGroup var droneOptions: PropertyOptions<Score.Drone>
    @OptionGroup var tuningOptions: TuningOptions
    @OptionGroup var plainOptions: PlainOptions

    @Option(help: .localized("The ALSA device (see `barline devices`).", valueName: "name"), completion: .device)
    var device: String?

    func run() async throws {
        var request = TuneRequest()
        (request.notes, request.every) = (notes, every)
        request[Setting.input] = input
        request[Setting.device] = device
        (request.sound, request.tuning) = (droneOptions.changes, try tuningOptions.request())
        request.atTerminal = true
        try await request.play()
    }
}
