internal import Glibc
package import Timing

/// The one owner of a running performance: commands go in, status comes out.
///
/// It lives on a thread of its own, and wakes when something is to be done, when a command comes, and when the output has
/// news.
package actor Conductor {
    /// What the performance is doing, the newest only: a screen that is slow skips some, and delays nothing.
    package nonisolated let statuses: AsyncStream<Status>

    private let thread = OwnThread(isUrgent: true)
    private var live: LivePerformance
    private let publisher: AsyncStream<Status>.Continuation

    /// A thread of its own: nobody else's work keeps it waiting.
    package nonisolated var unownedExecutor: UnownedSerialExecutor { thread.executor }

    /// How a performance is conducted.
    package struct Options: Sendable {
        /// Whether boundaries go by the wall clock, or by the card's frames as if its rate were true.
        package var followsClock = true
        /// CLOCK_REALTIME in ns at which time zero is to be heard, whatever is done to that clock until then; nil for as soon
        /// as possible.
        package var start: Int64?
        /// CLOCK_REALTIME less CLOCK_MONOTONIC, in ns.
        package var wallClock: @Sendable () -> Int64 = wallClockOffset {
            didSet { hasOwnWallClock = true }
        }
        package private(set) var hasOwnWallClock = false
        /// How much later than the device says its sound is heard (Bluetooth): sound goes out earlier for a given
        /// start, and screens show later.
        package var latency = Duration.zero
        /// What is known of the card's rate from before: its deviation, and how sure that is.
        package var card: CardMemory.Entry?
        /// Whether the music stands still after the machine has slept.
        package var pausesOnSuspend = true
        /// The bars of the piece that are played again and again at first; nil for what was asked for.
        package var loop: Range<Int>?
        /// Called with a row for every boundary, in order, once it has been heard or lost.
        package var log: (@Sendable (TimingRow) -> Void)?
        /// Called with every boundary at its moment, in order, with what is known of it then: a click that is lost in that very
        /// moment counts as heard.
        package var heard: (@Sendable (HeardBoundary) -> Void)?
        /// Called with everything that takes effect, in order.
        package var trace: (@Sendable (Happening) -> Void)?
        /// Called with every status, in order, before the next thing is done.
        package var watch: (@Sendable (Status) -> Void)?

        /// Something that has taken effect, at a frame and its time after time zero.
        package enum Happening: Sendable {
            /// The music has its place in time, and nothing sounds before.
            case began(frame: Int64, time: Duration)
            /// A command.
            case command(Command, frame: Int64, time: Duration)
            /// A command that meant nothing.
            case ignored(Command)
            /// What was not played yet has been placed anew.
            case placed(frame: Int64, time: Duration)
        }

        /// The defaults.
        package init() {}
    }

    /// A conductor for a performance that goes to `output`. `sound` says in a status where that is.
    package init(
        _ performance: Performance, output: sending any Output, sound: Status.Sound, options: Options = Options()
    ) {
        let (statuses, publisher) = AsyncStream<Status>.makeStream(bufferingPolicy: .bufferingNewest(1))
        (self.statuses, self.publisher) = (statuses, publisher)
        live = LivePerformance(performance, output: output, sound: sound, options: options) { publisher.yield($0) }
    }

    /// Plays until the end or a stop, and returns once all is silent. Call it once.
    package func run() async throws(EngineError) {
        // Whoever watches learns of the end, whatever that is.
        defer { publisher.finish() }
        try begin()
        await play()
    }

    /// Plays what has begun until the end or a stop, and returns once all is silent.
    package func play() async {
        defer { publisher.finish() }
        let news = live.news
        // Begun here and now: a loop that a pool of threads had to begin would wait for its turn.
        await withCheckedContinuation { end in
            thread.loop(end, alsoAt: news) { self.assumeIsolated { $0.live.step() } }
        }
    }

    /// Has the output play. Before the first step.
    package func begin() throws(EngineError) { try live.begin() }

    /// Does all that is to be done now; returns how long nothing needs to be done, nil once all is over.
    package func step() -> Duration? { live.step() }

    /// Carries out a command as soon as what has not been played allows, and returns once it has taken effect. Commands are
    /// carried out in the order in which they come; those that come before the music has its place in time wait for that.
    package func perform(_ command: Command) async {
        await withCheckedContinuation { done in
            live.take(LivePerformance.WaitingCommand(command, done: done))
            thread.wake()
        }
    }

    /// Has a command carried out, without waiting for anything: from any thread.
    package nonisolated func send(_ command: Command) {
        thread.call {
            self.assumeIsolated { $0.live.take(LivePerformance.WaitingCommand(command)) }
            self.thread.wake()
        }
    }

    /// Takes a command; the next steps carry it out.
    package func take(_ command: Command) { live.take(LivePerformance.WaitingCommand(command)) }

    /// What has been learnt of the card, for another day; nil while it is no better than what was known.
    package var learnt: CardMemory.Entry? { live.learnt }

    /// CLOCK_MONOTONIC in ns from which the timing log counts; nil as long as nothing is known of the card.
    package var origin: Double? { live.origin }

    /// The newest status; nil before the first.
    package var status: Status? { live.status }

    /// Whether it has ended by itself, and not by a stop.
    package var hasPlayedAll: Bool { live.hasPlayedAll }

    /// How often the card ran dry.
    package var xruns: UInt64 { live.xruns }

    /// Whether the music stands still: paused, or at a hold that waits.
    package var isPaused: Bool { live.isStanding }

    /// Goes on from a pause or from a hold that waits; false where the music does neither.
    package func goOn() async -> Bool {
        guard isPaused else { return false }
        await perform(.resume)
        return true
    }
}

/// CLOCK_REALTIME less CLOCK_MONOTONIC now, in ns: of three looks the one during which least time passed.
private func wallClockOffset() -> Int64 {
    func now(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
    let looks = (0..<3).map { _ in
        let before = now(CLOCK_MONOTONIC)
        let wall = now(CLOCK_REALTIME)
        let after = now(CLOCK_MONOTONIC)
        return (took: after - before, offset: wall - (before + after) / 2)
    }
    return looks.min { $0.took < $1.took }?.offset ?? 0
}
