internal import ArgumentParser
internal import Languages
internal import Playback
internal import Running
internal import Scores
internal import Screens
internal import UserSettings
internal import Timing

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

    /// The cues as intervals of a plan, so that screens say which one it is and what is left of it.
    private func words(_ title: String) -> any PieceWords {
        let interval = Interval(.rest, .time(time), label: localized("interval"))
        let plan = Plan(title: title, [.interval(interval)], length: .forever)
        return RunWords(plan, in: .kilometers) ?? ScoreWords()
    }

    func run() async throws {
        let name = localized("Every \(time < .seconds(60) ? "\(time.exactSeconds) s" : time.clock)")
        var score = Score(title: name, lines: [Score.Line(bars: [Score.Bar(time)])])
        score.isEndless = true
        var performance = Performance(of: score, passage: Passage(Timeline(score), passes: nil))
        performance.clickLevel = try clickLevel ?? LoadedSettings.get()[Setting.clickLevel]
        let session = try LiveSession.begin()
        let (output, sound) = try deviceOptions.open(for: performance.passage.timeline)
        let cards = CardNotes(sound)
        var options = Conductor.Options()
        options.card = cards.entry
        defer { session.end() }
        let (conductor, _) = try await LivePlay.run(
            performance, output: output, sound: sound, as: .music(try StandOptions.chosen(), words(name)),
            options: options, session: session, notifies: try notifyOptions.isWanted)
        try cards.keep(await conductor.learnt, latency: nil)
    }
}

/// The option for desktop notifications.
struct NotifyOptions: ParsableArguments {
    @Flag(
        inversion: .prefixedNo, help: .localized("Show a desktop notification at every change, with a button to stop."))
    var notify: Bool?

    /// Whether the user wants notifications, by the option or in the settings.
    var isWanted: Bool { get throws { try notify ?? LoadedSettings.get()[Setting.notify] } }
}
