internal import ArgumentParser
internal import Formats
internal import Glibc
internal import Languages
internal import Playback
internal import Scores
internal import Serving
internal import Timing
internal import UserSettings

struct FollowCommand: AsyncParsableCommand, PlainCommand {
    static let configuration = CommandConfiguration(
        commandName: "follow",
        abstract: localized("Play what another machine plays, at the same time, on this machine's sound card."),
        discussion: localized(
            """
            The other machine runs `barline serve --lan`, which prints two addresses; either will do. This machine gets the \
            score, learns the other's clock, and corrects its own sound card: the clicks of both are heard together. \
            The other machine starts, pauses and jumps; sound and cues are this machine's own. Without the network, this \
            machine goes on by itself.

              barline follow 192.168.1.5:8573/#91f3…
              barline follow 192.168.1.5:8573/#91f3… --part flute --click-channels 2 --subdivide 2
            """))

    @Argument(help: .localized("The address that the other machine prints, with its secret after #."))
    var host: String

    @Option(
        help: .localized(
            "Only the clicks of these voices of the score, for example 'flute' or 'flute,harp'; the first one is shown.",
            valueName: "names"))
    var part: String?

    @Option(
        help: .localized("The drone: B4, Bb3, B4+14c, or off. Default: that of the score.", valueName: "notes"),
        transform: OptionText.drone)
    var drone: DroneChoice?

    @OptionGroup var droneOptions: DroneOptions
    @OptionGroup var cueOptions: CueOptions
    @OptionGroup var clickOptions: ClickOptions
    @OptionGroup var deviceOptions: DeviceOptions
    @OptionGroup var timecodeOptions: TimecodeOptions
    @OptionGroup var standOptions: StandOptions
    @OptionGroup var plainOptions: PlainOptions

    @Option(
        parsing: .unconditional,
        help: .localized(
            "The extra latency of the device, such as Bluetooth headphones; remembered for the device. Default: auto, "
                + "the remembered one.",
            valueName: "ms"), transform: { try OptionText.chosen($0, Setting.latency) })
    var latency: Chosen<Double>?

    @Option(
        help: .localized(
            "Write the time when each boundary was heard, by the other machine's clock, to this CSV file.",
            valueName: "file"), completion: .file())
    var timingLog: String?

    @Flag(help: .localized("Print a summary of the timing at the end."))
    var summary = false

    func run() async throws {
        let address = try Failure.exitOnError(.usage) { try LeaderAddress(host) }
        let session = try LiveSession.begin()
        defer { session.end() }
        guard let link = LeaderLink(address, part: part ?? "") else {
            throw Failure.exit(.noDevice, localized("there is no thread for the network"))
        }
        defer { link.end() }
        StandardError.write(localized("following \(address.host):\(address.port)") + "\n")
        var log: TimingLogFile?
        var played: Int?
        while let leader = try await next(after: played, link) {
            played = leader.piece
            guard try await play(leader, link, session, &log) else { break }
        }
        try log?.finish()
    }

    /// A piece of the leader.
    private struct Piece {
        var piece: Int
        var score: [UInt8]
        var leader: Leader
    }

    /// Waits for a piece; nil if there will be none, because the leader has ended.
    private func next(after played: Int?, _ link: LeaderLink) async throws -> Piece? {
        let begin = monotonicNanoseconds()
        var hasToldOfWait = false
        while true {
            let known = link.known
            if known.isEnough, let piece = known.piece, let music = known.music, piece.number != played, !music.hasEnded
            {
                return Piece(
                    piece: piece.number, score: piece.score,
                    leader: Leader(music, known.clock, trouble: FollowCommand.trouble(known)))
            }
            let waited = Duration.nanoseconds(monotonicNanoseconds() - begin)
            if let trouble = link.trouble {
                guard played == nil else { return nil }
                if case .nobody = trouble, waited < .seconds(5) {} else { throw failure(trouble) }
            }
            if known.isWelcome, waited > .seconds(4), !hasToldOfWait, played == nil {
                StandardError.write(localized("waiting for the music of \(host.prefix { $0 != "#" })") + "\n")
                hasToldOfWait = true
            }
            try await Task.sleep(for: .milliseconds(30))
        }
    }

    private func failure(_ trouble: LeaderLink.Trouble) -> ExitCode {
        let place = host.prefix { $0 != "#" }
        let message =
            switch trouble {
            case .noLibrary(let package):
                localized("following needs the library \(package); `apt install \(package)` installs it")
            case .nobody:
                localized(
                    "nobody serves at \(place); start `barline serve --lan` there, and give the address it prints")
            case .refused: localized("the secret is not that of \(place), which has a new one each time it starts")
            }
        return Failure.exit(.noDevice, message)
    }

    /// Plays a piece; returns whether to wait for another one.
    private func play(
        _ piece: Piece, _ link: LeaderLink, _ session: LiveSession, _ log: inout TimingLogFile?
    ) async throws -> Bool {
        var performance = try performance(piece.score)
        try timecodeOptions.apply(toFollower: &performance)
        // Without a leader, or with a score that cannot be played, an old log stays as it is.
        if log == nil { log = try timingLog.map { try TimingLogFile($0) } }
        let (output, sound) = try deviceOptions.open(
            for: performance.passage.timeline, with: performance.linearTimecode == nil ? nil : timecodeOptions)
        performance.speaker = cueOptions.speaker(performance.cues.speech, rate: output.rate, waits: false)
        if let card = output as? Card { card.use(try cueOptions.shapes(rate: card.rate)) }
        let cards = CardNotes(sound)
        var clock = try ClockOptions.parse([])
        clock.latency = latency
        var (options, printSummary) = try clock.options(card: cards.entry, log: log, isFirst: true)
        options.pausesOnSuspend = false
        options.leader = piece.leader
        defer { link.listen(nil) }
        var choices = try standOptions.choices()
        choices.part = part?.listed.first
        choices.carriesTimecode = performance.linearTimecode != nil
        let (conductor, goesOn) = try await LivePlay.run(
            performance, output: output, sound: sound, as: .following(choices), options: options, session: session
        ) { conductor in
            link.listen { known in
                guard known.piece?.number == piece.piece else { return conductor.send(.stop) }
                Task { if let lost = await conductor.status?.lostClicks { link.lose(Int(clamping: lost)) } }
                guard let music = known.music else { return }
                conductor.follow(Leader(music, known.clock, trouble: FollowCommand.trouble(known)))
            }
        }
        try cards.keep(await conductor.learnt, latency: latency?.value)
        if summary { printSummary(await conductor.xruns) }
        return goesOn || link.known.music?.hasEnded ?? false || link.known.piece?.number != piece.piece
    }

    /// The performance of a leader's score, with the options and settings of this machine.
    private func performance(_ score: [UInt8]) throws -> Performance {
        let bytes = try part.map { try FollowCommand.part($0, of: score) } ?? score
        var options = try PerformanceOptions.parse([])
        options.passageOptions.inputOptions.format = Format.yaml
        (options.drone, options.droneOptions, options.cueOptions) = (drone, droneOptions, cueOptions)
        options.clickOptions = clickOptions
        let found = LoadedScore.find(
            bytes, name: FollowCommand.scoreName, folder: nil, options.passageOptions.reading())
        return try options.performance(of: .found(found)).performance
    }

    /// What messages call the score.
    private static let scoreName = localized("the score of the other machine")

    /// The score with the clicks of some voices only. All voices stay, so that every machine counts the same bars.
    private static func part(_ names: String, of bytes: [UInt8]) throws -> [UInt8] {
        let name = scoreName
        guard var score = Score.read(bytes, file: name, format: .yaml).score else {
            throw Failure.exit(
                .badData, localized("\(name) cannot be read; both machines need the same version of Barline"))
        }
        let wanted = names.listed
        let known = score.voiceNames
        guard !known.isEmpty else { throw Failure.exit(.usage, localized("--part: the score has only one voice")) }
        for name in wanted where !known.contains(name) {
            let all = known.joined(separator: ", ")
            throw Failure.exit(.usage, localized("--part: there is no voice '\(name)'; the score has \(all)"))
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

    /// What the player is told about the network; nil if all is well.
    private static func trouble(_ known: LeaderTalk.Knowledge) -> String? {
        if let lost = known.lostSince { return localized("no network: following on its own since \(wallClock(lost))") }
        return known.backSince.map { localized("the network is back since \(wallClock($0))") }
    }

    /// The time of day at a time of CLOCK_MONOTONIC in ns, such as `20:15:03`.
    private static func wallClock(_ time: Int64) -> String {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        let past = Int(now.tv_nsec) - Int(monotonicNanoseconds() - time)
        return LocalTime(secondsSince1970: now.tv_sec + Int((Double(past) / 1e9).rounded(.down))).clock
    }
}
