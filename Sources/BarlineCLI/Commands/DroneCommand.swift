internal import ArgumentParser
internal import Playback
internal import Score
internal import Timing

struct DroneCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "drone",
        abstract: "Just the drone, until Ctrl-C.")

    @Argument(
        help: ArgumentHelp("A4, Bb3, B4+14c, '3/2 of E4', 493.9Hz, 'B3, F#4 -6dB L50' ...", valueName: "notes"),
        transform: { try OptionText.read($0, Score.Drone.notes(scoreText:)) })
    var notes = [Score.Drone.Note(.b4)]

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The level: -24dB, or 6%. The same as --drone-level.", valueName: "level"),
        transform: OptionText.level)
    var level: Level?

    @OptionGroup var droneOptions: DroneOptions
    @OptionGroup var tuningOptions: TuningOptions

    @Option(help: ArgumentHelp("The ALSA device (see `barline devices`).", valueName: "name"))
    var device = Card.defaultDevice

    func run() async throws {
        // A score of one silent bar without end: the drone starts, fades and ends as in any other.
        var drone = Score.Drone(notes: notes)
        droneOptions.apply(to: &drone)
        if let level { drone.level = level }
        let score = Score(
            a4: tuningOptions.a4 ?? Score.standardA4, drone: drone,
            lines: [Score.Line(bars: [Score.Bar(.seconds(3600))])])
        var performance = Performance(of: score, walk: Walk(Timeline(score), passes: nil))
        performance.clickLevel = .off
        performance.tuning = try tuningOptions.read()
        try TuningOptions.check(performance)
        let card: Card
        do throws(CardError) {
            card = try Card(device, Card.Request(SoundFormat()))
        } catch {
            throw Failure.exit(.noDevice, error.sentence)
        }
        _ = try await LivePlay.run(performance, output: card, sound: .device(device), as: .drone)
    }
}
