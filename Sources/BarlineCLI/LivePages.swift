internal import Formats
internal import Playback
internal import Scores
internal import Screens
internal import Serving
internal import Synchronization
internal import Timing

/// The pages in browsers that watch and control the performances of this program, one after the other.
final class LivePages: Sendable {
    private let server: PageServer
    private let playing = Playing()
    private let addresses: [String]

    /// Opens the server. Errors: a message with the exit code, if there is no library or port.
    init(_ options: ServeOptions) throws {
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
    }

    /// Directs requests to this performance from now on; returns the screen that shows it on the pages.
    func conduct(_ conductor: Conductor, _ run: ShownRun?) -> PageScreen {
        playing.conductor.withLock { $0 = conductor }
        return PageScreen(server, run)
    }

    /// Gives followers the score that begins.
    func share(_ score: Score, _ passage: Passage) {
        guard let writing = try? ScoreFormat.yaml.write(PlayedScore(score, passage: passage, speed: .asWritten)) else {
            return
        }
        server.share(writing.bytes)
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
    }
}
