internal import ArgumentParser
internal import Languages

struct ServeCommand: AsyncParsableCommand, PlayingCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: localized(
            "Play a score, and show it on a page that phones, tablets and projectors open in a browser."),
        discussion: localized(
            """
            Prints two addresses: one opens a page that shows and controls the music, the other a page that only watches. \
            They are for browsers on this machine; --lan lets the other devices of the local network open them, too. \
            Whoever knows an address can use it, until the program ends. Without a score, it waits until a page that \
            controls chooses one, or gets one dropped.

              barline serve sequenza-vii --lan
            """))

    @Argument(
        help: .localized("A score file, the name of a score, or - for standard input. Without one, the page chooses."),
        completion: .score)
    var score: String?

    @OptionGroup var performanceOptions: PerformanceOptions
    @OptionGroup var deviceOptions: DeviceOptions
    @OptionGroup var clockOptions: ClockOptions

    @OptionGroup var standOptions: StandOptions
    @OptionGroup var practiceOptions: PracticeOptions

    @OptionGroup var notifyOptions: NotifyOptions
    @OptionGroup var plainOptions: PlainOptions
    @OptionGroup var setListOptions: SetListOptions
    @OptionGroup var serveOptions: ServeOptions

    func run() async throws { try await play(score, serve: true, atTerminal: false) }
}
