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

    /// What has become of a request.
    package enum Answer: Sendable, Equatable {
        /// The server has been asked.
        case asked
        /// There is no server: the music alone stands still from now on, or goes on.
        case alone(isPaused: Bool)
    }

    /// What the transport is doing, for a sign of life.
    package enum Sign: Sendable, Equatable {
        case stands, rolls, isGone
    }

    /// The time that it lives in.
    package struct Time: Sendable {
        /// CLOCK_MONOTONIC in ns.
        package var now: @Sendable () -> Int64 = { monotonicNanoseconds() }
        package var wait: @Sendable (Duration) async -> Void = { try? await Task.sleep(for: $0) }

        package init() {}
    }

    package nonisolated let thread = OwnThread()
    private let performance: Performance
    private let begin: Duration
    private let time: Time
    private let open: @Sendable () -> (any JackClient)?
    private let isShared: @Sendable () -> Bool
    private var say: @Sendable (Leader) -> Void
    private let live: @Sendable (Sign) -> Void
    private var link: JackLink?
    /// The clock of the server that went away: that of the next one goes on from there.
    private var past: LeaderClock?
    /// What the sound card has to do before the next client may be opened, if sound goes through JACK, too.
    private var awaited = Awaited.nothing

    private enum Awaited {
        case nothing
        /// It is to notice that its server has gone away, and then to find the next one.
        case loss, recovery
    }
    /// What was told last, and when to learn of the clock, and to look for a server, next (CLOCK_MONOTONIC, ns).
    private var told: LeaderMusic?
    private var shown: (sign: Sign, at: Int64)?
    private var (learnAt, lookAt) = (Int64.min, Int64.min)
    /// The newest status of the music, and how much later than reported its sound is heard.
    private var (newest, latency) = (Status?.none, Duration.zero)
    package var isOver = false

    /// How often the transport is read, which takes one load of memory.
    private static let look = Duration.milliseconds(5)
    /// How often it learns of the clock, in ns: at first, and after so many times. A clock is known after the least number.
    private static let (often, seldom) = (Int64(100_000_000), Int64(1_000_000_000))
    private static let (least, most) = (5, 50)
    /// How long a change takes at least until it is heard.
    private static let leastDelay = Duration.milliseconds(50)
    private static var goneText: String { localized("JACK is gone: the music goes on by itself") }
    /// How often a sign of life is shown, in ns.
    private static let showing: Int64 = 500_000_000

    package nonisolated var unownedExecutor: UnownedSerialExecutor { thread.executor }

    /// Follows a server: the piece of the performance begins at a time of the transport. `say` is called with all that becomes
    /// known after `leader`, and `live` with each new sign of life, and twice a second. `open` opens a client of the running
    /// server. `isShared` says whether sound goes through JACK, too. nil if there is no server. It takes a moment.
    package init?(
        _ performance: Performance, at begin: Duration, time: Time = Time(),
        open: @escaping @Sendable () -> (any JackClient)? = { LibJack() },
        isShared: @escaping @Sendable () -> Bool = { LibJack.isShared },
        live: @escaping @Sendable (Sign) -> Void = { _ in }, say: @escaping @Sendable (Leader) -> Void = { _ in }
    ) async {
        guard let client = open() else { return nil }
        let link = JackLink(client, performance, at: begin, zero: 0)
        for _ in 0..<10 {
            link.learn()
            await time.wait(.milliseconds(20))
        }
        (self.performance, self.begin, self.time) = (performance, begin, time)
        (self.open, self.isShared, self.say, self.live) = (open, isShared, say, live)
        let music = link.place(delay: nil) { _, _ in false }
        leader = Leader(music, link.clock)
        (self.link, told) = (link, music)
    }

    /// What was known at the beginning.
    package nonisolated let leader: Leader

    /// Tells all that becomes known after `leader` by `say`, from now on. From any thread.
    package nonisolated func tell(_ say: @escaping @Sendable (Leader) -> Void) {
        thread.call { self.assumeIsolated { $0.say = say } }
    }

    /// Takes a status of the music, whose sound is heard so much later than reported. From any thread.
    package nonisolated func take(_ status: Status, latency: Duration) {
        thread.call { self.assumeIsolated { $0.see(status, latency: latency) } }
    }

    package func see(_ status: Status, latency: Duration) {
        (newest, self.latency) = (status, latency)
        watchCard()
    }

    private func watchCard() {
        switch (awaited, newest?.sound) {
        case (.loss, .lost): awaited = .recovery
        // Without a card, no sound goes through JACK.
        case (.loss, .silent): awaited = .nothing
        case (.recovery, .device): awaited = .nothing
        default: break
        }
    }

    /// Asks for something. From any thread.
    package nonisolated func ask(_ request: Request) {
        thread.call { self.assumeIsolated { _ = $0.carryOut(request) } }
    }

    /// Asks the server for something; without one, the music alone does it.
    package func carryOut(_ request: Request) -> Answer {
        guard let link else { return .alone(isPaused: goOnAlone(request)) }
        switch (request, link.rolls) {
        case (.start, _), (.toggle, false): link.client.start()
        case (.stop, _), (.toggle, true): link.client.stop()
        case (.rewind, _): link.client.locate(0)
        }
        return .asked
    }

    /// Pauses or goes on with the music that was told last, or moves it to its beginning. Returns whether it stands still then.
    private func goOnAlone(_ request: Request) -> Bool {
        guard var music = told, let past else { return false }
        // When a change can be heard, by the time of the music.
        let delay = max(newest.map { $0.commandDelay + latency } ?? .zero, JackTransport.leastDelay)
        let now = Duration.nanoseconds(Int64(past.leader(at: Double(time.now()))) - music.zero) + delay
        let wasPaused = music.paused != nil
        let isPaused =
            switch request {
            case .start: false
            case .stop: true
            case .toggle: !wasPaused
            case .rewind: wasPaused
            }
        guard isPaused != wasPaused || request == .rewind else { return isPaused }
        var position = music.paused ?? max(music.anchor.position(at: now), music.anchor.position)
        if let total = performance.passage.total { position = min(position, total - .nanoseconds(1)) }
        if request == .rewind { position = .zero }
        music.anchor = Anchor(time: now, position: position, speed: music.anchor.speed)
        (music.paused, music.effect) = (isPaused ? position : nil, now)
        told = music
        say(Leader(music, past, trouble: JackTransport.goneText))
        return isPaused
    }

    /// Looks where the transport is, and tells what has changed.
    package func step() -> Duration? {
        guard !isOver else {
            link = nil
            return nil
        }
        let now = time.now()
        if let link, link.client.isGone {
            if let told { say(Leader(told, link.clock, trouble: JackTransport.goneText)) }
            (past, self.link, lookAt) = (link.clock, nil, now)
            // libjack would delete the client that the sound goes through.
            if isShared() { awaited = .loss }
            watchCard()
            show(.isGone, at: now)
        }
        if link == nil, awaited == .nothing, now >= lookAt {
            let zero = past.map { Int64($0.leader(at: Double(now))) } ?? 0
            link = open().map { JackLink($0, performance, at: begin, zero: zero) }
            (learnAt, lookAt) = (now, now + JackTransport.seldom)
        }
        guard let link else { return .nanoseconds(JackTransport.seldom) }
        let learns = now >= learnAt
        if learns {
            link.learn()
            learnAt = now + (link.clock.bursts < JackTransport.most ? JackTransport.often : JackTransport.seldom)
        }
        guard link.clock.bursts >= JackTransport.least else { return JackTransport.look }
        let delay = newest.map { $0.commandDelay + latency }
        let music = link.place(delay: delay) { music, begins in
            guard let newest, let delay else { return false }
            return newest.anchor == music.anchor && newest.pause == nil && now + Int64(delay / .nanoseconds(1)) < begins
        }
        if learns || music != told { say(Leader(music, link.clock)) }
        told = music
        show(link.rolls ? .rolls : .stands, at: now)
        return JackTransport.look
    }

    private func show(_ sign: Sign, at now: Int64) {
        if let shown, shown.sign == sign, now - shown.at < JackTransport.showing { return }
        shown = (sign, now)
        live(sign)
    }
}
