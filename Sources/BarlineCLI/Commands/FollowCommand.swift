internal import Application
internal import ArgumentParser
internal import Languages
internal import Scores
internal import UserSettings

struct FollowCommand: AsyncParsableCommand, PlainCommand {
    static let configuration = CommandConfiguration(
        commandName: "follow",
        abstract: localized("Play what another machine plays, at the same time, on this machine's sound card."),
        discussion: localized(
            """
            The other machine runs `barline serve --lan`, which prints two addresses; either will do. This machine gets the \
            score, learns the other's clock, and corrects its own sound card: the clicks of both are heard together. \
            The other machine starts, pauses and jumps; sound and cues are this machine's own. Without the network, this \
            machine goes on by itself.

              barline follow 192.168.1.5:8573/#91f3…
              barline follow 192.168.1.5:8573/#91f3… --part flute --subdivide 2
            """))

    @Argument(help: .localized("The address that the other machine prints, with its secret after #."))
    var host: String

    @Option(
        help: .localized(
            "Only the clicks of these voices of the score, for example 'flute' or 'flute,harp'; the first one is shown.",
            valueName: "names"))
    var part: String?

    @Option(
        help: .localized("The drone: B4, Bb3, B4+14c, or off. Default: that of the score.", valueName: "notes"),
        transform: OptionText.drone)
    var drone: DroneChoice?

    @OptionGroup var droneOptions: PropertyOptions<Score.Drone>
    @OptionGroup var cueOptions: CueOptions
    @OptionGroup var clickOptions: ClickOptions
    @OptionGroup var deviceOptions: DeviceOptions
    @OptionGroup var timecodeOptions: TimecodeOptions
    @OptionGroup var standOptions: StandOptions
    @OptionGroup var plainOptions: PlainOptions

    @OptionGroup var latencyOptions: LatencyOptions

    @Option(
        help: .localized(
            "Write the time when each boundary was heard, by the other machine's clock, to this CSV file.",
            valueName: "file"), completion: .file())
    var timingLog: String?

    @Flag(help: .localized("Print a summary of the timing at the end."))
    var summary = false

    func run() async throws {
        var request = FollowRequest(host)
        (request.part, request.drone, request.droneSound) = (part, drone, droneOptions.changes)
        (request.cues, request.clicks) = (try cueOptions.request(), clickOptions.request)
        (request.device, request.timecode, request.stand) = (
            deviceOptions.request, timecodeOptions.request, standOptions.request
        )
        request[Setting.latency] = latencyOptions.latency.map(\.value)
        (request.timingLog, request.summary) = (timingLog, summary)
        request.atTerminal = true
        try await request.follow()
    }
}
