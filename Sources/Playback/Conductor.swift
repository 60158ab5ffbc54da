internal import Logging
internal import Score
public import Timing

/// The one owner of a running performance: commands go in, status comes out.
///
/// It keeps the output supplied with events up to a horizon, by what it knows of the card's clock, and sleeps in
/// between.
public actor Conductor {
    /// What the performance is doing, the newest only: who is slow skips, and delays nothing.
    public nonisolated let statuses: AsyncStream<Status>

    private let logger = Logger(label: "barline.conductor")
    private let thread = OwnThread()
    private var output: any Output
    private var scheduler: Scheduler
    private let options: Options
    /// What was asked for at the start, and the boundary at which another walk began to be practised; nil while none is.
    private var home: Walk { start.walk }
    private let start: Performance
    private var leftHome: Int?
    /// How many commands have been carried out.
    private var commandCount = 0
    private var clock: CardClock
    private let publisher: AsyncStream<Status>.Continuation
    private let device: Status.Sound
    private var pausedPosition: Duration?
    private var log: BoundaryLog
    /// Whether the music has a place in time: with a card that has to be learnt first, not at once.
    private var isReady: Bool
    /// The frame at which all will be silent, once a stop has been asked for.
    private var stopFrame: Int64?
    private var isOver = false
    private var endedAt: Int64?
    private var suspends: UInt64 = 0

    /// A thread of its own: nobody else's work keeps it waiting.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { thread.executor }

    /// How a performance is conducted.
    public struct Options: Sendable {
        /// Whether boundaries go by the wall clock, or by the card's frames as if its rate were true.
        public var followsClock = true
        /// CLOCK_MONOTONIC in ns at which time zero is to be heard; nil for as soon as possible.
        public var start: Int64?
        /// How much later than the device says its sound is heard (Bluetooth): sound goes out earlier for a given
        /// start, and screens show later.
        public var latency = Duration.zero
        /// What is known of the card's rate from before: its deviation, and how sure that is.
        public var card: CardMemory.Entry?
        /// Whether the music stands still after the machine has slept.
        public var pausesOnSuspend = true
        /// The bars of the piece that are played again and again at first; nil for what was asked for.
        public var loop: Range<Int>?
        /// Called with a row for every boundary, in order, once it has been heard or lost.
        public var log: (@Sendable (TimingRow) -> Void)?
        /// Called with every status, in order, before the next thing is done.
        package var watch: (@Sendable (Status) -> Void)?

        /// The defaults.
        public init() {}
    }

    /// How far ahead events are handed out, and how often that is looked after: at first little and often, for what is
    /// not yet known of the clock; then far and seldom.
    private static let horizon = (learning: Duration.milliseconds(350), settled: Duration.milliseconds(4000))
    private static let wake = (learning: Duration.milliseconds(80), settled: Duration.milliseconds(1700))
    /// How far behind what can still be changed the music begins.
    private static let beginning = Duration.milliseconds(16)
    /// How soon to look again when the engine's queue was full.
    private static let retry = Duration.milliseconds(20)

    /// A conductor for a performance that goes to `output`. `sound` says in a status where that is.
    public init(
        _ performance: Performance, output: sending any Output, sound: Status.Sound, options: Options = Options()
    ) {
        var begin = performance
        if let loop = options.loop {
            let bar = performance.walk.bar(of: performance.first).index
            begin.walk = Walk(performance.walk.timeline, [Walk.Stretch(loop)], passes: nil)
            begin.first = begin.walk.boundary(ofBar: bar, near: 0) ?? 0
            leftHome = performance.walk.boundary(ofBar: loop.lowerBound, near: performance.first) ?? performance.first
        }
        scheduler = Scheduler(begin, rate: output.rate)
        start = performance
        self.output = output
        self.options = options
        isReady = !options.followsClock
        device = sound
        clock = CardClock(rate: output.rate, known: options.card, noise: output.pointerNoise)
        log = BoundaryLog(options.log)
        (statuses, publisher) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// What has been learnt of the card, for another day; nil while it is no better than what was known.
    public var learnt: CardMemory.Entry? { clock.memory }

    /// CLOCK_MONOTONIC in ns from which the timing log counts; nil as long as nothing is known of the card.
    package var origin: Double? { clock.origin }

    /// Plays until the end or a stop, and returns once all is silent. Call it once.
    public func run() async throws(EngineError) {
        try begin()
        let changes = output.changes
        let waker = Task { for await _ in changes { thread.wake() } }
        // Begun here and now: a loop that a pool of threads had to begin would wait for its turn.
        await withCheckedContinuation { end in thread.loop(end) { self.assumeIsolated { $0.step() } } }
        waker.cancel()
        publisher.finish()
        // The device is let go now, with all that it still holds back, whoever keeps the conductor.
        output = SilentOutput()
    }

    /// Has the output play. Before the first step.
    package func begin() throws(EngineError) {
        supply()
        try output.start()
    }

    /// Does all that is to be done now; returns how long nothing needs to be done, nil once all is over.
    package func step() -> Duration? {
        let hasRoom = supply()
        let left = publish()
        return isOver ? nil : hasRoom ? left : Conductor.retry
    }

    private var performance: Performance { scheduler.performance }

    /// Carries out a command, as soon as what has not been played allows.
    public func perform(_ command: Command) {
        guard stopFrame == nil, isReady || command == .stop else { return }
        learn(output.reading())
        let frame = changeable(output.reading())
        let wasPaused = scheduler.isPaused
        let isHolding = scheduler.isHolding(at: frame)
        guard command != .continue || isHolding else { return }
        logger.debug("command", metadata: ["command": "\(command)", "frame": "\(frame)"])
        commandCount += 1
        // What stands still has nothing to take back but its own fade.
        if !wasPaused {
            do throws(QueueFull) { try output.cut(at: frame) } catch { return }
        }
        switch command {
        case .continue,
            .togglePause where isHolding:
            scheduler.proceed(at: frame)
        case .togglePause where wasPaused:
            pausedPosition = nil
            scheduler.resume(at: frame)
            log.flag(.resumed)
        case .togglePause:
            pausedPosition = max(position(at: frame), .zero)
            scheduler.pause(at: frame)
        case .nextBar, .previousBar, .nextLine, .previousLine:
            jump(to: scheduler.target(of: command, from: pausedPosition ?? position(at: frame)), at: frame)
        case .restartBar:
            jump(to: scheduler.target(of: command, from: pausedPosition ?? position(at: frame)), at: frame)
            if wasPaused {
                pausedPosition = nil
                scheduler.resume(at: frame)
                log.flag(.resumed)
            }
        case .firstBar:
            goTo(bar: home.bar(of: 0).index, at: frame)
        case .goToBar(let bar):
            goTo(bar: bar, at: frame)
        case .goToTime(let time):
            practise(nil, at: frame)
            jump(to: home.boundary(at: scheduler.anchor.speed.scoreDuration(of: time)), at: frame)
        case .practise(let stretches, let passes):
            practise(stretches.map { Walk(home.timeline, $0, passes: passes) }, at: frame)
        case .speed(let change):
            scheduler.change(speed: scheduler.anchor.speed.adding(percentagePoints: change), at: frame)
        case .speedTo(let speed):
            scheduler.change(speed: speed, at: frame)
        case .nudge(let time):
            scheduler.nudge(by: time, at: frame)
        case .revert:
            scheduler.change(speed: start.speed, at: frame)
            scheduler.change(at: frame) { $0.revert(to: start) }
        case .silence, .toggleDrone, .dronePitch, .drone, .droneLevel, .a4, .toggleClicks, .clickLevel, .toggleCountIn:
            scheduler.change(at: frame) { $0.carryOut(command) }
        case .stop:
            endedAt = output.reading().time
            stopFrame = scheduler.stop(at: frame)
        }
        supply()
        publish()
        thread.wake()
    }

    private func jump(to boundary: Int, at frame: Int64) {
        scheduler.jump(to: boundary, at: frame)
        log.flag(.jump)
        if pausedPosition != nil { pausedPosition = scheduler.anchor.position }
    }

    /// To a bar of the piece; what is practised is left where it does not have the bar.
    private func goTo(bar: Int, at frame: Int64) {
        let here = performance.walk.boundary(at: max(position(at: frame), .zero))
        if let boundary = performance.walk.boundary(ofBar: bar, near: here) { return jump(to: boundary, at: frame) }
        guard let leftHome, let boundary = home.boundary(ofBar: bar, near: leftHome) else { return }
        practise(nil, at: frame)
        jump(to: boundary, at: frame)
    }

    /// Another walk from now on; what was asked for at the start where it is nil.
    private func practise(_ walk: Walk?, at frame: Int64) {
        let here = performance.walk.boundary(at: max(position(at: frame), .zero))
        if let walk {
            leftHome = leftHome ?? here
            scheduler.change(walk: walk, at: frame)
        } else if let left = leftHome {
            leftHome = nil
            scheduler.change(walk: home, near: left, at: frame)
        }
        if pausedPosition != nil { pausedPosition = max(position(at: frame), .zero) }
    }

    /// The newest status; nil before the first.
    public private(set) var status: Status?

    /// Has a command carried out, without waiting for anything: from any thread.
    public nonisolated func send(_ command: Command) {
        thread.call { self.assumeIsolated { $0.perform(command) } }
    }

    /// Whether it has ended by itself, and not by a stop.
    public var hasPlayedAll: Bool { isOver && stopFrame == nil }

    /// How often the card ran dry.
    public private(set) var xruns: UInt64 = 0

    /// Whether the music stands still: paused, or at a hold that waits.
    public var isPaused: Bool {
        scheduler.isPaused || scheduler.isHolding(at: changeable(output.reading()))
    }

    /// Goes on from a pause or from a hold that waits; false where the music does neither.
    public func goOn() -> Bool {
        guard isPaused else { return false }
        perform(.togglePause)
        return true
    }

    // MARK: - Time

    private func frames(_ duration: Duration) -> Int64 {
        NominalMapping(rate: output.rate, zero: 0).frame(atOrAfter: duration)
    }

    /// The first frame that a command takes effect at.
    private func changeable(_ reading: OutputReading) -> Int64 { reading.nextFrame + frames(reading.margin) }

    private func position(at frame: Int64) -> Duration {
        scheduler.position(at: frame)
    }

    /// Takes in what the output has seen of its device, and lets the scheduler go by it.
    private func learn(_ reading: OutputReading) {
        for gap in output.gaps() {
            log.silence(gap)
            logger.notice("nobody hears", metadata: ["frames": "\(gap)"])
        }
        // Behind the gaps: whatever came too late, what it replaces is known by now.
        for stray in output.strays() {
            log.stray(stray)
            logger.notice("sounded when it was taken back", metadata: ["frame": "\(stray)"])
        }
        let change = clock.learn(output.observations(), epoch: reading.epoch)
        output.learn(rate: clock.model.rate)
        if !options.followsClock {
            // The log tells by the wall clock what a card does that is taken at its word.
            if clock.isSettled, clock.origin == nil {
                clock.origin = clock.model.time(of: scheduler.mapping.position(at: .zero))
            }
        } else if !isReady {
            begin(reading)
        } else if let zero = clock.zero {
            let mapping = LearntMapping(clock.model, zero: zero)
            switch change {
            case .none: break
            case .refined: scheduler.refine(mapping)
            case .moved:
                let frame = changeable(reading)
                do throws(QueueFull) { try output.cut(at: frame) } catch { return }
                scheduler.remap(mapping, from: frame)
                log.flag(.xrun)
                logger.info("frames and time have a new relation", metadata: ["from": "\(frame)"])
            }
        }
        if reading.suspends > suspends, options.pausesOnSuspend, !isPaused, isReady {
            suspends = reading.suspends
            perform(.togglePause)
        }
        suspends = reading.suspends
    }

    /// Gives the music its place in time, as soon as the clock is known.
    private func begin(_ reading: OutputReading) {
        let latency = Int64(options.latency.attoseconds / 1_000_000_000)
        let countIn = Int64(performance.countIn.attoseconds / 1_000_000_000)
        let frame = reading.nextFrame + frames(Conductor.beginning)
        if reading.isNominal || reading.failure != nil {
            // Frames pass by the clock itself.
            let heard = NominalMapping(rate: output.rate, zero: reading.heardFrame)
            let start = options.start.map { heard.frame(atOrAfter: .nanoseconds($0 - latency - reading.time)) }
            let zero = start ?? frame + performance.zeroFrame(rate: output.rate)
            scheduler = Scheduler(
                performance, mapping: NominalMapping(rate: output.rate, zero: zero), from: frame)
        } else if clock.isSettled {
            // What has been rendered is taken back: the music begins as soon as the device allows.
            do throws(QueueFull) { try output.cut(at: frame) } catch { return }
            let soonest = Int64(clock.model.time(of: FramePosition(frame: frame)).rounded(.up)) + countIn
            let zero = options.start.map { $0 - latency } ?? soonest
            clock.zero = zero
            clock.origin = Double(zero)
            scheduler = Scheduler(performance, mapping: LearntMapping(clock.model, zero: zero), from: frame)
        } else {
            return
        }
        isReady = true
        logger.info("time zero", metadata: ["frame": "\(scheduler.mapping.position(at: .zero).frame)"])
    }

    // MARK: - What goes on

    /// The frame at which all is silent; nil as long as that is not in sight.
    private var lastFrame: Int64? {
        if let stopFrame { return stopFrame }
        return scheduler.isPaused || !isReady ? nil : scheduler.endFrame
    }

    /// Whether little is known of the clock yet: near horizons, many looks.
    private var isLearning: Bool { options.followsClock && (!isReady || clock.isYoung || !clock.isSettled) }

    /// Hands out events up to the horizon; false when the queue was full first.
    @discardableResult
    private func supply() -> Bool {
        let reading = output.reading()
        learn(reading)
        log.take(scheduler.settle(before: reading.nextFrame), home.timeline)
        log.write(heardBefore: reading, clock)
        output.end(at: lastFrame ?? .max)
        // A device that is away takes nothing: what comes meanwhile is counted as lost when it is back.
        guard isReady, reading.failure == nil else { return true }
        let until = reading.nextFrame + frames(isLearning ? Conductor.horizon.learning : Conductor.horizon.settled)
        do throws(QueueFull) {
            try scheduler.schedule(before: until, into: &output)
        } catch {
            output.setHorizon(scheduler.horizon(upTo: until))
            return false
        }
        output.setHorizon(until)
        return true
    }

    /// Publishes a status; returns how long nothing needs to be done.
    @discardableResult
    private func publish() -> Duration {
        let reading = output.reading()
        xruns = reading.xruns
        isOver = reading.hasEnded || stopFrame != nil && !isReady
        var status = Status(
            performance: performance, anchor: scheduler.anchor, countsTo: scheduler.countsTo,
            pausedPosition: pausedPosition, zeroHeard: zeroHeard(reading), sound: device)
        status.xruns = reading.xruns
        status.lostClicks = reading.droppedClicks + log.lost
        status.hasEnded = isOver
        status.endedAt = endedAt
        status.home = home
        status.held = scheduler.held
        status.isHome = leftHome == nil
        status.commandCount = commandCount
        if let failure = reading.failure, case .device(let name) = device {
            status.sound = .lost(name, reason: failure)
        }
        if isReady, self.status.map({ !$0.looksLike(status) }) ?? true {
            self.status = status
            options.watch?(status)
            publisher.yield(status)
        }
        let wake = isLearning ? Conductor.wake.learning : Conductor.wake.settled
        guard let lastFrame else { return wake }
        let left = scheduler.mapping.time(of: lastFrame) - scheduler.mapping.time(of: reading.heardFrame)
        return min(max(left, .milliseconds(5)), wake)
    }

    /// CLOCK_MONOTONIC at which time zero is heard, latency included.
    private func zeroHeard(_ reading: OutputReading) -> Int64 {
        let latency = Int64(options.latency.attoseconds / 1_000_000_000)
        if let zero = clock.zero { return zero + latency }
        let heard = scheduler.mapping.time(of: reading.heardFrame)
        return reading.time - Int64(heard.attoseconds / 1_000_000_000) + latency
    }
}
