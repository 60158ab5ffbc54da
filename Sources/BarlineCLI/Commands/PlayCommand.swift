internal import Application
internal import ArgumentParser
internal import Languages

struct PlayCommand: AsyncParsableCommand, PlayingCommand {
    static let configuration = CommandConfiguration(
        commandName: "play",
        abstract: localized("Play a score with clicks and a drone, and show the position."),
        discussion: localized(
            """
            At a terminal, `play` fills the screen with a practice stand; ? shows all keys. Space pauses and resumes, \
            ← → move by bars, ↑ ↓ by lines, g goes to a place, l and L loop the bar and the line, + and - change the \
            speed, and q or Ctrl-C ends with a fade. From another terminal, use `barline pause`, `continue`, `stop` or \
            `status`.
            """))

    @Argument(help: ScoreChoice.help, completion: .score)
    var score: String

    @OptionGroup var performanceOptions: PerformanceOptions
    @OptionGroup var deviceOptions: DeviceOptions
    @OptionGroup var timecodeOptions: TimecodeOptions
    @OptionGroup var cableOptions: CableOptions
    @OptionGroup var clockOptions: ClockOptions
    @OptionGroup var standOptions: StandOptions
    @OptionGroup var practiceOptions: PracticeOptions
    @OptionGroup var notifyOptions: NotifyOptions
    @OptionGroup var plainOptions: PlainOptions
    @OptionGroup var setListOptions: SetListOptions
    @OptionGroup var recordOptions: RecordOptions

    @Flag(help: .localized("Show the music on a page for browsers, which also controls it (see `barline help serve`)."))
    var serve = false

    @OptionGroup var serveOptions: ServeOptions

    func run() async throws {
        guard serve || serveOptions.areUnused else {
            throw Failure.exit(
                .usage, localized("--lan, --port and --proxy are for --serve; add it, or use `barline serve`"))
        }
        try await request(score, serve ? serveOptions : nil, atTerminal: true).play()
    }
}

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
    @OptionGroup var timecodeOptions: TimecodeOptions
    @OptionGroup var cableOptions: CableOptions
    @OptionGroup var clockOptions: ClockOptions
    @OptionGroup var standOptions: StandOptions
    @OptionGroup var practiceOptions: PracticeOptions
    @OptionGroup var notifyOptions: NotifyOptions
    @OptionGroup var plainOptions: PlainOptions
    @OptionGroup var setListOptions: SetListOptions
    @OptionGroup var recordOptions: RecordOptions
    @OptionGroup var serveOptions: ServeOptions

    func run() async throws { try await request(score, serveOptions, atTerminal: false).play() }
}
