internal import Playback
internal import Running
internal import Scores
internal import Screens
internal import Serving
internal import Synchronization

/// The pages in browsers that watch and control the performances of this program, one after the other.
final class LivePages: Sendable {
    private let server: PageServer
    private let playing = Playing()
    private let addresses: [String]

    /// Opens the server. Errors: a message with the exit code, if there is no library or port.
    ///
    /// `canWait` says whether intervals of a plan can last until the lap button.
    init(_ options: ServeOptions, canWait: Bool) throws {
        let choice = try options.settings()
        do throws(PageServerError) {
            server = try PageServer(choice.settings)
        } catch {
            throw Failure.exit(.noDevice, error)
        }
        let port = server.port
        addresses = choice.shown.map { "http://\($0):\(port)" }
        let stand = Stand()
        server.listen { [playing] request, status in
            guard let conductor = playing.conductor.withLock({ $0 }) else { return nil }
            do throws(TextError) {
                for command in try request.commands(on: stand, status, at: monotonicNanoseconds()) {
                    if command == .stop { StandardStream.end() }
                    conductor.send(command)
                }
                return nil
            } catch {
                return "\(error)"
            }
        }
        server.startPlans { [playing] plan in
            do throws(PlanError) { _ = try (canWait ? plan : plan.closed()).score() } catch { return "\(error)" }
            guard let conductor = playing.conductor.withLock({ $0 }) else { return nil }
            playing.started.withLock { $0 = plan }
            conductor.send(.stop)
            return nil
        }
    }

    /// The plan that a page has started in place of what was playing, once.
    func takeStarted() -> Plan? {
        playing.started.withLock { plan in
            defer { plan = nil }
            return plan
        }
    }

    /// Directs requests to this performance from now on; returns the screen that shows it on the pages.
    func conduct(_ conductor: Conductor, _ run: ShownRun?) -> PageScreen {
        playing.conductor.withLock { $0 = conductor }
        return PageScreen(server, run)
    }

    /// The addresses with their secrets, for the player alone.
    var announcement: String {
        addresses.map { address in
            """
            control:    \(address)\(server.path(mayControl: true))
            only watch: \(address)\(server.path(mayControl: false))

            """
        }.joined()
    }

    /// The first address that controls, for a line on the screen.
    var shortAnnouncement: String { addresses.first.map { "page: \($0)\(server.path(mayControl: true))" } ?? "" }

    /// Ends the server.
    func end() { server.end() }

    /// What is playing.
    private final class Playing: Sendable {
        let conductor = Mutex<Conductor?>(nil)
        /// The plan to play next.
        let started = Mutex<Plan?>(nil)
    }
}
