internal import Languages
internal import Playback
internal import Scores
internal import Screens
internal import Timing
package import UserSettings

/// What is played live, and how: the pieces of a set list one after the other, or what pages and other programs choose.
///
/// `play` carries it out.
package struct PlayRequest: OptionRequest {
    package var options = OptionValues()
    /// The first score: a file, the name of a score, or `-`; nil if a page chooses it.
    package var score: String?
    /// The scores that are played afterwards.
    package var next: [String] = []
    /// How the pieces sound.
    package var performance = PerformanceRequest()
    /// How they are practiced.
    package var practice = PracticeRequest()
    /// Whether it goes on where the score was left.
    package var resume = false
    package var device = DeviceRequest()
    package var timecode = TimecodeRequest()
    package var cables = CableRequest()
    package var clock = ClockRequest()
    package var stand = StandRequest()
    package var record = RecordRequest()
    /// Where pages for browsers are served; nil for nowhere.
    package var pages: ServeRequest?
    /// Whether a user at a terminal has the stand and its keys; otherwise, even a terminal gets lines of text.
    package var atTerminal = false

    package init(_ score: String?) { self.score = score }
}

extension PlayRequest {
    /// Plays the pieces; with pages, on them, too, which may choose others. Without a score, it waits until a page has
    /// chosen one, again and again. Errors: `ProgramEnd`, whose reason has been told.
    package func play() async throws {
        StandardStream.begin()
        let scores = [score].compactMap(\.self) + next
        try OutputFile.refuse(clock.timingLog, as: scores.map(LoadedScore.path)) {
            localized("'\($0)' is the score: give the timing log another name")
        }
        if let take = record.record {
            for path in [take, Take.timingPath(of: take)] {
                try OutputFile.refuse(path, as: scores + [clock.timingLog]) { _ in
                    localized("'\(take)' is the score or the timing log: give the recording another name")
                }
            }
        }
        try OutputFile.check(written, read: performance.files)
        if record[Setting.input] != nil, record.record == nil, !record.listen {
            throw Failure.exit(
                .usage, localized("--input names the microphone: add --listen, or --record take.flac"))
        }
        try clock.check(isServed: pages != nil)
        let signs = CableSigns()
        let jack = try LiveJack.Wish(self.cables, isAlone: pages == nil && next.isEmpty)
        let cables = try LiveCables(self.cables, signs)
        let session = try LiveSession.begin()
        defer { session.end() }
        let log = try clock.timingLog.map { try TimingLogFile($0) }
        if score == nil { try device.check() }
        let settings = try LoadedSettings.get(options)
        let canWait = settings[Setting.wait] != false
        let pages = try self.pages.map { try LivePages($0, self, canWait: canWait) }
        defer { pages?.end() }
        pages?.announce()
        let shelf = pages?.shelf ?? shelf(of: cables, canWait: canWait)
        if let shelf { cables?.open(from: shelf) }
        defer { if pages == nil { shelf?.end() } }
        var later = performance
        later.passage.forgetFirstScore()
        // All of a set list is read before the first sound, so that no error comes in the middle of a concert.
        var pieces = try score.map { [try ReadyPiece(.named($0), performance, self)] } ?? []
        for next in next { pieces.append(try ReadyPiece(.named(next), later, self)) }
        var isFirst = true
        var failure: ProgramEnd?
        var prompt: StandChoices.Prompt?
        while true {
            if pieces.isEmpty || shelf?.hasChoice == true {
                // Pages go on after the last piece if they have chosen the first.
                guard let shelf, shelf.hasChoice || score == nil else { break }
                if !shelf.hasChoice {
                    await session.wait(for: shelf, pages, signs)
                    let hint = localized("choose a score on the page, or drop one there; Ctrl-C ends")
                    StandardError.write(hint + "\n")
                }
                guard let choice = await shelf.choice() else { break }
                await session.start()
                pieces = [choice]
            }
            let piece = pieces.removeFirst()
            let (goesOn, worth) = try await play(
                piece, session, pages, shelf, cables, signs, jack, log, &failure, &prompt, isFirst: isFirst,
                isLast: pieces.isEmpty && score != nil)
            isFirst = false
            if pieces.isEmpty, pages == nil, atTerminal, !worth.isEmpty, !StandardStream.isEnding,
                let again = piece.practicing(worth), WorthPracticing.isWanted()
            {
                pieces = [again]
                continue
            }
            // After a key or a signal that ends the music, nothing else begins, whatever a page has chosen meanwhile.
            guard goesOn || shelf?.hasChoice == true, !StandardStream.isEnding else { break }
        }
        if let text = prompt?.text, !text.isEmpty {
            Failure.say(localized("note: the music ended before '\(text)' was entered"))
        }
        await cables?.end()
        try log?.finish()
        if let failure { throw failure }
    }

    /// The files that it writes; nil for one that is not wanted.
    var written: [String?] {
        [clock.timingLog, record.record, record.record.map(Take.timingPath)]
    }

    /// The scores that other programs may choose by a cable, without pages; nil if none can.
    private func shelf(of cables: LiveCables?, canWait: Bool) -> LiveShelf? {
        guard let cables, cables.canOpen else { return nil }
        return LiveShelf(self, canWait: canWait) { _, _ in }
    }

    /// Plays one score; returns whether to play the next one, and the bars worth practicing if it was played to its end. A
    /// recording that is not whole is a failure, which is told once all else is kept.
    private func play(
        _ piece: ReadyPiece, _ session: LiveSession, _ pages: LivePages?, _ shelf: LiveShelf?,
        _ cables: LiveCables?, _ signs: CableSigns, _ wish: LiveJack.Wish?, _ log: TimingLogFile?,
        _ failure: inout ProgramEnd?, _ prompt: inout StandChoices.Prompt?, isFirst: Bool, isLast: Bool
    ) async throws -> (goesOn: Bool, worth: [Int]) {
        var performance = piece.performance
        let (words, wanted) = (piece.words, piece.wanted)
        // On a page there is someone who can go on.
        performance.waits = piece.waits ?? (LivePlay.hasKeys || pages != nil || words.hasOpenEnds)
        let notes = PracticeNotes(of: piece.source, named: piece.name, workout: wanted.passage.reading.workout)
        var practiced = piece.practiced
        if resume {
            let left = notes.resume(
                &performance, practicing: practiced, keepsPlace: wanted.passage.from != nil,
                keepsSpeed: wanted.passage.speed != nil,
                keepsLoop: wanted.passage.times != nil || wanted.passage.to != nil || practice.program != nil)
            practiced = left.map { Passage(performance.passage.timeline, bars: $0, passes: nil) } ?? practiced
        }
        // The transport plays the program, which no key ends.
        var led = performance
        if let practiced, practice.program != nil { led.practice(practiced) }
        let jack = try await wish?.follow(led, signs.jack)
        let cues = wanted.cues
        let (output, sound) = try device.open(for: &performance, cues, timecode)
        LiveCables.sayWhatIsNotSent(of: piece.score, by: cables)
        let cards = CardNotes(sound)
        var conducting = try clock.options(
            card: cards.entry, log: isFirst || pages != nil ? log : nil, isFirst: isFirst, cues)
        conducting.practiced = practiced
        conducting.tallies = true
        cables?.listen(to: &conducting)
        jack?.listen(to: &conducting)
        let hearing = record.listen ? LiveHearing(Tuner.Setting(performance)) : nil
        let path = isFirst ? record.record : nil
        let take =
            path == nil && hearing == nil
            ? nil : try LiveTake(path, hearing: hearing, input: record.device, output: sound)
        take?.listen(to: &conducting)
        hearing?.listen(to: &conducting)
        var choices = try stand.choices()
        choices.listens = hearing != nil
        (choices.hasNext, choices.prompt) = (!isLast, prompt?.inNextPiece)
        // The picture hides what was printed before.
        choices.message = pages?.shortAnnouncement ?? ""
        choices.carriesTimecode = try timecode.isCarried(performance)
        choices.invitations = pages?.invitations(voices: performance.passage.timeline.voices.map(\.name)) ?? []
        pages?.shelf.show(PlayedPiece(piece.score, words, cues))
        if isFirst { pages?.announce(voices: performance.passage.timeline.voices.map(\.name)) }
        pages?.share(piece.score, performance, words.plan)
        log?.begin()
        let kind = jack.map { LivePlay.Kind.following(choices, words, $0) } ?? .music(choices, words)
        let (conductor, goesOn): (Conductor, Bool)
        do {
            (conductor, goesOn, prompt) = try await LivePlay.run(
                performance, output: output, sound: sound, as: kind, options: conducting, session: session,
                notifies: try LoadedSettings.get(options)[Setting.notify], pages: pages, cables: cables,
                signs: signs, hearing: hearing, atTerminal: atTerminal,
                conducting: {
                    shelf?.conduct($0)
                    jack?.conduct($0)
                })
        } catch {
            await jack?.end()
            // The recording is kept, as far as it goes.
            _ = await take?.finish()
            throw error
        }
        await jack?.end()
        if let take {
            let code = await take.finish()
            failure = failure ?? code
        }
        try cards.keep(await conductor.learnt, latency: clock[Setting.latency] ?? nil)
        let status = await conductor.status
        if let status, let tally = await conductor.tally {
            try notes.keep(tally, status, hearing?.session(status.performance))
        }
        if clock.summary { StandardOutput.say(await conductor.summary.text) }
        return (goesOn, status?.ending == .complete ? status?.heard?.worth.map(\.bar) ?? [] : [])
    }
}
