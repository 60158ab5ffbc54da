internal import CWeb
internal import Glibc
internal import Playback
package import Screens
internal import Synchronization
internal import Timing

/// The connection of a follower to its leader, on a thread of its own: it connects again whenever it was lost.
package final class LeaderLink: Sendable {
    /// Why there is no connection.
    package enum Trouble: Sendable, Equatable {
        /// The library is not installed; with its package.
        case noLibrary(String)
        /// Nobody answers at the address, or the connection was lost.
        case nobody
        /// Somebody takes connections there, but does not answer as a leader.
        case unanswered
        /// The leader does not know the secret.
        case refused
    }

    fileprivate let isOver = Atomic(false)
    /// How many clicks have been lost.
    fileprivate let lost = Atomic(0)
    fileprivate let address: LeaderAddress
    fileprivate let report: GuestReport
    fileprivate let tell: @Sendable (LeaderTalk.Knowledge, Trouble?) -> Void

    /// Begins to connect; the leader is told the `report`. Whenever anything is new, it calls `tell` on its thread with all
    /// that is known of the leader, and with the reason why there is no connection (nil while there is one). Nil if there is
    /// no thread for it.
    package init?(
        _ address: LeaderAddress, _ report: GuestReport,
        tell: @escaping @Sendable (LeaderTalk.Knowledge, Trouble?) -> Void
    ) {
        (self.address, self.report, self.tell) = (address, report, tell)
        var thread = pthread_t()
        let link = Unmanaged.passRetained(self)
        let status = pthread_create(
            &thread, nil,
            { link in
                guard let link else { return nil }
                LeaderConnection(Unmanaged<LeaderLink>.fromOpaque(link).takeRetainedValue()).run()
                return nil
            }, link.toOpaque())
        guard status == 0 else {
            link.release()
            return nil
        }
        pthread_detach(thread)
    }

    /// Takes note of how many clicks have been lost, for the leader.
    package func lose(_ clicks: Int) { lost.store(clicks, ordering: .relaxed) }

    /// Ends the connection, soon.
    package func end() { isOver.store(true, ordering: .relaxed) }
}

/// The connection itself, on the thread of its link.
private final class LeaderConnection {
    private let link: LeaderLink
    private var talk: LeaderTalk
    private var trouble: LeaderLink.Trouble?

    /// How often the connection is looked after, and the time for connecting and between tries.
    private static let (tick, patience, pause) = (Int32(50), Int32(4), UInt32(500_000))
    /// The longest message: the score of a piece.
    private static let longest = 64 << 20

    init(_ link: LeaderLink) {
        self.link = link
        talk = LeaderTalk(secret: link.address.secret, report: link.report)
    }

    private var isOver: Bool { link.isOver.load(ordering: .relaxed) }

    func run() {
        while !isOver {
            let end = connect()
            let wasOpen = talk.known.lostSince == nil && talk.known.isWelcome
            talk.close(at: monotonicNanoseconds())
            trouble =
                switch end {
                case CWEB_VISIT_NO_LIBRARY: .noLibrary(String(cString: cweb_package()))
                case CWEB_VISIT_REFUSED where !wasOpen: .refused
                case CWEB_VISIT_UNANSWERED: .unanswered
                default: .nobody
                }
            link.tell(talk.known, trouble)
            usleep(LeaderConnection.pause)
        }
    }

    private func connect() -> cweb_visit_end {
        var visitor = cweb_visitor(
            context: Unmanaged.passUnretained(self).toOpaque(),
            due: { context, visit in
                guard let context, let visit else { return false }
                return Unmanaged<LeaderConnection>.fromOpaque(context).takeUnretainedValue().due(visit)
            },
            received: { context, _, text, length in
                guard let context, let text else { return false }
                Unmanaged<LeaderConnection>.fromOpaque(context).takeUnretainedValue()
                    .receive(Array(UnsafeRawBufferPointer(start: text, count: length)))
                return true
            })
        return link.address.host.withCString { host in
            var settings = cweb_visit_settings(
                host: host, port: Int32(link.address.port), tick_ms: LeaderConnection.tick,
                longest: LeaderConnection.longest, patience_seconds: LeaderConnection.patience)
            return cweb_visit_run(&settings, &visitor)
        }
    }

    private func due(_ visit: OpaquePointer) -> Bool {
        guard !isOver else { return false }
        let hadNews = talk.known.backSince != nil
        talk.report.lost = link.lost.load(ordering: .relaxed)
        let said = talk.due(at: monotonicNanoseconds())
        if hadNews, talk.known.backSince == nil { link.tell(talk.known, trouble) }
        return said?.allSatisfy { cweb_visit_say(visit, $0, $0.utf8.count) } ?? false
    }

    private func receive(_ text: [UInt8]) {
        let isNew = talk.take(text, at: monotonicNanoseconds())
        if talk.known.lostSince == nil { trouble = nil }
        if isNew { link.tell(talk.known, trouble) }
    }
}
