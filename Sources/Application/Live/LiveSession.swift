internal import Cables
internal import Languages
internal import Playback
internal import Scores
internal import Screens
internal import Session

/// The one live performance of a user, which other terminals can query and control, from before the sound to its end.
final class LiveSession: Sendable {
    /// What other terminals ask about and control.
    struct Playing: Sendable {
        let conductor: Conductor
        let words: any PieceWords
        let pages: LivePages?
        let hearing: LiveHearing?
        /// The signs of life of the cables at a moment.
        let cables: @Sendable (Moment, Int64) -> [CableSign]
        /// What the transport of JACK has made of a command; nil if the conductor gets it.
        let transport: @Sendable (Command) async -> JackTransport.Answer?
        /// Whether only a leader can carry out a command.
        let refuses: @Sendable (Command) -> Bool
        /// Whether another machine leads.
        let isLed: Bool
        /// The voice that is shown in place of the leading one; nil for none.
        let part: String?
    }

    private let now: NowPlaying
    private let server: SessionServer?

    private init(_ now: NowPlaying, _ server: SessionServer? = nil) { (self.now, self.server) = (now, server) }

    /// Begins the session.
    ///
    /// If another session is playing, says so and offers to control it: by keys at a terminal, otherwise by naming the
    /// commands. If the system has no folder for sessions, the performance cannot be controlled from elsewhere. With
    /// `following`, the machine there leads.
    static func begin(following leader: String? = nil) throws -> LiveSession {
        let now = NowPlaying(leader)
        guard let folder = SessionFolder(environment: Environment.values) else { return LiveSession(now) }
        while true {
            do throws(SessionError) {
                return LiveSession(
                    now,
                    try SessionServer(folder) { request throws(SessionError) in
                        try await now.answer(request)
                    })
            } catch {
                // It answers nothing, so there is nothing to offer.
                if error == .suspended {
                    throw Failure.exit(.busy, localized("another session is suspended; type fg in its terminal"))
                }
                guard case .running = error else {
                    Failure.say(localized("note: \(error); this session cannot be controlled from another terminal"))
                    return LiveSession(now)
                }
                guard try SessionOffer.isTaken(error, folder) else { throw ProgramEnd.success }
            }
        }
    }

    /// Directs requests to this performance from now on.
    func conduct(_ playing: Playing) async { await now.play(playing) }

    /// Nothing plays from now on until a score is chosen, on pages or by cables.
    func wait(for shelf: LiveShelf, _ pages: LivePages?, _ signs: CableSigns) async {
        await now.wait(for: shelf, pages, signs)
    }

    /// Nothing plays from now on until the leader's music begins; with what keeps it from being heard of, if anything does.
    func wait(forLeader leader: String, _ trouble: String?) async { await now.wait(forLeader: leader, trouble) }

    /// Music will begin: a score has been chosen and is read.
    func start() async { await now.start() }

    /// Whether another terminal has stopped it.
    var isStopped: Bool { get async { await now.isStopped } }

    /// Ends the session.
    func end() { server?.end() }
}

/// What plays now, and its answers to other terminals.
private actor NowPlaying {
    private enum Stage {
        case starting
        /// Until a page or another program has chosen a score.
        case choosing(LiveShelf, LivePages?, CableSigns)
        /// Until a leader plays music.
        case following(leader: String, trouble: String?)
        case playing(LiveSession.Playing)
    }

    private var stage: Stage
    /// Whether a stop came before there was anything to stop.
    private(set) var isStopped = false
    /// Whether a pause came before there was anything to pause.
    private var isPaused = false

    init(_ leader: String?) { stage = leader.map { .following(leader: $0, trouble: nil) } ?? .starting }

    func play(_ playing: LiveSession.Playing) async {
        stage = .playing(playing)
        // It does not run yet, so nothing can wait for these.
        if isStopped { return playing.conductor.send(.stop) }
        if isPaused, await playing.transport(.pause) == nil { playing.conductor.send(.pause) }
        isPaused = false
    }

    func start() { stage = .starting }

    func wait(for shelf: LiveShelf, _ pages: LivePages?, _ signs: CableSigns) {
        stage = .choosing(shelf, pages, signs)
        if isStopped { shelf.stopWaiting() }
    }

    func wait(forLeader leader: String, _ trouble: String?) { stage = .following(leader: leader, trouble: trouble) }

    func answer(_ request: SessionRequest) async throws(SessionError) -> String {
        if request == .stop {
            StandardStream.end()
            isStopped = true
        }
        switch stage {
        case .starting:
            switch request {
            case .stop: return localized("stopped")
            case .statusJSON: return StatusText.json(nil, at: StatusText.now)
            case .status: return localized("starting")
            case .pause, .continue:
                let wasPaused = isPaused
                isPaused = request == .pause && !wasPaused
                guard isPaused == wasPaused else {
                    return isPaused
                        ? localized("paused") : request == .pause ? localized("resumed") : localized("continued")
                }
                return localized("starting")
            }
        case .choosing(let shelf, let pages, let signs):
            switch request {
            case .stop:
                shelf.stopWaiting()
                return localized("stopped")
            case .statusJSON:
                return JSON.line(
                    [("state", "choosing")]
                        + StatusText.connections(signs.all, guests: pages?.guests, at: StatusText.now))
            case .status: return localized("waiting until a score is chosen")
            case .pause, .continue: throw .declined(localized("waiting until a score is chosen"))
            }
        case .following(let leader, let trouble):
            switch request {
            case .stop: return localized("stopped")
            case .statusJSON:
                return JSON.line([("state", "waiting"), ("left_s", .null), ("trouble", .text(orNull: trouble))])
            case .status: return trouble ?? localized("waiting for the music of \(leader)")
            case .pause, .continue: throw NowPlaying.onlyTheLeader
            }
        case .playing(let playing): return try await answer(request, of: playing)
        }
    }

    private static var onlyTheLeader: SessionError {
        .declined(localized("only the machine that leads can do that"))
    }

    private func answer(
        _ request: SessionRequest, of playing: LiveSession.Playing
    ) async throws(SessionError) -> String {
        let (conductor, words) = (playing.conductor, playing.words)
        switch request {
        case .stop:
            await conductor.perform(.stop)
            return localized("stopped")
        case .pause:
            if let instead = try await answer(to: .togglePause, of: playing) { return instead }
            await conductor.perform(.togglePause)
            return await conductor.isPaused ? localized("paused") : localized("resumed")
        case .continue:
            if let instead = try await answer(to: .resume, of: playing) { return instead }
            return await conductor.goOn() ? localized("continued") : localized("already playing")
        case .status:
            return StatusText.line(
                await conductor.status, words, isLed: playing.isLed, part: playing.part, at: StatusText.now)
        case .statusJSON:
            let (status, now) = (await conductor.status, StatusText.now)
            return StatusText.json(
                status, words, guests: playing.pages?.guests,
                cables: status.map { playing.cables($0.moment(at: now), now) } ?? [], tuner: playing.hearing?.tuner,
                part: playing.part, at: now)
        }
    }

    /// The answer to a command that the conductor does not get; nil if it gets it. Errors: nobody carries it out.
    private func answer(
        to command: Command, of playing: LiveSession.Playing
    ) async throws(SessionError) -> String? {
        if await playing.conductor.status?.isStopping == true { throw .declined(localized("stopping")) }
        let wasPaused = await playing.conductor.isPaused
        switch await playing.transport(command) {
        case .asked: return localized("JACK's transport has been asked")
        // JACK is gone.
        case .alone(isPaused: true): return localized("paused")
        case .alone where !wasPaused: return localized("already playing")
        case .alone: return command == .resume ? localized("continued") : localized("resumed")
        case nil: break
        }
        guard !playing.refuses(command) else { throw NowPlaying.onlyTheLeader }
        return nil
    }
}

/// Offers the user of a second `play` to control the first one.
enum SessionOffer {
    /// Asks what to do about the session that is playing. Returns whether the new session may begin in its place.
    static func isTaken(_ error: SessionError, _ folder: SessionFolder) throws -> Bool {
        guard StandardOutput.isInteractive else {
            throw Failure.exit(.busy, localized("\(error); `barline stop` ends it, `barline pause` pauses it"))
        }
        Failure.say("\(error)")
        StandardError.write(localized("p pause or resume   s stop   n stop it and play this   q quit") + "\n")
        return try HeldTerminal.key { key -> Bool? in
            switch key {
            case "p": StandardError.write(try ask(.pause, folder).printable + "\n")
            case "s": StandardError.write(try ask(.stop, folder).printable + "\n")
            case "n":
                _ = try ask(.stop, folder)
                StandardError.write(localized("waiting until it has ended; Ctrl-C quits") + "\n")
                do throws(SessionError) { try SessionClient.waitForEnd(folder) } catch {
                    if case .running(let status) = error {
                        throw Failure.exit(.busy, localized("the other one does not end: \(status)"))
                    }
                    throw Failure.exit(.busy, error)
                }
                return true
            case "q": break
            default: return nil
            }
            return false
        } ?? false
    }

    private static func ask(_ request: SessionRequest, _ folder: SessionFolder) throws -> String {
        do throws(SessionError) {
            return try SessionClient.ask(request, folder)
        } catch .declined(let reason) {
            return reason
        } catch .none {
            return localized("it has ended")
        } catch {
            throw Failure.exit(.noDevice, error)
        }
    }
}
