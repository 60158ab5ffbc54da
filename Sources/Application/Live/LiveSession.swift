internal import Languages
internal import Playback
internal import Scores
internal import Screens
internal import Session

/// The one live performance of a user, which other terminals can query and control, from before the sound to its end.
final class LiveSession: Sendable {
    /// The signs of life of the cables at a moment.
    typealias Cables = @Sendable (Moment, Int64) -> [CableSign]

    private let now: NowPlaying
    private let server: SessionServer?

    private init(_ now: NowPlaying, _ server: SessionServer? = nil) { (self.now, self.server) = (now, server) }

    /// Begins the session.
    ///
    /// If another session is playing, says so and offers to control it: by keys at a terminal, otherwise by naming the
    /// commands. If the system has no folder for sessions, the performance cannot be controlled from elsewhere.
    static func begin() throws -> LiveSession {
        let now = NowPlaying()
        guard let folder = SessionFolder(environment: Environment.values) else { return LiveSession(now) }
        while true {
            do throws(SessionError) {
                return LiveSession(now, try SessionServer(folder) { await now.answer($0) })
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

    /// Directs requests to this performance, its words, its pages, what a microphone hears and its cables, from now on.
    func conduct(
        _ conductor: Conductor, _ words: any PieceWords, _ pages: LivePages?, _ hearing: LiveHearing?,
        _ cables: @escaping Cables
    ) async {
        await now.play((conductor, words, pages, hearing, cables))
    }

    /// Ends the session.
    func end() { server?.end() }
}

/// What plays now, and its answers to other terminals.
private actor NowPlaying {
    typealias Playing = (
        conductor: Conductor, words: any PieceWords, pages: LivePages?, hearing: LiveHearing?,
        cables: LiveSession.Cables
    )

    private var playing: Playing?

    func play(_ playing: Playing) { self.playing = playing }

    func answer(_ request: SessionRequest) async -> String {
        guard let playing else { return localized("starting") }
        let (conductor, words) = (playing.conductor, playing.words)
        switch request {
        case .stop:
            StandardStream.end()
            await conductor.perform(.stop)
        case .pause: await conductor.perform(.togglePause)
        case .continue: return await conductor.goOn() ? localized("continued") : localized("already playing")
        case .status: return StatusText.line(await conductor.status, words, at: StatusText.now)
        case .statusJSON:
            let (status, now) = (await conductor.status, StatusText.now)
            return StatusText.json(
                status, words, guests: playing.pages?.guests,
                cables: status.map { playing.cables($0.moment(at: now), now) } ?? [], tuner: playing.hearing?.tuner,
                at: now)
        }
        if request == .stop { return localized("stopped") }
        return await conductor.isPaused ? localized("paused") : localized("resumed")
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
        } catch .none {
            return localized("it has ended")
        } catch {
            throw Failure.exit(.noDevice, error)
        }
    }
}
