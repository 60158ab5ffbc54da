internal import Languages
internal import Playback
internal import UserSettings

/// A command that plays scores. Each has these options itself: the parser takes four times as long per level of groups.
protocol PlayingCommand: PlainCommand {
    var performanceOptions: PerformanceOptions { get }
    var deviceOptions: DeviceOptions { get }
    var clockOptions: ClockOptions { get }
    var standOptions: StandOptions { get }
    var practiceOptions: PracticeOptions { get }
    var notifyOptions: NotifyOptions { get }
    var setListOptions: SetListOptions { get }
    var serveOptions: ServeOptions { get }
}

extension PlayingCommand {
    /// Plays a score and those after it; with `serve`, on pages, too, which may choose others. Without a score, it waits
    /// until a page has chosen one, again and again. With `atTerminal`, at a terminal on a stand.
    func play(_ score: String?, serve: Bool, atTerminal: Bool) async throws {
        let session = try LiveSession.begin()
        defer { session.end() }
        let canWait = try (setListOptions.wait ?? LoadedSettings.get()[Setting.wait]) != false
        let pages = serve ? try LivePages(serveOptions, performanceOptions, canWait: canWait) : nil
        defer { pages?.end() }
        pages?.announce()
        var log: TimingLogFile?
        var options = performanceOptions
        var pieces = ([score].compactMap(\.self) + setListOptions.next).map { ScoreChoice.named($0) }[...]
        var isFirst = true
        while true {
            if pieces.isEmpty || pages?.shelf.hasChoice == true {
                // The pages go on after the last piece if they have chosen the first.
                guard let shelf = pages?.shelf, shelf.hasChoice || score == nil else { break }
                if !shelf.hasChoice {
                    let hint = localized("choose a score on the page, or drop one there; Ctrl-C ends")
                    StandardError.write(hint + "\n")
                }
                guard let choice = await shelf.choice() else { break }
                pieces = [choice]
            }
            guard let piece = pieces.popFirst() else { break }
            let goesOn = try await play(piece, options, session, pages, &log, isFirst: isFirst, atTerminal)
            options.passageOptions.forgetFirstScore()
            isFirst = false
            guard goesOn || pages?.shelf.hasChoice == true else { break }
        }
        try log?.finish()
    }

    /// Plays one score; returns whether to play the next one.
    private func play(
        _ score: ScoreChoice, _ options: PerformanceOptions, _ session: LiveSession, _ pages: LivePages?,
        _ log: inout TimingLogFile?, isFirst: Bool, _ atTerminal: Bool
    ) async throws -> Bool {
        let settings = try LoadedSettings.get()
        let waits = setListOptions.wait ?? settings[Setting.wait]
        // Another terminal can press the lap button, too, so a plan waits unless it must not.
        var (performance, run, page) = try options.performance(of: score, canWait: waits != false)
        try practiceOptions.apply(to: &performance)
        // On a page there is someone who can go on.
        performance.waits = waits ?? (LivePlay.hasKeys || pages != nil || run?.hasOpenEnds ?? false)
        let notes = PracticeNotes(score: score.name, workout: options.passageOptions.weekOptions.choice)
        var loop: Range<Int>?
        if setListOptions.resume {
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
        pages?.shelf.show(PlayedPiece(page, run, options.cueOptions))
        pages?.share(page, performance.passage)
        let (conductor, goesOn) = try await LivePlay.run(
            performance, output: output, sound: sound, as: .music(choices, run), options: conducting, session: session,
            notifies: try notifyOptions.isWanted, pages: pages, atTerminal: atTerminal)
        try cards.keep(await conductor.learnt, latency: clockOptions.latency)
        if let status = await conductor.status { try notes.keep(status) }
        if clockOptions.summary { printSummary(await conductor.xruns) }
        return goesOn
    }
}
