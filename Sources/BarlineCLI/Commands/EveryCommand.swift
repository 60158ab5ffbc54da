internal import Application
internal import ArgumentParser
internal import Languages
internal import Scores
internal import UserSettings

struct EveryCommand: AsyncParsableCommand, PlainCommand {
    static let configuration = CommandConfiguration(
        commandName: "every",
        abstract: localized("Play a cue at regular intervals until stopped."),
        discussion: localized(
            """
            The first cue comes at once.

              barline every 30s
              barline every 1:30 --notify
            """))

    @Argument(
        help: .localized("The interval between cues: 30s, 1:30, 0.5s.", valueName: "time"),
        transform: { try OptionText.read($0) { try Duration(scoreText: $0) } })
    var time: Duration

    @Option(
        parsing: .unconditional,
        help: .localized("The level of the cue: -6dB, 50%.", valueName: "level"), transform: OptionText.level)
    var clickLevel: Level?

    @OptionGroup var deviceOptions: DeviceOptions
    @OptionGroup var notifyOptions: NotifyOptions
    @OptionGroup var plainOptions: PlainOptions

    func run() async throws {
        var request = EveryRequest(time)
        (request.device, request.atTerminal) = (deviceOptions.request, true)
        request[Setting.clickLevel] = clickLevel
        request[Setting.notify] = notifyOptions.notify
        try await request.play()
    }
}

/// The option for desktop notifications.
struct NotifyOptions: ParsableArguments {
    @Flag(
        inversion: .prefixedNo, help: .localized("Show a desktop notification at every change, with a button to stop."))
    var notify: Bool?
}
