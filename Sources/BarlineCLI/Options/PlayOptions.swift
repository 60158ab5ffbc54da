internal import ArgumentParser
internal import Playback
internal import Screens
internal import UserSettings

/// How scores are played: the options of `play` and `serve`.
struct PlayOptions: ParsableArguments {
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

    @OptionGroup var serveOptions: ServeOptions

    /// Plays a score and those after it; with `serve`, on pages, too, which may choose others. Without a score, it waits
    /// until a page has chosen one, again and again. With `atTerminal`, at a terminal on a stand.
    func play(_ score: String?, serve: Bool, atTerminal: Bool) async throws {
        let session = try LiveSession.begin()
        defer { session.end() }
        let pages = serve ? try LivePages(serveOptions, performanceOptions) : nil
        defer { pages?.end() }
        pages?.announce()
        var log: TimingLogFile?
        var options = performanceOptions
        var pieces = ([score].compactMap(\.self) + next).map { ScoreChoice.named($0) }[...]
        var isFirst = true
        while true {
            if pieces.isEmpty || pages?.hasChoice == true {
                // The pages go on after the last piece if they have chosen the first.
                guard let pages, pages.hasChoice || score == nil, let choice = try await next(on: pages) else { break }
                pieces = [choice]
            }
            guard let piece = pieces.popFirst() else { break }
            // --from and --to, and the choice of a workout, apply to the first score only.
            if !isFirst {
                (options.passageOptions.from, options.passageOptions.to) = (nil, nil)
                options.passageOptions.weekOptions = .none
            }
            let goesOn = try await play(piece, options, session, pages, &log, isFirst: isFirst, atTerminal)
            isFirst = false
            guard goesOn || pages?.hasChoice == true else { break }
        }
        try log?.finish()
    }

    /// The score that a page has chosen or chooses next; nil if the program is to end.
    private func next(on pages: LivePages) async throws -> ScoreChoice? {
        if !pages.hasChoice { StandardError.write("choose a score on the page, or drop one there; Ctrl-C ends\n") }
        return await pages.choice()
    }

    /// Plays one score; returns whether to play the next one.
    private func play(
        _ score: ScoreChoice, _ options: PerformanceOptions, _ session: LiveSession, _ pages: LivePages?,
        _ log: inout TimingLogFile?, isFirst: Bool, _ atTerminal: Bool
    ) async throws -> Bool {
        let settings = try LoadedSettings.get()
        let waits = wait ?? settings[Setting.wait]
        // Another terminal can press the lap button, too, so a plan waits unless it must not.
        var (performance, run, page) = try options.performance(of: score, canWait: waits != false)
        try practiceOptions.apply(to: &performance)
        // On a page there is someone who can go on.
        performance.waits = waits ?? (LivePlay.hasKeys || pages != nil || run?.hasOpenEnds ?? false)
        let notes = PracticeNotes(
            score: score.name, workout: options.passageOptions.weekOptions.choice)
        var loop: Range<Int>?
        if resume {
            loop = notes.resume(
                &performance, keepsPlace: options.passageOptions.from != nil,
                keepsSpeed: options.passageOptions.speed != nil)
        }
        // A score that cannot be played leaves an old log as it is.
        if isFirst { log = try clockOptions.timingLog.map { try TimingLogFile($0) } }
        let (output, sound) = try deviceOptions.open(for: performance.passage.timeline)
        let cues = options.cueOptions
        performance.speaker = cues.speaker(performance.cues.speech, rate: output.rate, waits: false)
        if let card = output as? Card { card.use(try cues.shapes(rate: card.rate)) }
        let cards = CardNotes(sound)
        var (conducting, printSummary) = try clockOptions.options(
            card: cards.entry, log: isFirst || pages != nil ? log : nil, isFirst: isFirst)
        conducting.loop = loop
        notes.listen(to: &conducting)
        var choices = try standOptions.choices()
        // The picture hides what was printed before.
        choices.message = pages?.shortAnnouncement ?? ""
        pages?.show(PlayedPiece(page, run, options.cueOptions))
        let (conductor, goesOn) = try await LivePlay.run(
            performance, output: output, sound: sound, as: .music(choices, run), options: conducting, session: session,
            notifies: try notifyOptions.isWanted, pages: pages, atTerminal: atTerminal)
        try cards.keep(await conductor.learnt, latency: clockOptions.latency)
        if let status = await conductor.status { try notes.keep(status) }
        if clockOptions.summary { printSummary(await conductor.xruns) }
        return goesOn
    }
}
