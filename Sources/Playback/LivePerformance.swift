internal import Logging
internal import Scores
package import Timing

/// A performance that is played live: what it wants of its output, what it knows of the clock, and what it tells.
///
/// Whatever changes what is played is one transaction: tried on a copy of the music, handed to the output, and true once
/// the output has decided that it came in time. Otherwise nothing has changed, and it is tried again a little further
/// ahead. There is one transaction at a time. All of it happens on one thread, and in whatever time the output goes by.
package struct LivePerformance: ~Copyable {
    /// Whether the music has a place in time.
    enum Stage {
        /// The clock is still being learnt: commands wait.
        case learning
        /// The music has its place.
        case live
        /// All is silent.
        case over
    }

    /// What a transaction is for.
    enum Purpose {
        /// The music gets its place in time: its zero on CLOCK_MONOTONIC, nil where frames pass by the clock itself.
        case begin(zero: Int64?)
        /// More of the music is handed out; with it what the clock has moved since is placed anew.
        case supply(moved: Duration)
        /// What has been placed is placed anew, for frames and times have a new relation, or the start has moved.
        case place(zero: Int64)
        /// A command of the player.
        case command(WaitingCommand, Music.Outcome)
    }

    /// A transaction that the output has not decided yet.
    struct Proposal {
        var number: UInt32
        var purpose: Purpose
        /// What is true if it takes effect.
        var music: Music
        /// What it replaces begins here.
        var frame: Int64
        /// The time of that frame, as it was known.
        var time: Duration
        /// What is known with it.
        var horizon: Int64
    }

    /// A command, and somebody who waits until it has been carried out.
    package struct WaitingCommand {
        var command: Command
        var done: CheckedContinuation<Void, Never>?

        package init(_ command: Command, done: CheckedContinuation<Void, Never>? = nil) {
            (self.command, self.done) = (command, done)
        }
    }

    let logger = Logger(label: "barline.conductor")
    var output: any Output
    var music: Music
    let options: Conductor.Options
    var stage: Stage
    var proposal: Proposal?
    var waiting: [WaitingCommand] = []
    /// Whether what has been placed stands wrong.
    var isMisplaced = false
    var clock: CardClock
    var log: BoundaryLog
    let device: Status.Sound
    var commandCount = 0
    /// The frame before which everything has been handed out.
    var horizon = Int64.min
    /// The frame at which the newest change took effect: the next is no earlier, whatever the output could still do.
    var newest = Int64.min
    /// By how much the clock has moved there since that was placed.
    var moved = Duration.zero
    /// When the player asked for an end.
    var endedAt: Int64?
    var suspends: UInt64 = 0
    /// How long a transaction takes from here until it is decided, as far as this machine has shown.
    var lead: Duration
    var lateness = Lateness()
    /// The newest status; nil before the first.
    package var status: Status?
    let publish: (Status) -> Void

    /// How far ahead events are handed out: a machine may leave this thread alone for so long.
    static let horizon = Duration.seconds(4)
    /// How often that is looked after: at first often, for what is not yet known of the clock.
    static let wakes = (learning: Duration.milliseconds(80), settled: Duration.milliseconds(1700))
    /// While the clock is being learnt events are placed anew as it gets better known, until they are so near.
    static let placedFor = Duration.milliseconds(350)
    /// What the clock has to have moved by, at the horizon, for events to be placed anew.
    static let leastMove = Duration.microseconds(5)
    /// The longest that a transaction is given to be decided.
    static let mostLead = Duration.seconds(2)
    /// The music begins so much later than it could: its first click has some of the card's silence before it.
    static let beginning = Duration.milliseconds(12)
    /// So much more, at least, is handed out at a time.
    static let leastSupply = Duration.milliseconds(10)
    /// How soon to look again where the output had no room, or has not decided.
    static let retry = Duration.milliseconds(20)
    /// How long an end waits for an output that decides nothing any more.
    static let patience = Duration.seconds(2)
    /// How far the start may be from its time by the wall clock before it is moved.
    static let startTolerance: Int64 = 100_000

    package init(
        _ performance: Performance, output: any Output, sound: Status.Sound, options: Conductor.Options,
        publish: @escaping (Status) -> Void
    ) {
        var begin = performance
        var leftHome: Int?
        if let loop = options.loop {
            let bar = performance.passage.bar(of: performance.first).index
            begin.passage = Passage(performance.passage.timeline, [Passage.Stretch(loop)], passes: nil)
            begin.first = begin.passage.boundary(ofBar: bar, near: 0) ?? 0
            leftHome =
                performance.passage.boundary(ofBar: loop.lowerBound, near: performance.first) ?? performance.first
        }
        music = Music(scheduler: Scheduler(begin, rate: output.rate), start: performance, leftHome: leftHome)
        self.output = output
        lead = output.leastLead
        self.options = options
        self.publish = publish
        stage = options.followsClock ? .learning : .live
        device = sound
        clock = CardClock(rate: output.rate, known: options.card, noise: output.pointerNoise)
        log = BoundaryLog(options.log)
    }

    /// What has been learnt of the card, for another day; nil while it is no better than what was known.
    package var learnt: CardMemory.Entry? { clock.memory }
    /// CLOCK_MONOTONIC in ns from which the timing log counts; nil as long as nothing is known of the card.
    package var origin: Double? { clock.origin }
    /// How often the card ran dry.
    package var xruns: UInt64 = 0
    /// Whether it has ended by itself, and not because the player asked for it.
    var hasPlayedAll: Bool { isOver && endedAt == nil }
    /// Whether the music stands still: paused, or at a hold that waits.
    var isStanding: Bool { music.isStanding(at: output.reading().nextFrame) }
    /// Readable when the output has news.
    var news: Int32? { output.news }

    var isOver: Bool { stage == .over }

    /// Has the output play. Before the first step.
    package mutating func begin() throws(EngineError) {
        if isLive { supply(output.reading()) }
        try output.start()
    }

    /// Takes a command; it is carried out by the steps to come. What comes after the end is done with at once.
    package mutating func take(_ command: WaitingCommand) {
        guard endedAt == nil, !isOver else {
            command.done?.resume()
            return
        }
        if command.command == .stop { endedAt = output.reading().now }
        waiting.append(command)
        if proposal != nil { output.hurry() }
    }

    /// Does all that is to be done now; returns how long nothing needs to be done, nil once all is over.
    package mutating func step() -> Duration? {
        let reading = output.reading()
        lateness.came(at: reading.now)
        // First: what has been decided goes by the clock as well.
        _ = decide()
        learn(reading)
        record(reading)
        // What is decided at once, as by an output without a thread, makes room for the next.
        while decide(), let hasRoom = propose(reading) { if !hasRoom { break } }
        checkEnd()
        show(output.reading())
        guard !isOver else {
            finish()
            return nil
        }
        let pause = pause(reading)
        lateness.expect(at: reading.now + pause.nanoseconds)
        return pause
    }

    // MARK: - Time

    var isLive: Bool { stage == .live }

    /// Whether little is known of the clock yet: near horizons, many looks.
    var isLearning: Bool { options.followsClock && (!isLive || clock.isYoung || !clock.isSettled) }

    /// How far ahead events are handed out: as far as this machine has shown that it needs.
    var reach: Duration { max(LivePerformance.horizon, LivePerformance.wakes.settled + lateness.worst * 2) }

    /// How long nothing needs to be done.
    func pause(_ reading: OutputReading) -> Duration {
        // Of a device that is away there is nothing to be learnt; it says when it is back.
        let learns = isLearning && reading.failure == nil
        var pause = learns ? LivePerformance.wakes.learning : LivePerformance.wakes.settled
        if !output.hasRoom || !waiting.isEmpty { pause = LivePerformance.retry }
        if endedAt != nil { pause = min(pause, LivePerformance.wakes.learning) }
        if isLive, let end = music.scheduler.endFrame {
            let mapping = music.scheduler.mapping
            let left = mapping.time(of: end) - mapping.time(of: reading.heardFrame)
            pause = min(pause, max(left, .milliseconds(5)))
        }
        if let next = nextBoundary(reading) { pause = min(pause, max(next, .milliseconds(1))) }
        return pause
    }

    func frames(_ duration: Duration) -> Int64 {
        NominalMapping(rate: output.rate, zero: 0).frame(atOrAfter: duration)
    }
}

/// How late a thread comes to its steps: the worst of the last seconds.
struct Lateness {
    /// The worst of late; it fades by and by.
    private(set) var worst = Duration.zero
    private var expected: Int64?

    /// The next step is wanted at `time`, ns of CLOCK_MONOTONIC.
    mutating func expect(at time: Int64) { expected = time }

    /// A step has come. One that comes early was called.
    mutating func came(at time: Int64) {
        guard let expected else { return }
        worst = max(.nanoseconds(time - expected), worst * 31 / 32)
    }
}
