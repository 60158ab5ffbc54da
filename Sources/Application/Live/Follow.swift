internal import Formats
internal import Languages
internal import Playback
package import Scores
internal import Screens
internal import Serving
internal import Session
internal import Timing
package import UserSettings

/// The machine that is followed, and how its music sounds on this one. `follow` carries it out.
package struct FollowRequest: OptionRequest {
    package var options = OptionValues()
    /// The address that the leader prints, with its secret.
    package var host: String
    /// The voices whose clicks are heard; nil for all.
    package var part: String?
    package var drone: DroneChoice?
    package var droneSound = PropertyChanges<Score.Drone>()
    package var cues = CueRequest()
    package var clicks = ClickRequest()
    package var device = DeviceRequest()
    package var timecode = TimecodeRequest()
    package var stand = StandRequest()
    /// The path of the timing log.
    package var timingLog: String?
    /// Whether a summary of the timing is printed at the end.
    package var summary = false
    /// Whether a user at a terminal has the stand and its keys.
    package var atTerminal = false

    package init(_ host: String) { self.host = host }
}

extension FollowRequest {
    /// Follows the leader, piece by piece, until it ends. Errors: `ProgramEnd`, whose reason has been told.
    package func follow() async throws {
        StandardStream.begin()
        try OutputFile.check([timingLog], read: wanted.files)
        let address = try Failure.exitOnError(.usage) { try LeaderAddress(host) }
        if part == nil, let voice = address.voice {
            var request = self
            request.part = voice
            return try await request.follow()
        }
        let signs = CableSigns()
        let cables = try LiveCables(self.cables, signs)
        let session = try LiveSession.begin(following: place)
        defer { session.end() }
        let log = try timingLog.map { try TimingLogFile($0) }
        try device.check()
        let leader = FollowedLeader()
        let link = LeaderLink(address, GuestReport(voice: part ?? "")) { known, trouble in
            ControlLoop.shared.call(leader) { $0.take(known, trouble) }
        }
        guard let link else {
            throw Failure.exit(.noDevice, localized("there is no thread for the network"))
        }
        defer { link.end() }
        StandardError.write(localized("following \(address.host):\(address.port)") + "\n")
        var played: (piece: Int, timeline: Timeline)?
        var prompt: StandChoices.Prompt?
        while let piece = try await next(after: played, leader, session) {
            let timeline = try await play(
                piece, isFirst: played == nil, leader, link, session, cables, signs, log, &prompt)
            guard let timeline else { break }
            played = (piece.piece, timeline)
        }
        await cables?.end()
        try log?.finish()
    }

    /// The cables of the settings.
    private var cables: CableRequest {
        var cables = CableRequest()
        cables.options = options
        return cables
    }

    /// A piece of the leader.
    private struct Piece {
        var piece: Int
        var score: [UInt8]
        /// The text of the plan that it is; empty for none.
        var plan: String
        /// The scale of a Scala file; nil for a temperament.
        var scale: Tuning.Scale?
        var leader: Leader
    }

    /// Waits for a piece; nil if there will be none, because the leader has ended, or the user or another terminal has stopped
    /// this session. Once the leader has let this follower in, it waits as long as there is no network: the leader may go on
    /// meanwhile. A piece that came to its end here alone is joined again if the leader, which has paused it or gone back, still
    /// plays it.
    private func next(
        after played: (piece: Int, timeline: Timeline)?, _ leader: FollowedLeader, _ session: LiveSession
    ) async throws -> Piece? {
        let interrupt = Interrupt()
        let signals = Signals.handle(Signals.endings) { _ in interrupt.come() }
        defer { signals.cancel() }
        let begin = monotonicNanoseconds()
        var (hasToldOfWait, isToldLost) = (false, false)
        await session.wait(forLeader: place, nil)
        while true {
            let ((known, trouble), now) = (await leader.news, monotonicNanoseconds())
            if await session.isStopped || interrupt.hasCome { return nil }
            if known.hasLeft {
                if played == nil { StandardError.write(localized("\(place) has ended") + "\n") }
                return nil
            }
            if known.isEnough, let piece = known.piece, let music = known.music,
                goesOn(music, known.clock, played?.piece == piece.number ? played?.timeline : nil, now)
            {
                return Piece(
                    piece: piece.number, score: piece.score, plan: piece.plan, scale: piece.scale,
                    leader: Leader(music, known.clock, trouble: FollowRequest.trouble(known, trouble)))
            }
            let waited = Duration.nanoseconds(now - begin)
            switch trouble {
            case nil: break
            case .nobody where known.isWelcome || waited < .seconds(5): break
            case .unanswered where known.isWelcome || waited < .seconds(5): break
            case .some(let trouble): throw failure(trouble)
            }
            let isLost = known.isWelcome && known.lostSince != nil
            if isLost != isToldLost {
                isToldLost = isLost
                let sentence =
                    isLost
                    ? localized(
                        "no network since \(FollowRequest.wallClock(known.lostSince ?? now)): waiting for the music of \(place)"
                    )
                    : FollowRequest.network(known, trouble)
                if let sentence { StandardError.write(sentence + "\n") }
                await session.wait(forLeader: place, isLost ? sentence : nil)
            }
            if known.isWelcome, !isLost, waited > .seconds(4), !hasToldOfWait, played == nil {
                StandardError.write(localized("waiting for the music of \(place); Ctrl-C ends") + "\n")
                hasToldOfWait = true
            }
            try await Task.sleep(for: .milliseconds(30))
        }
    }

    /// Whether the music goes on; if this machine has played it to its end on this timeline, for a second at least.
    private func goesOn(_ music: LeaderMusic, _ clock: LeaderClock, _ played: Timeline?, _ now: Int64) -> Bool {
        guard let played else { return !music.hasEnded }
        return !music.isOver(at: clock.leader(at: Double(now)) + 1e9, of: played)
    }

    /// The host and port of the leader.
    private var place: String { (try? LeaderAddress(host)).map { "\($0.host):\($0.port)" } ?? host }

    private func failure(_ trouble: LeaderLink.Trouble) -> ProgramEnd {
        let place = self.place
        let message =
            switch trouble {
            case .noLibrary(let package):
                localized("following needs the library \(package); `apt install \(package)` installs it")
            case .nobody:
                localized(
                    "nobody serves at \(place); start `barline serve --lan` there, and give the address it prints")
            case .unanswered:
                localized(
                    """
                    \(place) takes no followers: perhaps it has too many connections, or it does not know this address, which \
                    `barline serve --proxy \(place)` adds there
                    """)
            case .refused: localized("the secret is not that of \(place), which has a new one each time it starts")
            }
        return Failure.exit(.noDevice, message)
    }

    /// Plays a piece; returns its timeline, or nil if there is no other to wait for.
    private func play(
        _ piece: Piece, isFirst: Bool, _ leader: FollowedLeader, _ link: LeaderLink, _ session: LiveSession,
        _ cables: LiveCables?, _ signs: CableSigns, _ log: TimingLogFile?, _ prompt: inout StandChoices.Prompt?
    ) async throws -> Timeline? {
        var performance = try performance(piece, isFirst: isFirst)
        let words = words(piece.plan)
        if words.plan != nil { performance.countsPasses = true }
        // The header shows the bars, the time and the speed that the leader plays.
        performance.follow(piece.leader.music)
        performance.speed = piece.leader.music.anchor.speed
        try timecode.apply(toFollower: &performance, self.cables)
        let (output, sound) = try device.open(for: &performance, cues, timecode)
        let cards = CardNotes(sound)
        var clock = ClockRequest()
        clock.options = self.options
        var options = try clock.options(card: cards.entry, log: log, isFirst: true, cues)
        log?.begin()
        options.pausesOnSuspend = false
        options.leader = piece.leader
        cables?.listen(to: &options)
        defer { leader.listen(nil) }
        var choices = try stand.choices()
        choices.part = part?.listed.first(where: performance.passage.timeline.voices.map(\.name).contains)
        (choices.isLed, choices.prompt) = (true, prompt?.inNextPiece)
        choices.carriesTimecode = try timecode.isCarried(performance)
        let (conductor, goesOn, typed) = try await LivePlay.run(
            performance, output: output, sound: sound, as: .following(choices, words), options: options,
            session: session, cables: cables, signs: signs, atTerminal: atTerminal
        ) { conductor in
            leader.listen { known, trouble in
                guard known.piece?.number == piece.piece else { return conductor.send(.stop) }
                Task { if let lost = await conductor.status?.lostClicks { link.lose(Int(clamping: lost)) } }
                guard let music = known.music else { return }
                conductor.follow(Leader(music, known.clock, trouble: FollowRequest.trouble(known, trouble)))
            }
        }
        prompt = typed
        try cards.keep(await conductor.learnt, latency: self[Setting.latency] ?? nil)
        if summary { StandardOutput.say(await conductor.summary.text) }
        let known = await leader.known
        guard !StandardStream.isEnding else { return nil }
        let awaits = goesOn || known.music?.hasEnded ?? false || known.piece?.number != piece.piece
        return awaits ? performance.passage.timeline : nil
    }

    /// The performance of a leader's score, with the options and settings of this machine.
    private func performance(_ piece: Piece, isFirst: Bool) throws -> Performance {
        let bytes = try part.map { try FollowRequest.part($0, of: piece.score, isFirst: isFirst) } ?? piece.score
        var wanted = self.wanted
        let found = LoadedScore.find(
            bytes, name: FollowRequest.scoreName, folder: nil, wanted.passage.reading())
        if let score = found.document.score {
            wanted.tuning = TuningRequest(of: score, piece.scale)
            // The notes of a drone of its own are those of its own instrument.
            if drone != nil { wanted.tuning.instrument = nil }
        }
        return try wanted.performance(of: .found(found)).performance
    }

    /// The words of a piece: those of runners for a plan.
    private func words(_ plan: String) -> any PieceWords {
        guard !plan.isEmpty else { return ScoreWords() }
        var choice = LoadedScore.Choice(format: .plan)
        choice.gaps.canWait = true
        let found = LoadedScore.find(Array(plan.utf8), name: FollowRequest.scoreName, folder: nil, choice)
        guard var words = found.words as? RunWords else { return found.words }
        words.isLed = true
        return words
    }

    /// How a piece sounds on this machine.
    private var wanted: PerformanceRequest {
        var wanted = PerformanceRequest()
        wanted.passage.reading.format = .yaml
        // The leader counts in.
        wanted[Setting.countInOnJumps] = false
        (wanted.drone, wanted.droneSound, wanted.cues, wanted.clicks) = (drone, droneSound, cues, clicks)
        return wanted
    }

    /// What messages call the score.
    private static let scoreName = localized("the score of the other machine")

    /// The score with the clicks of some voices only. All voices stay, so that every machine counts the same bars. A later
    /// piece may lack some of the voices; one that has none of them is heard as it is.
    private static func part(_ names: String, of bytes: [UInt8], isFirst: Bool) throws -> [UInt8] {
        let name = scoreName
        guard var score = Score.read(bytes, file: name, format: .yaml).score else {
            throw Failure.exit(
                .badData, localized("\(name) cannot be read; both machines need the same version of Barline"))
        }
        let wanted =
            isFirst
            ? try score.voices("--part", names, alone: localized("--part: the score has only one voice"))
            : names.listed.filter(score.voiceNames.contains)
        guard !wanted.isEmpty else {
            Failure.say(localized("note: this piece has no voice '\(names)': all of it is heard"))
            return bytes
        }
        func mute(_ voice: inout Score.VoiceMark) {
            if !wanted.contains(voice.name) { voice.click.isSilent = true }
            // The own card has channels of its own.
            voice.channel = nil
        }
        mute(&score.voice)
        for index in score.companions.indices { mute(&score.companions[index].voice) }
        let played = PlayedScore(score, passage: Passage(Timeline(score)), speed: .asWritten)
        return try Failure.exitOnError(.badData) { try Format.yaml.write(played).bytes }
    }

    /// The sentence about the network that screens show; nil while it works, and once the leader has ended the music: then its
    /// program may end, too.
    private static func trouble(_ known: LeaderTalk.Knowledge, _ trouble: LeaderLink.Trouble?) -> String? {
        known.music?.hasEnded == true ? nil : network(known, trouble)
    }

    /// The same, whatever the music does.
    private static func network(_ known: LeaderTalk.Knowledge, _ trouble: LeaderLink.Trouble?) -> String? {
        if let lost = known.lostSince {
            return trouble == .refused
                ? localized("the leader has a new secret: following on its own since \(wallClock(lost))")
                : localized("no network: following on its own since \(wallClock(lost))")
        }
        return known.backSince.map { localized("the network is back since \(wallClock($0))") }
    }

    /// The time of day at a time of CLOCK_MONOTONIC in ns, such as `20:15:03`.
    private static func wallClock(_ time: Int64) -> String {
        LocalTime(secondsSince1970: Int((time + wallClockOffset()) / 1_000_000_000)).clock
    }
}

/// What is known of a leader. It belongs to the control loop.
private actor FollowedLeader {
    private(set) var known = LeaderTalk.Knowledge()
    /// Why there is no connection; nil while there is, or before the first try has ended.
    private(set) var trouble: LeaderLink.Trouble?
    private var listener: Listener?
    /// What is known at one moment, and why there is no connection then.
    var news: (known: LeaderTalk.Knowledge, trouble: LeaderLink.Trouble?) { (known, trouble) }
    typealias Listener = @Sendable (LeaderTalk.Knowledge, LeaderLink.Trouble?) -> Void

    nonisolated var unownedExecutor: UnownedSerialExecutor { ControlLoop.shared.asUnownedSerialExecutor() }

    func take(_ known: LeaderTalk.Knowledge, _ trouble: LeaderLink.Trouble?) {
        if let told = known.told, told.at != self.known.told?.at {
            // A terminal that stops reading must not block the control loop.
            Task { StandardError.write(told.text.printable + "\n") }
        }
        (self.known, self.trouble) = (known, trouble)
        listener?(known, trouble)
    }

    /// Calls `listener` with everything that is newly known, on the control loop; nil for nobody. From any thread.
    nonisolated func listen(_ listener: Listener?) {
        ControlLoop.shared.call(self) { $0.listener = listener }
    }
}
