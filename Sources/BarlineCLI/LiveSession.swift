internal import ArgumentParser
internal import Playback
internal import Screens
internal import Session
internal import Synchronization

/// The one live performance of a user, which other terminals can ask: begun before the sound, ended with it.
final class LiveSession: Sendable {
    private let conductor = Mutex<Conductor?>(nil)
    private let server = Mutex<SessionServer?>(nil)

    /// Begins the session.
    ///
    /// Where one is playing already, says so and offers to control that one: at a terminal by a key, elsewhere by the
    /// commands. Where the system has no place for sessions, plays without.
    static func begin() throws -> LiveSession {
        let session = LiveSession()
        guard let folder = SessionFolder(environment: Environment.values) else { return session }
        while true {
            do throws(SessionError) {
                let server = try SessionServer(folder) { [weak session] in await session?.answer($0) ?? "" }
                session.server.withLock { $0 = server }
                return session
            } catch {
                guard case .running = error else {
                    Failure.say("note: \(error); it cannot be stopped from elsewhere")
                    return session
                }
                guard try SessionOffer.isTaken(error, folder) else { throw ExitCode.success }
            }
        }
    }

    /// From now on requests are about this performance.
    func conduct(_ conductor: Conductor) { self.conductor.withLock { $0 = conductor } }

    /// Ends the session.
    func end() {
        server.withLock { server in
            server?.end()
            server = nil
        }
    }

    private func answer(_ request: SessionRequest) async -> String {
        guard let conductor = conductor.withLock({ $0 }) else { return "about to begin" }
        switch request {
        case .stop:
            StandardStream.end()
            await conductor.perform(.stop)
        case .pause: await conductor.perform(.togglePause)
        case .continue: return await conductor.goOn() ? "going on" : "playing already"
        case .status: return SessionText.line(await conductor.status, at: SessionText.now)
        case .statusJSON:
            return SessionText.json(await conductor.status, at: SessionText.now)
        }
        return request == .stop ? "stopped" : await conductor.isPaused ? "paused" : "going on"
    }
}
