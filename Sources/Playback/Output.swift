internal import CDrone
package import Timing

/// Where a live performance goes, and the time it goes by: a sound card, or the system clock where there is none.
///
/// Frames begin at 0, the start of the count-in; those before are silence while the card gets going. Events go to it in
/// transactions: what is pushed takes effect as a whole once it has been committed and decided, or not at all.
package protocol Output: AnyObject, EventSink {
    /// Frames per second.
    var rate: Int { get }
    /// The least by which a look at the device may be wrong, in s.
    var pointerNoise: Double { get }
    /// Begins to play.
    func start() throws(EngineError)
    /// Opens a transaction that replaces every event from `frame` on; false when there is no room for one now.
    func begin(at frame: Int64) -> Bool
    /// Hands over what has been pushed; with it every event before `horizon` is known, and the output ends by itself once
    /// frame `end` has been heard. Returns its number; nil when there is no room, and nothing was pushed.
    func commit(horizon: Int64, end: Int64) -> UInt32?
    /// The newest transaction that has been decided, and whether it took effect; the number is 0 before the first.
    var verdict: (number: UInt32, isTaken: Bool) { get }
    /// Has what has been committed decided as soon as can be; the verdict is news.
    func hurry()
    /// How long it takes at least until a transaction is decided.
    var leastLead: Duration { get }
    /// The first frame that a transaction can replace if it is decided within `lead` from now.
    func reach(within lead: Duration) -> Int64
    /// What is heard now.
    func reading() -> OutputReading
    /// Looks at the device since the last call, oldest first; none where frames pass exactly at the nominal rate.
    func observations() -> [EpochObservation]
    /// Frames that nobody heard, told once or, while the device is away, first without an end. Ask after `reading`.
    func gaps() -> [Gap]
    /// Tells what has been learnt of the device: frames per second by CLOCK_MONOTONIC.
    func learn(rate: Double)
    /// A descriptor that is readable when there is news: another state or epoch, a verdict that was hurried. Eight bytes are
    /// read from it then. nil where nothing ever happens.
    var news: Int32? { get }
}

extension Output {
    /// What a sound card's own pointer is good to.
    package var pointerNoise: Double { 10e-6 }
    /// What the way to another thread takes.
    package var leastLead: Duration { .milliseconds(4) }
}

/// An observation, and the epoch that it belongs to: frames and times of different epochs have nothing in common.
package struct EpochObservation: Sendable, Equatable {
    /// Which frame, and when.
    package var clock: ClockObservation
    /// The stretch between two faults.
    package var epoch: UInt32

    /// Makes an observation.
    package init(clock: ClockObservation, epoch: UInt32) {
        self.clock = clock
        self.epoch = epoch
    }
}

/// Frames that nobody heard, and why.
package struct Gap: Sendable, Equatable {
    /// The frames; up to `Int64.max` while the device is away.
    package var frames: Range<Int64>
    /// What befell the device.
    package var cause: Cause

    /// What can befall a device.
    package enum Cause: Sendable, Equatable {
        /// It ran dry.
        case underrun
        /// It went away, or slept with the machine.
        case away
    }

    /// Makes a gap.
    package init(_ frames: Range<Int64>, _ cause: Cause) {
        self.frames = frames
        self.cause = cause
    }
}

/// What an output is doing, as read at one moment.
package struct OutputReading: Sendable, Equatable {
    /// CLOCK_MONOTONIC in ns at which it was read.
    package var now: Int64
    /// CLOCK_MONOTONIC in ns at which `heardFrame` was heard.
    package var time: Int64
    /// The frame that was heard then.
    package var heardFrame: Int64
    /// The first frame that can still be changed; with time it moves on.
    package var nextFrame: Int64
    /// How long it takes until a command is heard, as things are.
    package var commandDelay = Duration.zero
    /// The stretch between two faults: frames and time have one relation within it.
    package var epoch: UInt32 = 0
    /// Whether `heardFrame` is all there is to know: the frames pass at the nominal rate, by the clock.
    package var isNominal = false
    /// By how many frames the newest command's transaction came sooner than it had to; below zero it came too late.
    package var slackFrames: Int64 = 0
    /// How often the device ran dry.
    package var xruns: UInt64 = 0
    /// How often the device went away.
    package var losses: UInt64 = 0
    /// How often the machine slept.
    package var suspends: UInt64 = 0
    /// How often the audio thread has woken up.
    package var wakes: UInt64 = 0
    /// Whether the audio thread has real-time priority.
    package var isRealTime = false
    /// The audio thread's id in the system; nil where there is none.
    package var thread: Int64?
    /// Clicks left out because too many sounded at once.
    package var droppedClicks: UInt64 = 0
    /// Whether the end has been heard.
    package var hasEnded = false
    /// Why the device is away, in words; nil while it plays.
    package var failure: String?

    /// A reading of an output that plays; change what else there is to say.
    package init(now: Int64, time: Int64, heardFrame: Int64, nextFrame: Int64) {
        self.now = now
        self.time = time
        self.heardFrame = heardFrame
        self.nextFrame = nextFrame
    }
}

/// CLOCK_MONOTONIC in ns: the clock of every reading and status.
public func monotonicNanoseconds() -> Int64 { drone_now_ns() }

/// An output without sound: frames pass by the system clock.
package final class SilentOutput: Output {
    /// Frames per second of the silence.
    package let rate = 48000
    private var started: Int64?
    private var endFrame = Int64.max
    private var committed: UInt32 = 0
    private let now: () -> Int64

    /// Makes an output. `now` gives CLOCK_MONOTONIC in ns, or a simulated time.
    package init(now: @escaping () -> Int64 = monotonicNanoseconds) { self.now = now }

    /// The clock is at frame 0.
    package func start() throws(EngineError) { started = now() }
    /// Silence takes anything.
    package var hasRoom: Bool { true }
    /// Nothing sounds.
    package func push(_ event: Event) {}
    /// There is nothing to replace.
    package func begin(at frame: Int64) -> Bool { true }
    /// What nobody hears takes effect at once.
    package func commit(horizon: Int64, end: Int64) -> UInt32? {
        endFrame = end
        committed = committed &+ 1 == 0 ? 1 : committed &+ 1
        return committed
    }
    /// What nobody hears takes effect at once.
    package var verdict: (number: UInt32, isTaken: Bool) { (committed, true) }
    /// It is in no hurry.
    package func hurry() {}
    /// The frame that would be heard now.
    package func reach(within lead: Duration) -> Int64 { reading().heardFrame }

    /// The frame that would be heard now.
    package func reading() -> OutputReading {
        let time = now()
        let (seconds, rest) = (time - (started ?? time)).quotientAndRemainder(dividingBy: 1_000_000_000)
        let frame = seconds * Int64(rate) + rest * Int64(rate) / 1_000_000_000
        var reading = OutputReading(now: time, time: time, heardFrame: frame, nextFrame: frame)
        reading.isNominal = true
        reading.hasEnded = frame >= endFrame
        return reading
    }

    /// Nothing is to be learnt of the clock itself.
    package func observations() -> [EpochObservation] { [] }
    /// Every frame passes.
    package func gaps() -> [Gap] { [] }
    /// Nothing is to be learnt of the clock itself.
    package func learn(rate: Double) {}
    /// Nothing ever happens to silence.
    package var news: Int32? { nil }
}

/// Has the calling thread live by another clock than CLOCK_MONOTONIC while `body` runs: `now` gives ns.
package func withClock<Result>(_ now: () -> Int64, _ body: () throws -> Result) rethrows -> Result {
    try withoutActuallyEscaping(now) { now in
        let box = ClockBox(now)
        return try withExtendedLifetime(box) {
            var clock = drone_clock(
                now_ns: { $0.map { Unmanaged<ClockBox>.fromOpaque($0).takeUnretainedValue().now() } ?? 0 },
                context: Unmanaged.passUnretained(box).toOpaque())
            return try withUnsafePointer(to: &clock) { pointer in
                drone_use_clock(pointer)
                defer { drone_use_clock(nil) }
                return try body()
            }
        }
    }
}

private final class ClockBox {
    let now: () -> Int64
    init(_ now: @escaping () -> Int64) { self.now = now }
}
