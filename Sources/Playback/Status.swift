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
    /// The pause in which the music stands still; nil while it goes on.
    public package(set) var pause: Pause?
    /// When the music goes on, or went on, after its last pause; nil if there was none.
    package var resumed: Duration?
    /// Where the music waits for the player, or will wait once it gets there; nil if no such place is near.
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
    /// How much later than the device reports the sound is heard, as the player has told.
    public package(set) var latency = Duration.zero
    /// The problem with the network of a follower; nil if there is none.
    public package(set) var network: String?
    /// Whether the performance goes on.
    public package(set) var stage = Stage.going
    /// Whether the player has asked for the end; it may not have taken effect yet.
    public package(set) var isStopping = false
    /// The passage that was asked for at the start.
    public package(set) var home: Passage
    /// Whether that passage is played, and not stretches chosen for practice.
    public package(set) var isHome = true
    /// How many commands have been carried out; a new number means a new state.
    public package(set) var commandCount = 0
    /// How many of them were jumps. Without one, no boundary is heard twice.
    package var jumps = 0
    /// How often its boundaries were numbered anew.
    package var passages = 0
    /// When the last command takes, or took, effect, in time after time zero: until then, the music is heard as before. Nil
    /// if there was none, or nobody knows.
    package var effect: Duration?
    /// The frame of that moment, by the device's count: its time is only an estimate.
    package var effectFrame: Int64?

    /// The player's notes about this take, the oldest first.
    public package(set) var marks: [Told] = []
    /// So many notes are kept; the stand refuses more.
    package static let mostMarks = 100

    /// The player's last tap, note or message. It is nil until there is one.
    public package(set) var told: Told?

    /// What a microphone has heard of the last bars that are known, in order; empty if none listens, or none is known yet.
    package var lastHeard: [Heard] = []
    /// The last one of these.
    package var heard: Heard? { lastHeard.last }

    /// Makes a status of a performance that is played as it was asked for.
    package init(
        performance: Performance, anchor: Anchor, countsTo: Duration?, pause: Pause?, zeroHeard: Int64, sound: Sound
    ) {
        self.performance = performance
        self.anchor = anchor
        self.countsTo = countsTo
        self.pause = pause
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
            && pause == other.pause && begins == other.begins && held == other.held
            && abs(zeroHeard - other.zeroHeard) < 1_000_000
            && sound == other.sound && xruns == other.xruns && commandCount == other.commandCount
            && lostClicks == other.lostClicks && stage == other.stage && isStopping == other.isStopping
            && network == other.network && told?.number == other.told?.number && heard?.number == other.heard?.number
            && (commandDelay - other.commandDelay).magnitude < .milliseconds(20)
    }

    /// The speed of the whole performance. A step of a practice program can have a speed on top of it.
    public var speed: Speed { anchor.speed }

    /// The speed at which the bar of boundary `n` sounds.
    public func speed(of n: Int) -> Speed { performance.passage.stretch(of: n).speed.on(speed) }

    /// The highest speed of a practice program, such as the top of a ladder; nil if it has only one speed.
    public var targetSpeed: Speed? {
        let speeds = performance.passage.stretches.map(\.speed)
        guard let highest = speeds.max(by: { $0.millionths < $1.millionths }), Set(speeds).count > 1 else { return nil }
        return highest.on(speed)
    }

    /// What is heard at a moment of CLOCK_MONOTONIC, in ns. While the end fades, this is what was heard last.
    public func moment(at now: Int64) -> Moment {
        switch stage {
        case .going: music(at: .nanoseconds(now) - .nanoseconds(zeroHeard))
        case .fading(.stopped(let moment)): moment
        case .fading(.complete), .over: .end
        }
    }

    /// What is heard at a time after time zero, if the performance has not been ended before.
    func music(at time: Duration) -> Moment {
        let (now, isPaused) = (time, pause != nil)
        // From a command on until it takes effect, the music stands.
        var time = pause?.time ?? max(now, resumed ?? now)
        // In a pause, a start keeps its time of day; after that, the music stands at its beginning.
        if let begins, time < begins { time = min(now, begins) }
        if let begins, time < begins { return .waiting(left: begins - time, isPaused: isPaused) }
        if let countsTo, time < countsTo { return .countIn(left: countsTo - time, isPaused: isPaused) }
        var position = max(anchor.position(at: time), anchor.position)
        let passage = performance.passage
        var waiting: HeldMusic?
        if let held, position >= held.position { (position, waiting) = (held.position, held) }
        if waiting == nil, let total = passage.total, position >= total { return .end }
        let n = waiting?.boundary ?? passage.boundary(at: max(position, .zero))
        let (bar, begin, speed) = (passage.bar(of: n), passage.position(of: n), anchor.speed)
        let hold = performance.holds(inBar: n).first { !$0.waits && $0.span.contains(position) }.map { hold in
            Moment.Hold(
                left: speed.realDuration(of: hold.span.upperBound - position),
                duration: speed.realDuration(of: hold.span.upperBound - hold.span.lowerBound))
        }
        let state: Moment.State =
            if isPaused {
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
                elapsed: performance.clock(at: max(position, .zero), inBarOf: n), total: performance.clockEnd,
                state: state))
    }

    /// The position at which the music stands still; nil while it goes on.
    public var pausedPosition: Duration? {
        pause.map { _ in position(at: .zero) }
    }

    /// The position of the music at a time after time zero, or where it stands still.
    package func position(at time: Duration) -> Duration {
        let position = max(anchor.position(at: pause?.time ?? time), anchor.position, .zero)
        return held.map { min(position, $0.position) } ?? position
    }

    /// The boundary whose bar is heard, or counted in, at a moment of CLOCK_MONOTONIC, in ns; after the end the last one
    /// that was heard.
    public func boundary(at now: Int64) -> Int {
        let passage = performance.passage
        let last = max((passage.count ?? 1) - 1, 0)
        if let ending { return lastBoundary ?? (ending == .complete ? last : 0) }
        switch moment(at: now) {
        case .bar(let bar): return bar.boundary
        // The last bar is over, and the drone has still to fade.
        case .end: return last
        case .waiting, .countIn: return passage.boundary(at: max(anchor.position, .zero))
        }
    }

    /// The bars of the piece that are looped; nil if no loop has been asked for.
    public var loop: Range<Int>? {
        let passage = performance.passage
        return !isHome && passage.stretches.count == 1 && passage.passes == nil ? passage.bars : nil
    }

    /// The bars that a loop repeats, or a program that plays the same bars in every step; nil if neither is on.
    package var practicedBars: Range<Int>? {
        let stretches = performance.passage.stretches
        return !isHome && stretches.allSatisfy { $0.bars == stretches[0].bars } ? stretches[0].bars : nil
    }

    /// When boundary `n` is heard, by CLOCK_MONOTONIC in ns, if the music goes on as at present.
    public func heard(boundary n: Int) -> Int64 { heard(at: performance.passage.position(of: n)) }

    /// The same of a position.
    package func heard(at position: Duration) -> Int64 { heard(time: anchor.time(of: position)) }

    /// When a time after time zero is heard, by CLOCK_MONOTONIC in ns.
    package func heard(time: Duration) -> Int64 {
        Int64(clamping: Int128(zeroHeard) + time.attoseconds / 1_000_000_000)
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

extension LeaderMusic {
    /// The music of a status, for followers.
    package init(_ status: Status) {
        let passage = status.performance.passage
        self.init(
            zero: status.zeroHeard, anchor: status.anchor, stretches: passage.stretches, passes: passage.passes)
        paused = status.pausedPosition
        if let pause = status.pause { pausedAhead = max(anchor.time - pause.time, .zero) }
        isTimed = status.begins != nil
        first = status.performance.first
        held = status.held
        countsIn = status.countsTo != nil
        countIn = status.performance.countIn
        waits = status.performance.waits
        (jumps, effect) = (status.jumps, status.effect)
        hasEnded = status.hasEnded || status.isStopping
    }
}
