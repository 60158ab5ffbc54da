internal import ArgumentParser
internal import Playback
internal import Screens
internal import UserSettings

struct PlayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "play",
        abstract: "Play a score with clicks and a drone, and show the position.",
        discussion: """
            At a terminal, `play` fills the screen with a practice stand; ? shows all keys. Space pauses and resumes, \
            ← → move by bars, ↑ ↓ by lines, g goes to a place, l and L loop the bar and the line, + and - change the \
            speed, and q or Ctrl-C ends with a fade. From another terminal, use `barline pause`, `continue`, `stop` or \
            `status`.
            """)

    @OptionGroup var performanceOptions: PerformanceOptions
    @OptionGroup var deviceOptions: DeviceOptions
    @OptionGroup var clockOptions: ClockOptions

    @OptionGroup var standOptions: StandOptions
    @OptionGroup var practiceOptions: PracticeOptions

    @OptionGroup var notifyOptions: NotifyOptions

    @Flag(
        inversion: .prefixedNo,
        help: ArgumentHelp(
            """
            Wait for a key at holds until a cue. Default: only at a terminal, when served, and in intervals until the lap \
            button.
            """))
    var wait: Bool?

    @Option(
        name: .customLong("then"),
        help: ArgumentHelp(
            "Play another score afterwards; repeat for a set list. Tab goes to it early.", valueName: "score"),
        completion: .score)
    var next: [String] = []

    @Flag(help: "Resume where the score was left, at the same speed and in the same loop.")
    var resume = false

    @Flag(help: "Show the music on a page for browsers, which also controls it (see `barline help serve`).")
    var serve = false

    @OptionGroup var serveOptions: ServeOptions

    func run() async throws {
        guard serve || serveOptions.areUnused else {
            throw Failure.exit(.usage, "--lan, --port and --proxy are for --serve; add it, or use `barline serve`")
        }
        try await run(atTerminal: true)
    }

    /// Plays; with `atTerminal`, at a terminal on a stand.
    func run(atTerminal: Bool) async throws {
        let session = try LiveSession.begin()
        defer { session.end() }
        let canWait = try (wait ?? LoadedSettings.get()[Setting.wait]) != false
        let pages = serve ? try LivePages(serveOptions, canWait: canWait) : nil
        defer { pages?.end() }
        if let pages { StandardError.write(pages.announcement) }
        var options = performanceOptions
        for (index, score) in ([options.passageOptions.score] + next).enumerated() {
            options.passageOptions.score = score
            // --from and --to, and the choice of a workout, apply to the first score only.
            if index > 0 {
                (options.passageOptions.from, options.passageOptions.to) = (nil, nil)
                options.passageOptions.weekOptions = .none
            }
            var goesOn = try await play(options, session, pages, isFirst: index == 0, atTerminal)
            while let plan = pages?.takeStarted() {
                var started = options
                started.passageOptions.score = plan.text
                (started.passageOptions.from, started.passageOptions.to) = (nil, nil)
                started.passageOptions.weekOptions = .none
                goesOn = try await play(started, session, pages, isFirst: false, atTerminal)
            }
            guard goesOn else { return }
        }
    }

    /// Plays one score; returns whether to play the next one.
    private func play(
        _ options: PerformanceOptions, _ session: LiveSession, _ pages: LivePages?, isFirst: Bool, _ atTerminal: Bool
    ) async throws -> Bool {
        let settings = try LoadedSettings.get()
        let waits = wait ?? settings[Setting.wait]
        // Another terminal can press the lap button, too, so a plan waits unless it must not.
        var (performance, run) = try options.performance(canWait: waits != false)
        try practiceOptions.apply(to: &performance)
        // On a page there is someone who can go on.
        performance.waits = waits ?? (LivePlay.hasKeys || serve || run?.hasOpenEnds ?? false)
        let notes = PracticeNotes(
            score: options.passageOptions.score, workout: options.passageOptions.weekOptions.choice)
        var loop: Range<Int>?
        if resume {
            loop = notes.resume(
                &performance, keepsPlace: options.passageOptions.from != nil,
                keepsSpeed: options.passageOptions.speed != nil)
        }
        let log = isFirst ? try clockOptions.timingLog.map { try TimingLogFile($0) } : nil
        let (output, sound) = try deviceOptions.open(for: performance.passage.timeline)
        let cues = options.cueOptions
        performance.speaker = cues.speaker(performance.cues.speech, rate: output.rate, waits: false)
        if let card = output as? Card { card.use(try cues.shapes(rate: card.rate)) }
        let cards = CardNotes(sound)
        var (conducting, printSummary) = try clockOptions.options(card: cards.entry, log: log, isFirst: isFirst)
        conducting.loop = loop
        notes.listen(to: &conducting)
        var choices = try standOptions.choices()
        // The picture hides what was printed before.
        choices.message = pages?.shortAnnouncement ?? ""
        let (conductor, goesOn) = try await LivePlay.run(
            performance, output: output, sound: sound, as: .music(choices, run), options: conducting, session: session,
            notifies: try notifyOptions.isWanted, pages: pages, atTerminal: atTerminal)
        try cards.keep(await conductor.learnt, latency: clockOptions.latency)
        if let status = await conductor.status { try notes.keep(status) }
        if clockOptions.summary { printSummary(await conductor.xruns) }
        try log?.finish()
        return goesOn
    }
}
