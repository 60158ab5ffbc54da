internal import Languages
internal import Playback
internal import Scores
internal import Screens
internal import Session
internal import Synchronization

/// The one live performance of a user, which other terminals can query and control, from before the sound to its end.
final class LiveSession: Sendable {
    /// The signs of life of the cables at a moment.
    typealias Cables = @Sendable (Moment, Int64) -> [CableSign]

    private struct Playing {
        let conductor: Conductor
        let words: any PieceWords
        let pages: LivePages?
        let hearing: LiveHearing?
        let cables: Cables
    }

    private struct State {
        var playing: Playing?
        var server: SessionServer?
    }

    /// Guards what plays: other terminals ask on the control loop.
    private let state = Mutex(State())

    /// Begins the session.
    ///
    /// If another session is playing, says so and offers to control it: by keys at a terminal, otherwise by naming the
    /// commands. If the system has no folder for sessions, the performance cannot be controlled from elsewhere.
    static func begin() throws -> LiveSession {
        let session = LiveSession()
        guard let folder = SessionFolder(environment: Environment.values) else { return session }
        while true {
            do throws(SessionError) {
                let server = try SessionServer(folder) { [weak session] in await session?.answer($0) ?? "" }
                session.state.withLock { $0.server = server }
                return session
            } catch {
                // It answers nothing, so there is nothing to offer.
                if error == .suspended {
                    throw Failure.exit(.busy, localized("another session is suspended; type fg in its terminal"))
                }
                guard case .running = error else {
                    Failure.say(localized("note: \(error); this session cannot be controlled from another terminal"))
                    return session
                }
                guard try SessionOffer.isTaken(error, folder) else { throw ProgramEnd.success }
            }
        }
    }

    /// Directs requests to this performance, its words, its pages, what a microphone hears and its cables, from now on.
    func conduct(
        _ conductor: Conductor, _ words: any PieceWords, _ pages: LivePages?, _ hearing: LiveHearing?,
        _ cables: @escaping Cables
    ) {
        state.withLock {
            $0.playing = Playing(conductor: conductor, words: words, pages: pages, hearing: hearing, cables: cables)
        }
    }

    /// Ends the session.
    func end() {
        let server = state.withLock { state in
            defer { state.server = nil }
            return state.server
        }
        server?.end()
    }

    private func answer(_ request: SessionRequest) async -> String {
        guard let playing = state.withLock({ $0.playing }) else { return localized("starting") }
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
        guard Terminal.isInteractive else {
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
                // Its drone fades.
                try Failure.exitOnError(.busy) { try SessionClient.waitForEnd(folder) }
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
