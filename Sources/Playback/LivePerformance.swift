internal import Logging
internal import Scores
package import Timing

/// A performance that is played live: it feeds its output, learns the output's clock, and reports what is heard.
///
/// Every change of what is played is a transaction. It is tried on a copy of the music and handed to the output. The
/// copy becomes the music once the output has decided that the transaction came in time. If it came too late, nothing
/// has changed, and it is tried again a little further ahead. There is one transaction at a time. Everything happens on
/// one thread, and in the output's time, whatever that is.
package struct LivePerformance: ~Copyable {
    /// Whether the music has a place in time.
    enum Stage {
        /// The clock is still being learnt: commands wait.
        case learning
        /// The music has its place.
        case live
        /// Everything is silent.
        case over
    }

    enum Purpose {
        /// Gives the music its place in time: time zero on CLOCK_MONOTONIC; nil if frames follow the clock itself.
        case begin(zero: Int64?)
        /// Hands out more of the music; if the clock has moved by enough (`moved`), events are placed anew.
        case supply(moved: Duration)
        /// Places the music anew, because frames and times have a new relation, or the start has moved.
        case place(zero: Int64?)
        /// A command of the player, and the flags of the first boundary after it.
        case command(WaitingCommand, TimingRow.Flags)
        /// Goes on as the leader does, and the flags of the first boundary after it.
        case follow(LeaderMusic, TimingRow.Flags)
    }

    /// A transaction that the output has not decided yet.
    struct Proposal {
        var number: UInt32
        var purpose: Purpose
        /// The music if it takes effect.
        var music: Music
        /// The first frame that it replaces.
        var frame: Int64
        /// The time of that frame, as known when it was proposed.
        var time: Duration
        /// Every event before this frame is known with it.
        var horizon: Int64
    }

    /// A command, and the task that waits until it has been carried out.
    package struct WaitingCommand {
        var command: Command
        /// Whether nobody gave it, and the machine has been suspended.
        var isBySuspend: Bool
        var done: CheckedContinuation<Void, Never>?

        package init(_ command: Command, isBySuspend: Bool = false, done: CheckedContinuation<Void, Never>? = nil) {
            (self.command, self.isBySuspend, self.done) = (command, isBySuspend, done)
        }
    }

    let logger = Logger(label: "barline.conductor")
    var output: any Output
    var music: Music
    let options: Conductor.Options
    var stage: Stage
    var proposal: Proposal?
    var waiting: [WaitingCommand] = []
    /// Whether the music is in the wrong place and must be placed anew.
    var isMisplaced = false
    /// Whether the device has just told of a fault, of which the clock may not know yet.
    var hasFailed = false
    var clock: CardClock
    var log: BoundaryLog
    let device: Status.Sound
    var commandCount = 0
    /// How many of the commands were jumps.
    var jumps = 0
    /// How often another passage, or the same one anew, was chosen: its boundaries have other numbers then.
    var passages = 0
    /// Where the last command takes effect, also after time zero; nil if there was none since the music was placed.
    var effect: (frame: Int64, time: Duration)?
    /// The player's last tap, note or message.
    var told: Told?
    /// What a microphone has heard of the last bars.
    var lastHeard: [Status.Heard] = []
    /// The player's notes about this take, the oldest first.
    var marks: [Told] = []
    /// The frame before which everything has been handed out.
    var horizon = Int64.min
    /// The frame at which the newest change took effect. The next one is no earlier, even where the output could do it.
    var newest = Int64.min
    /// The frame before which clicks have been handed to the log as final. A change is no earlier, even if a later look
    /// at the device finds that it could be.
    var recorded = Int64.min
    /// How far the horizon's time has moved, by the better known clock, since its events were placed.
    var moved = Duration.zero
    /// The leader as known now, and the music of it that has taken effect; nil if the music has no leader.
    var leader: Leader?
    var followed: LeaderMusic?
    /// Changes of the leader that are known but have not taken effect yet, the oldest first.
    var leads: [LeaderMusic] = []
    /// The last clicks that have sounded, for a follower.
    var sounded: [ScheduledClick] = []
    /// When the player asked for a stop, in ns of CLOCK_MONOTONIC; nil before.
    var endedAt: Int64?
    /// Whether it ends at once, in the middle of the fade.
    var isCut = false
    /// How the performance has ended, from the frame on at which a stop takes effect; nil before.
    var ending: Ending?
    /// Whether the newest pause came with a suspend of the machine.
    var isPausedBySuspend = false
    var suspends: UInt64 = 0
    /// How long a transaction takes until it is decided, as this machine has shown so far.
    var lead: Duration
    /// When the next step is due, in ns of CLOCK_MONOTONIC.
    var due: Int64?
    /// How late this thread has come to a step, at most; it fades gradually.
    var lateness = Duration.zero
    package var status: Status?
    let publish: (Status) -> Void

    /// How far ahead events are handed out, in case a busy machine does not let this thread run for that long.
    static let horizon = Duration.seconds(4)
    /// The longest pause between steps: short while the clock is being learnt, longer once it is settled.
    static let wakes = (learning: Duration.milliseconds(80), settled: Duration.milliseconds(1700))
    /// The longest pause between steps while a microphone listens.
    static let listening = Duration.milliseconds(300)
    /// Events are placed anew as the clock gets better known, until they are this near.
    static let placedFor = Duration.milliseconds(350)
    /// How far the horizon's time must have moved for events to be placed anew while the clock is being learnt.
    static let leastMove = Duration.microseconds(5)
    /// How long a device is observed after a boundary until the boundary's row is written: these observations tell when
    /// it was heard.
    static let observedFor = Duration.seconds(1)
    /// The most time that a transaction is given to be decided.
    static let mostLead = Duration.seconds(2)
    /// How much later than possible the music begins, so that some of the card's silence precedes the first click.
    static let beginning = Duration.milliseconds(12)
    /// The least that is handed out at a time.
    static let leastSupply = Duration.milliseconds(10)
    /// How soon to look again if the output had no room, or has not decided.
    static let retry = Duration.milliseconds(20)
    /// How long a stop waits for an output that no longer decides.
    package static let patience = Duration.seconds(2)
    /// How far the start may be from its time by the wall clock before it is moved, in ns.
    static let startTolerance: Int64 = 100_000

    package init(
        _ performance: Performance, output: any Output, sound: Status.Sound, options: Conductor.Options,
        publish: @escaping (Status) -> Void
    ) {
        var begin = performance
        var leftHome: Int?
        if let practiced = options.practiced {
            begin.practice(practiced)
            leftHome = performance.first
        }
        music = Music(scheduler: Scheduler(begin, rate: output.rate), start: performance, leftHome: leftHome)
        self.output = output
        lead = output.leastLead
        self.options = options
        self.publish = publish
        stage = options.followsClock ? .learning : .live
        device = sound
        clock = CardClock(
            rate: output.rate, known: options.card, noise: output.pointerNoise, wanders: output.pointerWanders)
        log = BoundaryLog(
            options.log, times: options.logTimes, tallies: options.tallies, silent: options.silentSounds)
        leader = options.leader
        clock.leader = leader?.clock
    }

    /// The card's rate as learnt, to be remembered for another day; nil until it is known to better than 1 ppm.
    package var learnt: CardMemory.Entry? { clock.memory }
    /// CLOCK_MONOTONIC in ns from which the timing log counts; nil as long as nothing is known of the card's clock.
    package var origin: Double? { clock.origin }
    package var xruns: UInt64 = 0
    /// Whether it has ended by itself, not because the player asked for it.
    var hasPlayedAll: Bool { isOver && endedAt == nil }
    /// Whether the music stands still: paused, or at a hold that waits.
    var isStanding: Bool { music.isStanding(at: output.reading().nextFrame) }
    /// A descriptor that is readable when the output has news.
    var news: Int32? { output.news }

    var isOver: Bool { stage == .over }

    /// Starts the output. Call it before the first step.
    package mutating func begin() throws(EngineError) {
        if isLive { supply(output.reading()) }
        try output.start()
    }

    /// Takes a command; the next steps carry it out. A command after the end is dropped, and its task goes on at once.
    package mutating func take(_ command: WaitingCommand) {
        if case .tell(let word) = command.command {
            tell(word)
            command.done?.resume()
            return
        }
        guard endedAt == nil, !isOver else {
            command.done?.resume()
            return
        }
        if command.command == .stop { endedAt = output.reading().now }
        waiting.append(command)
        if proposal != nil { output.hurry() }
    }

    /// Ends the music with the next step, whatever still sounds.
    mutating func cut() {
        isCut = true
        endedAt = endedAt ?? output.reading().now
    }

    /// Does everything that is due now. Returns how long nothing needs to be done; nil once everything is over.
    package mutating func step() -> Duration? {
        let reading = output.reading()
        // A step that comes early was called for, and is not late.
        if let due { lateness = max(.nanoseconds(reading.now - due), lateness * 31 / 32) }
        // This comes first, so that music which has just been accepted follows the clock as well.
        _ = decide()
        learn(reading)
        record(reading)
        // An output without a thread decides at once, which makes room for the next transaction.
        while decide(), let hasRoom = propose(reading) { if !hasRoom { break } }
        checkEnd()
        show(output.reading())
        guard !isOver else {
            finish()
            return nil
        }
        let pause = pause(reading)
        due = reading.now + pause.nanoseconds
        return pause
    }

    // MARK: - Time

    var isLive: Bool { stage == .live }

    /// Whether little is known of the clock yet: then steps are frequent, and events are placed anew.
    var isLearning: Bool { options.followsClock && (!isLive || clock.isYoung || !clock.isSettled) }

    /// How far the horizon's time must have moved for events to be placed anew. A clock that is well known moves a
    /// little with every observation. That is not followed as long as it is less than the scatter of observations.
    var leastMove: Duration {
        guard !isLearning, leader == nil else { return LivePerformance.leastMove }
        return max(LivePerformance.leastMove, .nanoseconds(Int64(clock.model.usualMove * 1e9)))
    }

    /// How far ahead events are handed out: further if this machine has run the thread late.
    var reach: Duration { max(LivePerformance.horizon, LivePerformance.wakes.settled + lateness * 2) }

    /// How long nothing needs to be done.
    func pause(_ reading: OutputReading) -> Duration {
        // From a device that is away there is nothing to learn; it reports when it is back.
        let learns = isLearning && reading.failure == nil
        var pause = learns ? LivePerformance.wakes.learning : LivePerformance.wakes.settled
        if !output.hasRoom || !waiting.isEmpty { pause = LivePerformance.retry }
        if endedAt != nil { pause = min(pause, LivePerformance.wakes.learning) }
        if isLive, let end = music.scheduler.endFrame {
            let mapping = music.scheduler.mapping
            let left = mapping.time(of: end) - mapping.time(of: reading.heardFrame)
            pause = min(pause, max(left, .milliseconds(5)))
        }
        // A player wants to see soon how late a bar was.
        if options.due != nil { pause = min(pause, LivePerformance.listening) }
        if let next = nextBoundary(reading) { pause = min(pause, max(next, .milliseconds(1))) }
        return pause
    }

    func frames(_ duration: Duration) -> Int64 { NominalMapping(rate: output.rate, zero: 0).frame(atOrAfter: duration) }
}
