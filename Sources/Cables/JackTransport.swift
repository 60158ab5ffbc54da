internal import CJack
internal import Languages
package import Playback
package import Timing

/// Follows the transport of a JACK server: where it is, and the clock of the server. If the server goes away, the music goes on,
/// and follows again once there is one.
package actor JackTransport: Stepping {
    /// What the player asks of the transport.
    package enum Request: Sendable {
        case start, stop, toggle, rewind
    }

    package nonisolated let thread = OwnThread()
    private let performance: Performance
    private let begin: Duration
    private let say: @Sendable (Leader) -> Void
    private var connection: Connection?
    /// What was told last, and when to learn of the clock, and to look for a server, next (CLOCK_MONOTONIC, ns).
    private var told: LeaderMusic?
    private var (learnAt, lookAt) = (Int64.min, Int64.min)
    package var isOver = false

    /// How often the transport is read, which takes one load of memory.
    private static let look = Duration.milliseconds(5)
    /// How often it learns of the clock, in ns: at first, and after so many times.
    private static let (often, seldom, most) = (Int64(100_000_000), Int64(1_000_000_000), 50)

    package nonisolated var unownedExecutor: UnownedSerialExecutor { thread.executor }

    /// A client of a server, and what is known of it. Closed with its owner.
    ///
    /// @unchecked Sendable: the pointer is used by one actor.
    private final class Connection: @unchecked Sendable {
        let jack: OpaquePointer
        private var music: JackMusic
        private(set) var clock = LeaderClock()

        /// Errors: nil if there is no server, or no library.
        init?(_ performance: Performance, at begin: Duration) {
            guard let jack = cjack_open("barline") else { return nil }
            self.jack = jack
            // Sound that goes through ALSA to the same server is heard a period later than the pointer says.
            music = JackMusic(
                performance, at: begin, rate: Int(cjack_rate(jack)), late: -Int(cjack_period(jack)),
                now: cjack_now(jack).frame)
        }

        deinit { cjack_close(jack) }

        /// The music as it was found when the transport changed last.
        private var last: (transport: JackMusic.Transport, music: LeaderMusic)?

        /// The music as it is; the same as before if the transport has not changed.
        var place: LeaderMusic {
            let now = transport
            if let last, last.transport == now { return last.music }
            _ = music.take(cjack_now(jack).frame)
            let found = music.music(now)
            last = (now, found)
            return found
        }

        func learn() {
            let now = cjack_now(jack)
            let leader = music.take(now.frame)
            _ = clock.take(LeaderClock.Exchange(sent: now.time_ns, received: now.time_ns, leader: leader))
            clock.finish()
        }

        var transport: JackMusic.Transport {
            let now = cjack_read(jack)
            return now.rolls ? .rolling(ahead: now.frame) : .stopped(now.frame)
        }
    }

    /// Follows a server: the piece of the performance begins at a time of the transport. `say` is called with all that becomes
    /// known after `leader`. nil if there is no server. It takes a moment.
    package init?(_ performance: Performance, at begin: Duration, say: @escaping @Sendable (Leader) -> Void) async {
        guard let connection = Connection(performance, at: begin) else { return nil }
        for _ in 0..<10 {
            connection.learn()
            try? await Task.sleep(for: .milliseconds(20))
        }
        (self.performance, self.begin, self.say) = (performance, begin, say)
        let music = connection.place
        leader = Leader(music, connection.clock)
        (self.connection, told) = (connection, music)
    }

    /// What was known at the beginning.
    package nonisolated let leader: Leader

    /// Asks for something. From any thread.
    package nonisolated func ask(_ request: Request) {
        thread.call { self.assumeIsolated { $0.carryOut(request) } }
    }

    private func carryOut(_ request: Request) {
        guard let connection else { return }
        switch (request, connection.transport) {
        case (.start, _), (.toggle, .stopped): cjack_start(connection.jack)
        case (.stop, _), (.toggle, .rolling): cjack_stop(connection.jack)
        case (.rewind, _): cjack_locate(connection.jack, 0)
        }
    }

    /// Looks where the transport is, and tells what has changed.
    package func step() -> Duration? {
        guard !isOver else {
            connection = nil
            return nil
        }
        let now = monotonicNanoseconds()
        if let connection, cjack_is_gone(connection.jack) {
            let trouble = localized("JACK is gone: the music goes on by itself")
            if let told { say(Leader(told, connection.clock, trouble: trouble)) }
            (self.connection, lookAt) = (nil, now)
        }
        if connection == nil, now >= lookAt {
            connection = Connection(performance, at: begin)
            (learnAt, lookAt) = (now, now + JackTransport.seldom)
        }
        guard let connection else { return .nanoseconds(JackTransport.seldom) }
        let learns = now >= learnAt
        if learns {
            connection.learn()
            learnAt =
                now + (connection.clock.bursts < JackTransport.most ? JackTransport.often : JackTransport.seldom)
        }
        // A clock is known after some looks at it.
        guard connection.clock.bursts >= 5 else { return JackTransport.look }
        let music = connection.place
        if learns || music != told { say(Leader(music, connection.clock)) }
        told = music
        return JackTransport.look
    }
}
