internal import CWeb
internal import Glibc
internal import Playback
internal import Synchronization
internal import Timing

/// The connection of a follower to its leader, on a thread of its own: it connects again whenever it was lost.
package final class LeaderLink: Sendable {
    /// Why there is no connection.
    package enum Trouble: Sendable, Equatable {
        /// The library is not installed; with its package.
        case noLibrary(String)
        /// Nobody answers at the address.
        case nobody
        /// The leader does not know the secret.
        case refused
    }

    private struct State {
        var talk: LeaderTalk
        var trouble: Trouble?
        var listener: (@Sendable (LeaderTalk.Knowledge) -> Void)?
        var isOver = false
    }

    /// Guards what is known of the leader: the thread of the connection learns it, the music and the screen ask.
    private let state: Mutex<State>
    private let address: LeaderAddress

    /// How often the connection is looked after, and the time for connecting and between tries.
    private static let (tick, patience, pause) = (Int32(50), Int32(4), UInt32(500_000))
    /// The longest message: the score of a piece.
    private static let longest = 64 << 20

    /// Begins to connect; the leader is told of which voices it plays the `part`. Nil if there is no thread for it.
    package init?(_ address: LeaderAddress, part: String = "") {
        self.address = address
        state = Mutex(State(talk: LeaderTalk(secret: address.secret, part: part)))
        var thread = pthread_t()
        let link = Unmanaged.passRetained(self)
        let status = pthread_create(
            &thread, nil,
            { link in
                guard let link else { return nil }
                Unmanaged<LeaderLink>.fromOpaque(link).takeRetainedValue().run()
                return nil
            }, link.toOpaque())
        guard status == 0 else {
            link.release()
            return nil
        }
        pthread_detach(thread)
    }

    /// What is known of the leader.
    package var known: LeaderTalk.Knowledge { state.withLock { $0.talk.known } }

    /// Why there is no connection; nil while there is, or before the first try has ended.
    package var trouble: Trouble? { state.withLock { $0.trouble } }

    /// Takes note of how many clicks have been lost, for the leader.
    package func lose(_ clicks: Int) { state.withLock { $0.talk.lost = clicks } }

    /// Calls `listener` with everything that is newly known, on the link's thread; nil for nobody.
    package func listen(_ listener: (@Sendable (LeaderTalk.Knowledge) -> Void)?) {
        state.withLock { $0.listener = listener }
    }

    /// Ends the connection, soon.
    package func end() { state.withLock { $0.isOver = true } }

    private func run() {
        while !state.withLock({ $0.isOver }) {
            let end = connect()
            change { state in
                let wasOpen = state.talk.known.lostSince == nil && state.talk.known.isWelcome
                state.talk.close(at: monotonicNanoseconds())
                switch end {
                case CWEB_VISIT_NO_LIBRARY: state.trouble = .noLibrary(String(cString: cweb_package()))
                case CWEB_VISIT_CLOSED where !wasOpen: state.trouble = .refused
                default: state.trouble = .nobody
                }
                return true
            }
            usleep(LeaderLink.pause)
        }
    }

    private func connect() -> cweb_visit_end {
        var visitor = cweb_visitor(
            context: Unmanaged.passUnretained(self).toOpaque(),
            due: { context, visit in
                guard let context, let visit else { return false }
                return Unmanaged<LeaderLink>.fromOpaque(context).takeUnretainedValue().due(visit)
            },
            received: { context, _, text, length in
                guard let context, let text else { return false }
                let link = Unmanaged<LeaderLink>.fromOpaque(context).takeUnretainedValue()
                return link.received(Array(UnsafeRawBufferPointer(start: text, count: length)))
            })
        return address.host.withCString { host in
            var settings = cweb_visit_settings(
                host: host, port: Int32(address.port), tick_ms: LeaderLink.tick, longest: LeaderLink.longest,
                patience_seconds: LeaderLink.patience)
            return cweb_visit_run(&settings, &visitor)
        }
    }

    private func due(_ visit: OpaquePointer) -> Bool {
        let now = monotonicNanoseconds()
        var said: [String]?
        change { state in
            guard !state.isOver else { return false }
            let hadNews = state.talk.known.backSince != nil
            said = state.talk.due(at: now)
            return hadNews && state.talk.known.backSince == nil
        }
        return said?.allSatisfy { cweb_visit_say(visit, $0, $0.utf8.count) } ?? false
    }

    private func received(_ text: [UInt8]) -> Bool {
        let now = monotonicNanoseconds()
        change { state in
            let isNew = state.talk.take(text, at: now)
            if state.talk.known.lostSince == nil { state.trouble = nil }
            return isNew
        }
        return true
    }

    /// Changes the state, and tells the listener if there is anything new.
    private func change(_ edit: (inout State) -> Bool) {
        let news = state.withLock { state in
            edit(&state) ? state.listener.map { ($0, state.talk.known) } : nil
        }
        if let (listener, known) = news { listener(known) }
    }
}
