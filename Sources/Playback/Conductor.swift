internal import Glibc
package import Scores
package import Timing

/// The one owner of a running performance: commands go in, status comes out.
///
/// It runs on its own thread, which wakes when something is due, when a command comes, and when the output has news.
package actor Conductor {
    /// The statuses of the performance. Only the newest is kept: a slow screen skips some, and delays nothing.
    package nonisolated let statuses: AsyncStream<Status>

    private let thread: OwnThread
    package var live: LivePerformance
    private let publisher: AsyncStream<Status>.Continuation

    /// The actor's own thread: no other work keeps it waiting.
    package nonisolated var unownedExecutor: UnownedSerialExecutor { thread.executor }

    package struct Options: Sendable {
        /// Whether boundaries follow the wall clock, or the card's frames as if its nominal rate were exact.
        package var followsClock = true
        /// CLOCK_REALTIME in ns at which time zero is to be heard, even if that clock is set; nil = soon.
        package var start: Int64?
        /// CLOCK_REALTIME minus CLOCK_MONOTONIC, in ns; nil to ask the system.
        package var wallClock: (@Sendable () -> Int64)?
        /// How much later the sound is heard than reported: for a given start it goes out earlier, and is shown later.
        package var latency = Duration.zero
        /// How much later than the player a tap arrives.
        package var tapDelay = Duration.zero
        /// The card's rate as known from before: its deviation, and the uncertainty of that.
        package var card: CardMemory.Entry?
        /// Whether the music pauses after the machine was suspended.
        package var pausesOnSuspend = true
        /// The leader that is followed; nil if the music has none.
        package var leader: Leader?
        /// What is practiced at first, such as a loop; nil for the passage of the performance.
        package var practiced: Passage?
        /// Whether to note what is practiced.
        package var tallies = false
        /// The sounds of clicks that the device has made silent.
        package var silentSounds: Set<ClickSound> = []
        /// Called with a row for every boundary, in order, once it is certain that it was heard or lost; and with a row for
        /// every tap at once.
        package var log: (@Sendable (TimingRow) -> Void)?
        /// Called with every row of a boundary, and the time of CLOCK_MONOTONIC in ns at which it was at the converter.
        package var logTimes: (@Sendable (TimingRow, Double) -> Void)?
        /// Called with every boundary at its moment, in order: a click that is being lost just then counts as heard.
        package var heard: (@Sendable (HeardBoundary) -> Void)?
        /// Called with clicks that can no longer be taken back, in order, and with the time of CLOCK_MONOTONIC in ns before
        /// which all are known.
        package var due: (@Sendable ([DueClick], Double) -> Void)?
        /// Called once the music is over, before the readers of `statuses` learn of it: what is heard until it returns is still
        /// shown to them.
        package var hearOut: (@Sendable () async -> Void)?
        /// Called with everything that takes effect, in order.
        package var trace: (@Sendable (Happening) -> Void)?
        /// Called with every status, in order, before anything else is done.
        package var watch: (@Sendable (Status) -> Void)?

        /// Something that has taken effect, at a frame and its time after time zero.
        package enum Happening: Sendable {
            /// The music has got its place in time; nothing sounds before.
            case began(frame: Int64, time: Duration, isPaused: Bool)
            /// A command.
            case command(Command, frame: Int64, time: Duration)
            /// A command that had no effect in the state of that moment.
            case ignored(Command)
            /// Music that was not played yet has been placed anew.
            case placed(frame: Int64, time: Duration)
        }

        package init() {}
    }

    /// Makes a conductor that plays a performance into `output`. In each status `sound` says where the sound goes.
    /// `thread` is urgent.
    package init(
        _ performance: Performance, output: sending any Output, sound: Status.Sound, options: Options = Options(),
        on thread: OwnThread = OwnThread(isUrgent: true)
    ) {
        self.thread = thread
        let (statuses, publisher) = AsyncStream<Status>.makeStream(bufferingPolicy: .bufferingNewest(1))
        (self.statuses, self.publisher) = (statuses, publisher)
        live = LivePerformance(performance, output: output, sound: sound, options: options) { publisher.yield($0) }
    }

    /// Plays until the end or a stop, and returns once everything is silent. Call it once.
    package func run() async throws(EngineError) {
        // The readers of `statuses` learn of the end, whatever its reason.
        defer { publisher.finish() }
        try begin()
        await play()
    }

    /// Plays until the end or a stop, and returns once everything is silent. Call `begin` before.
    package func play() async {
        defer { publisher.finish() }
        let news = live.news
        // The loop is begun here: if a thread pool had to begin it, it would wait for its turn.
        await withCheckedContinuation { end in
            thread.loop(end, alsoAt: news) { self.assumeIsolated { $0.live.step() } }
        }
        await live.options.hearOut?()
    }

    /// Starts the output. Call it before the first step.
    package func begin() throws(EngineError) { try live.begin() }

    /// Carries out a command at the first frame that can still be changed, and returns once it has taken effect.
    /// Commands keep their order. Those that come before the music has its place in time wait until it has.
    package func perform(_ command: Command) async {
        await withCheckedContinuation { done in
            live.take(LivePerformance.WaitingCommand(command, done: done))
            thread.wake()
        }
    }

    /// Carries out a command, but does not wait for it. From any thread.
    package nonisolated func send(_ command: Command) {
        thread.call {
            self.assumeIsolated { $0.live.take(LivePerformance.WaitingCommand(command)) }
            self.thread.wake()
        }
    }

    /// Ends the music at once, without the fade of a stop and without the sound that the device still holds. From any thread.
    package nonisolated func cut() {
        thread.call {
            self.assumeIsolated { $0.live.cut() }
            self.thread.wake()
        }
    }

    /// Takes what a microphone has heard of a bar. From any thread.
    package nonisolated func hear(_ heard: Status.Heard) {
        thread.call { self.assumeIsolated { $0.live.hear(heard) } }
    }

    /// Takes what is newly known of the leader. From any thread.
    package nonisolated func follow(_ leader: Leader) {
        thread.call {
            self.assumeIsolated { $0.live.follow(leader) }
            self.thread.wake()
        }
    }

    /// The card's rate as learnt, to be remembered for another day; nil until it is known to better than 1 ppm.
    package var learnt: CardMemory.Entry? { live.learnt }

    /// CLOCK_MONOTONIC in ns from which the timing log counts; nil as long as nothing is known of the card's clock.
    package var origin: Double? { live.origin }

    /// The newest status; nil before the first.
    package var status: Status? { live.status }

    /// Whether it has ended by itself, not by a stop.
    package var hasPlayedAll: Bool { live.hasPlayedAll }

    /// How often the card ran dry.
    package var xruns: UInt64 { live.xruns }

    /// The timing of all boundaries that have been heard or lost, and how often the card ran dry.
    package var summary: TimingSummary {
        var summary = live.log.summary
        summary.xruns = Int(live.xruns)
        return summary
    }

    /// What was practiced; nil unless that is noted.
    package var tally: PracticeTally? { live.log.tally }

    /// Whether the music stands still: paused, or at a hold that waits.
    package var isPaused: Bool { live.isStanding }

    /// Goes on from a pause or from a hold that waits; false if the music does not stand still.
    package func goOn() async -> Bool {
        guard isPaused else { return false }
        await perform(.resume)
        return true
    }
}

/// CLOCK_REALTIME minus CLOCK_MONOTONIC now, in ns: the quickest of three measurements.
package func wallClockOffset() -> Int64 {
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
