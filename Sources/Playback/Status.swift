public import Scores
public import Timing

/// The state of a performance: enough to tell what is heard at any moment until the next status comes.
///
/// Screens take the newest and ask it for the `moment` they show; they need no wake-up from the audio side.
public struct Status: Sendable {
    /// The performance.
    public package(set) var performance: Performance
    /// Where the music stood, and how fast it goes from there.
    public package(set) var anchor: Anchor
    /// When the music begins after a count-in; nil if there is no count-in, or a jump has ended it.
    public package(set) var countsTo: Duration?
    /// How long before the end of the count-in each of its beats is heard; empty for a count-in in seconds.
    package(set) public var countInBeats: [Duration] = []
    /// The clicks of the count-in that are heard, from the first to the last.
    package var countInClicks: [CountInClick] = []
    /// When the count-in or the first bar begins, if a start time was set; nil otherwise.
    public package(set) var begins: Duration?
    /// The position at which the music stands still; nil while it goes on.
    public package(set) var pausedPosition: Duration?
    /// Where the music waits for the player, or will wait once it gets there; nil if no such place is known yet.
    public package(set) var held: HeldMusic?
    /// CLOCK_MONOTONIC in ns at which time zero is, was or would have been heard.
    public package(set) var zeroHeard: Int64
    /// Where the sound goes.
    public package(set) var sound: Sound
    /// How often the card ran dry.
    public package(set) var xruns: UInt64 = 0
    /// Clicks left out: too late, or too many at once.
    public package(set) var lostClicks: UInt64 = 0
    /// How long it takes at present until a command is heard.
    public package(set) var commandDelay = Duration.zero
    /// The problem with the network of a follower; nil if there is none.
    public package(set) var network: String?
    /// Whether the performance is over.
    public package(set) var hasEnded = false
    /// CLOCK_MONOTONIC in ns at which a stop was asked for; nil if none was.
    public package(set) var endedAt: Int64?
    /// The passage that was asked for at the start.
    public package(set) var home: Passage
    /// Whether that passage is played, and not stretches chosen for practice.
    public package(set) var isHome = true
    /// How many commands have been carried out; a new number means a new state.
    public package(set) var commandCount = 0

    /// Makes a status of a performance that is played as it was asked for.
    package init(
        performance: Performance, anchor: Anchor, countsTo: Duration?, pausedPosition: Duration?, zeroHeard: Int64,
        sound: Sound
    ) {
        self.performance = performance
        self.anchor = anchor
        self.countsTo = countsTo
        self.pausedPosition = pausedPosition
        self.zeroHeard = zeroHeard
        self.sound = sound
        home = performance.passage
    }

    /// Where the sound goes.
    public enum Sound: Sendable, Equatable {
        /// Into a device.
        case device(String)
        /// Nowhere, for the reason given.
        case silent(String)
        /// Into a device that failed, for the reason given.
        case lost(String, reason: String)
    }

    /// Whether it shows the same as another status. Small differences in time do not count.
    func looksLike(_ other: Status) -> Bool {
        anchor == other.anchor && countsTo == other.countsTo && countInBeats == other.countInBeats
            && pausedPosition == other.pausedPosition && begins == other.begins && held == other.held
            && abs(zeroHeard - other.zeroHeard) < 1_000_000
            && sound == other.sound && xruns == other.xruns && commandCount == other.commandCount
            && lostClicks == other.lostClicks && hasEnded == other.hasEnded && network == other.network
            && (commandDelay - other.commandDelay).magnitude < .milliseconds(20)
    }

    /// The speed now.
    public var speed: Speed { anchor.speed }

    /// What is heard at a moment of CLOCK_MONOTONIC, in ns.
    public func moment(at now: Int64) -> Moment {
        let time = Duration.nanoseconds(now) - .nanoseconds(zeroHeard)
        if hasEnded { return .end }
        if pausedPosition == nil, let begins, time < begins { return .waiting(left: begins - time) }
        if pausedPosition == nil, let countsTo, time < countsTo { return .countIn(left: countsTo - time) }
        var position = pausedPosition ?? max(anchor.position(at: time), anchor.position)
        let passage = performance.passage
        var waiting: HeldMusic?
        if let held, pausedPosition == nil, position >= held.position { (position, waiting) = (held.position, held) }
        if waiting == nil, let total = passage.total, position >= total { return .end }
        let n = waiting?.boundary ?? passage.boundary(at: max(position, .zero))
        let (bar, begin, speed) = (passage.bar(of: n), passage.position(of: n), anchor.speed)
        let hold = performance.holds(inBar: n).first { !$0.waits && $0.span.contains(position) }.map { hold in
            Moment.Hold(
                left: speed.realDuration(of: hold.span.upperBound - position),
                duration: speed.realDuration(of: hold.span.upperBound - hold.span.lowerBound))
        }
        let state: Moment.State =
            if pausedPosition != nil {
                .paused(hold)
            } else if waiting != nil {
                .untilCue(waited: max(time - anchor.time(of: position), .zero))
            } else {
                .playing(hold)
            }
        return .bar(
            Moment.Bar(
                boundary: n, pass: passage.passNumber(of: n), bar: bar, position: position,
                left: speed.realDuration(of: begin + bar.duration - position),
                duration: speed.realDuration(of: bar.duration),
                elapsed: speed.realDuration(of: max(position, .zero)),
                total: passage.total.map(speed.realDuration(of:)), state: state))
    }

    /// The boundary whose bar is heard, or counted in, at a moment of CLOCK_MONOTONIC, in ns.
    public func boundary(at now: Int64) -> Int {
        if case .bar(let bar) = moment(at: now) { return bar.boundary }
        let passage = performance.passage
        return hasEnded ? max((passage.count ?? 1) - 1, 0) : passage.boundary(at: max(anchor.position, .zero))
    }

    /// What was heard when a stop was asked for; `end` if none was.
    public var last: Moment {
        var status = self
        status.hasEnded = false
        return endedAt.map { status.moment(at: $0) } ?? .end
    }

    /// The bars of the piece that are looped; nil if no loop has been asked for.
    public var loop: Range<Int>? {
        let passage = performance.passage
        return !isHome && passage.stretches.count == 1 && passage.passes == nil ? passage.bars : nil
    }

    /// When boundary `n` is heard, by CLOCK_MONOTONIC in ns, if the music goes on as at present.
    public func heard(boundary n: Int) -> Int64 {
        let time = anchor.time(of: performance.passage.position(of: n))
        return Int64(clamping: Int128(zeroHeard) + time.attoseconds / 1_000_000_000)
    }

    /// When a hold in the bar of boundary `n` begins or ends next after `now`, by CLOCK_MONOTONIC in ns, if the music goes
    /// on as at present; nil if none does.
    package func nextHoldEdge(inBar n: Int, after now: Int64) -> Int64? {
        let edges = performance.holds(inBar: n).flatMap { [$0.span.lowerBound, $0.span.upperBound] }
        let times = edges.map { anchor.time(of: $0).attoseconds }
        // Rounded up: at that moment the edge has been reached.
        return times.map { Int64(clamping: Int128(zeroHeard) + ($0 + 999_999_999) / 1_000_000_000) }
            .first { $0 > now }
    }
}

/// What is heard at one moment.
public enum Moment: Sendable, Equatable {
    /// Nothing yet, and how long it is until the start time that was set.
    case waiting(left: Duration)
    /// The count-in, and how much of it is left.
    case countIn(left: Duration)
    /// A bar.
    case bar(Bar)
    /// Nothing more.
    case end

    /// A bar that sounds, in real time (speed included).
    public struct Bar: Sendable, Equatable {
        /// The boundary that began it.
        public var boundary: Int
        /// The pass through the passage, from 1.
        public var pass: Int
        /// The bar.
        public var bar: TimedBar
        /// The position of the music in the passage, as score time.
        public var position: Duration
        /// The time that is left of it.
        public var left: Duration
        /// Its duration.
        public var duration: Duration
        /// How long everything so far has taken, as if at this speed from the start.
        public var elapsed: Duration
        /// How long the whole takes at this speed; nil if it has no end.
        public var total: Duration?
        /// What the music does in it.
        public var state: State
    }

    /// What the music does in a bar.
    public enum State: Sendable, Equatable {
        /// It goes on; in a hold that ends by itself, with that hold.
        case playing(Hold?)
        /// It stands still because it was paused; in a hold that ends by itself, with that hold.
        case paused(Hold?)
        /// It waits at a hold until the player goes on, and has waited so long.
        case untilCue(waited: Duration)
    }

    /// A hold that ends by itself, in real time (speed included).
    public struct Hold: Sendable, Equatable {
        /// The time that is left of it.
        public var left: Duration
        /// Its duration.
        public var duration: Duration
    }
}

extension Moment.Bar {
    /// Whether the music stands still because it was paused.
    public var isPaused: Bool { if case .paused = state { true } else { false } }

    /// Whether the music waits at a hold until the player goes on.
    public var isWaiting: Bool { if case .untilCue = state { true } else { false } }

    /// Whether the music is in a hold, of either kind, and not paused.
    public var isHolding: Bool { isWaiting || !isPaused && hold != nil }

    /// The hold that ends by itself in which the music is, paused or not; nil if it is in none.
    public var hold: Moment.Hold? {
        switch state {
        case .playing(let hold), .paused(let hold): hold
        case .untilCue: nil
        }
    }

    /// How long the music has waited at a hold until the player goes on; zero if it does not wait.
    public var waited: Duration { if case .untilCue(let waited) = state { waited } else { .zero } }
}

extension Duration {
    fileprivate var magnitude: Duration { self < .zero ? .zero - self : self }
}
