internal import ArgumentParser
internal import Playback
internal import Screen
internal import Settings

struct PlayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "play",
        abstract: "Play a score: clicks, drone, and where you are.",
        discussion: """
            At a terminal the whole of it is a practice stand; ? shows its keys: Space pauses and goes on, ← → go by bars, \
            ↑ ↓ by lines, g to a place, l and L loop the bar and the line, + and - change the speed, q or Ctrl-C ends \
            with a fade. From another terminal: `barline pause`, `barline stop`, `barline status`.
            """)

    @OptionGroup var performanceOptions: PerformanceOptions
    @OptionGroup var deviceOptions: DeviceOptions
    @OptionGroup var clockOptions: ClockOptions

    @OptionGroup var standOptions: StandOptions
    @OptionGroup var practiceOptions: PracticeOptions

    @OptionGroup var notifyOptions: NotifyOptions

    @Flag(
        inversion: .prefixedNo,
        help: "Holds until a cue wait for a key; without a terminal they do not unless asked to.")
    var wait: Bool?

    func run() async throws {
        var performance = try performanceOptions.performance()
        try practiceOptions.apply(to: &performance)
        let settings = try LoadedSettings.get()
        performance.waits = wait ?? settings[Setting.wait] ?? LivePlay.hasKeys
        let session = try LiveSession.begin()
        let log = try clockOptions.timingLog.map { try TimingLogFile($0) }
        let (output, sound) = try deviceOptions.open()
        let cues = performanceOptions.cueOptions
        performance.speaker = cues.speaker(performance.cues.speech, rate: output.rate, waits: false)
        if let card = output as? Card { card.use(try cues.shapes(rate: card.rate)) }
        let cards = CardNotes(sound)
        let options = try clockOptions.options(card: cards.entry, log: log)
        let conductor = try await LivePlay.run(
            performance, output: output, sound: sound, as: .music(try standOptions.choices()),
            options: options.conductor, session: session, notifies: try notifyOptions.isWanted)
        try cards.keep(await conductor.learnt, latency: clockOptions.latency)
        if clockOptions.summary { options.printSummary(await conductor.xruns) }
        try log?.finish()
    }
}
