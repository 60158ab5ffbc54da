internal import Cables
internal import Languages
internal import Playback
internal import Synchronization
internal import Timing

/// A live performance that follows JACK's transport, as a follower follows its leader.
final class LiveJack: Sendable {
    private let transport: JackTransport
    private let running: Task<Void, Never>
    private let followed: Followed

    /// The conductor that follows.
    private final class Followed: Sendable {
        let conductor = Mutex<Conductor?>(nil)
    }

    /// Follows the transport; the piece begins at a time of it. Errors: no server runs.
    init(_ performance: Performance, at begin: Duration) async throws {
        let followed = Followed()
        let transport = await JackTransport(performance, at: begin) { leader in
            followed.conductor.withLock { $0 }?.follow(leader)
        }
        guard let transport else {
            throw Failure.exit(
                .noDevice, localized("--jack-transport: no JACK server runs, or the library libjack.so.0 is missing"))
        }
        (self.followed, self.transport) = (followed, transport)
        running = Task { await transport.run() }
    }

    /// Follows with a performance.
    func listen(to options: inout Conductor.Options) {
        options.leader = transport.leader
        options.pausesOnSuspend = false
    }

    func conduct(_ conductor: Conductor) { followed.conductor.withLock { $0 = conductor } }

    /// Asks the transport for what a key wants; false if it cannot do that.
    @Sendable func takes(_ command: Command) -> Bool {
        switch command {
        case .togglePause: transport.ask(.toggle)
        case .pause: transport.ask(.stop)
        case .resume: transport.ask(.start)
        case .firstBar: transport.ask(.rewind)
        default: return false
        }
        return true
    }

    func end() async {
        transport.end()
        await running.value
    }
}
