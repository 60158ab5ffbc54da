internal import ArgumentParser
internal import Playback
internal import Score
internal import Timing

struct DroneCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "drone",
        abstract: "Just the drone, until Ctrl-C.")

    @Argument(help: "B4, Bb3, F#5, B4+14c, 493.9Hz ...", transform: OptionText.pitch)
    var pitch: Pitch = .b4

    @Option(help: ArgumentHelp("The tuning of A4, 380 to 480 Hz.", valueName: "Hz"), transform: OptionText.a4)
    var a4 = Score.standardA4

    @Option(
        name: [.customLong("level"), .customLong("drone-level")], parsing: .unconditional,
        help: ArgumentHelp("The level: -24dB, or 6%.", valueName: "level"), transform: OptionText.level)
    var level = Score.Drone.standardLevel

    @Option(help: ArgumentHelp("sine or triangle.", valueName: "name"), transform: OptionText.waveform)
    var waveform = Score.Waveform.sine

    @Option(help: ArgumentHelp("The ALSA device (see `barline devices`).", valueName: "name"))
    var device = Card.defaultDevice

    func run() async throws {
        // A score of one silent bar without end: the drone starts, fades and ends as in any other.
        let drone = Score.Drone(pitch: pitch, level: level, waveform: waveform)
        let score = Score(a4: a4, drone: drone, lines: [Score.Line(bars: [Score.Bar(.seconds(3600))])])
        var performance = Performance(of: score, walk: Walk(Timeline(score), passes: nil))
        performance.clickLevel = .off
        if let hertz = performance.droneHertz, !Pitch.frequencyRange.contains(hertz) {
            throw Failure.exit(.usage, "at this A4 the drone would have \(hertz) Hz; it can have 16 to 8000 Hz")
        }
        let card: Card
        do throws(CardError) {
            card = try Card(device, Card.Request(SoundFormat()))
        } catch {
            throw Failure.exit(.noDevice, error.sentence)
        }
        _ = try await LivePlay.run(performance, output: card, sound: .device(device), as: .drone)
    }
}
