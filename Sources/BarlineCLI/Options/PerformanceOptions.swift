internal import Application
internal import ArgumentParser
internal import Languages
internal import Scores
internal import UserSettings
internal import Timing

/// Options for the sound of a score, shared by `play` and `render`.
struct PerformanceOptions: ParsableArguments {
    @OptionGroup var passageOptions: PassageOptions

    @Flag(help: .localized("Repeat the score until stopped."))
    var loop = false

    @Option(
        parsing: .unconditional,
        help: .localized(
            "The length of the count-in: seconds, '1 bar', '8 beats', or 0 for none.", valueName: "length"),
        transform: { try OptionText.read($0, Setting.countIn) })
    var countIn: Score.Lead?

    @Option(
        help: .localized(
            "The drone: B4, Bb3, B4+14c, '3/2 of E4', 493.9Hz, 'B3, F#4 -6dB L50', or off.", valueName: "notes"),
        transform: OptionText.drone)
    var drone: DroneChoice?

    @OptionGroup var droneOptions: PropertyOptions<Score.Drone>
    @OptionGroup var tuningOptions: TuningOptions
    @OptionGroup var cueOptions: CueOptions
    @OptionGroup var clickOptions: ClickOptions

    @Flag(inversion: .prefixedNo, help: .localized("Begin every bar with the same click."))
    var oneSound: Bool?

    @Option(
        help: .localized("The click with which a line begins: \(CueOptions.sounds).", valueName: "sound"),
        transform: { try OptionText.read($0, Setting.lineSound) })
    var lineSound: ClickSound?

    func validate() throws {
        if loop, passageOptions.times != nil {
            throw ValidationError(localized("--loop and --times cannot both be given"))
        }
    }

    /// The same for the application.
    func request() throws -> PerformanceRequest {
        var request = PerformanceRequest()
        (request.passage, request.loop) = (passageOptions.request, loop)
        (request.countIn, request.drone, request.droneSound) = (countIn, drone, droneOptions.changes)
        (request.tuning, request.cues) = (try tuningOptions.request(), try cueOptions.request())
        request.clicks = clickOptions.request
        request[Setting.oneSound] = oneSound
        request[Setting.lineSound] = lineSound
        return request
    }
}
