internal import Application
internal import ArgumentParser
internal import Languages
internal import Scores
internal import UserSettings

struct DroneCommand: AsyncParsableCommand, PlainCommand {
    static let configuration = CommandConfiguration(
        commandName: "drone",
        abstract: localized("Play a drone until Ctrl-C."),
        discussion: localized(
            """
            `barline drone A4` plays an A. Two close notes beat: 'A4, A4+5c'. --sweep-to glides between two notes and \
            back.
            """))

    @Argument(
        help: .localized("A4, Bb3, B4+14c, '3/2 of E4', 493.9Hz, 'B3, F#4 -6dB L50' ...", valueName: "notes"),
        transform: { try OptionText.read(NoteNames.scoreText($0), Score.Drone.notes(scoreText:)) })
    var notes: [Score.Drone.Note]?

    @Option(
        parsing: .unconditional,
        help: .localized("The level: -24dB, or 6%. The same as --drone-level.", valueName: "level"),
        transform: OptionText.level)
    var level: Level?

    @Option(
        help: .localized("Glide to this note and back, repeatedly.", valueName: "note"),
        transform: { try OptionText.read(NoteNames.scoreText($0), Pitch.init(scoreText:)) })
    var sweepTo: Pitch?

    @Option(
        parsing: .unconditional,
        help: .localized("How long the glide takes one way: 10.", valueName: "seconds"),
        transform: { try OptionText.read($0) { try Duration(scoreText: $0, as: .countIn) } })
    var sweepTime: Duration?

    @OptionGroup var droneOptions: PropertyOptions<Score.Drone>
    @OptionGroup var tuningOptions: TuningOptions
    @OptionGroup var plainOptions: PlainOptions

    @Option(help: .localized("The ALSA device (see `barline devices`).", valueName: "name"), completion: .device)
    var device: String?

    func validate() throws {
        if sweepTo != nil, let notes, notes.count > 1 {
            throw ValidationError(localized("--sweep-to starts from one note: give only one"))
        }
        if let sweepTime {
            guard sweepTo != nil else { throw ValidationError(localized("--sweep-time needs --sweep-to")) }
            guard sweepTime >= .seconds(1) else {
                throw ValidationError(localized("--sweep-time must be at least 1 second"))
            }
        }
    }

    func run() async throws {
        var request = DroneRequest()
        (request.notes, request.level) = (notes, level)
        request[Setting.device] = device
        (request.sweepTo, request.sweepTime) = (sweepTo, sweepTime)
        (request.sound, request.tuning) = (droneOptions.changes, try tuningOptions.request())
        request.atTerminal = true
        try await request.play()
    }
}
