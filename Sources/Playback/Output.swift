internal import CDrone
package import Timing

/// Where a live performance is played, and the time that it follows: a sound card or, without one, the system clock.
///
/// Frames count from 0, the start of the count-in; the frames before are silence while the card gets going. Events are
/// handed over in transactions: they take effect together, once they have been committed and accepted, or not at all.
package protocol Output: AnyObject, EventSink {
    /// Frames per second.
    var rate: Int { get }
    /// The least error of an observation of the device, in s.
    var pointerNoise: Double { get }
    /// Whether the errors of observations wander, as those of a sound server do.
    var pointerWanders: Bool { get }
    /// Whether it sounds. Without sound, nothing comes too late: boundaries pass by the clock, whoever hears of them.
    var sounds: Bool { get }
    /// Begins to play.
    func start() throws(EngineError)
    /// Opens a transaction that replaces every event from `frame` on; false when there is no room for one now.
    func begin(at frame: Int64) -> Bool
    /// Hands over the events that have been pushed. Every event before `horizon` is then known, and the output ends by
    /// itself once frame `end` has been heard. Returns the transaction's number; nil if nothing was pushed, and there
    /// is no room for an empty transaction.
    func commit(horizon: Int64, end: Int64) -> UInt32?
    /// The newest transaction that has been decided, and whether it took effect; the number is 0 before the first.
    var verdict: (number: UInt32, isTaken: Bool) { get }
    /// Asks for all committed transactions to be decided as soon as possible; the verdict is news.
    func hurry()
    /// The least time that it takes until a transaction is decided.
    var leastLead: Duration { get }
    /// The first frame that a transaction can replace if it is decided within `lead` from now.
    func reach(within lead: Duration) -> Int64
    /// Reads the output's state now.
    func reading() -> OutputReading
    /// Observations of the device since the last call, oldest first; none if frames pass exactly at the nominal rate.
    func observations() -> [EpochObservation]
    /// The gaps since the last call; ask after `reading`. One without an end comes again when the device is back.
    func gaps() -> [Gap]
    /// Tells the output what has been learnt of the device's clock, so that it can find frames and notice deviations.
    func learn(_ model: ClockModel)
    /// A descriptor that is readable when there is news: another state or epoch, a verdict after `hurry`. The caller
    /// then reads eight bytes from it. nil if there is never any news.
    var news: Int32? { get }
}

extension Output {
    /// The error of a sound card's own pointer.
    package var pointerNoise: Double { 10e-6 }
    package var pointerWanders: Bool { false }
    package var sounds: Bool { true }
    /// The time that a transaction takes on its way to another thread.
    package var leastLead: Duration { .milliseconds(4) }
}

/// An observation and its epoch: frames and times of different epochs have nothing in common.
package struct EpochObservation: Sendable, Equatable {
    /// Which frame, and when.
    package var clock: ClockObservation
    /// The number of the stretch between two faults.
    package var epoch: UInt32

    package init(clock: ClockObservation, epoch: UInt32) {
        (self.clock, self.epoch) = (clock, epoch)
    }
}

/// Frames that nobody heard, and why.
package struct Gap: Sendable, Equatable {
    /// The frames; up to `Int64.max` while the device is away.
    package var frames: Range<Int64>
    package var cause: Cause

    package init(frames: Range<Int64>, cause: Cause) {
        (self.frames, self.cause) = (frames, cause)
    }

    package enum Cause: Sendable, Equatable {
        /// It ran dry.
        case underrun
        /// It went away, or was suspended with the machine.
        case away
    }
}

/// The state of an output, as read at one moment.
package struct OutputReading: Sendable, Equatable {
    /// CLOCK_MONOTONIC in ns at which it was read.
    package var now: Int64
    /// CLOCK_MONOTONIC in ns at which `heardFrame` was heard.
    package var time: Int64
    /// The frame that was heard then.
    package var heardFrame: Int64
    /// The first frame that can still be changed; it advances with time.
    package var nextFrame: Int64
    /// The first frame that the device has not been given; `Int64.max` without a device.
    package var writtenFrame = Int64.max
    /// How long it takes at present until a command is heard.
    package var commandDelay = Duration.zero
    /// The number of the stretch between two faults; within it, frames and time have one relation.
    package var epoch: UInt32 = 0
    /// Whether frames pass by the clock, at the nominal rate, so that there is nothing to learn besides `heardFrame`.
    package var isNominal = false
    /// By how many frames the newest command's transaction came sooner than it had to; negative if it came too late.
    package var slackFrames: Int64 = 0
    /// How often the device ran dry.
    package var xruns: UInt64 = 0
    /// How often the machine was suspended.
    package var suspends: UInt64 = 0
    /// How often the audio thread has woken up.
    package var wakes: UInt64 = 0
    /// Clicks left out because too many sounded at once.
    package var droppedClicks: UInt64 = 0
    /// Whether the end has been heard.
    package var hasEnded = false
    /// Why the device is away, in words; nil while it plays.
    package var failure: String?
    /// Why nothing is heard now, in words for people: the device is away, has not moved since, or does not answer. nil
    /// if it is heard.
    package var silence: String?
    /// Whether a call of the device has not returned for a second: no command is decided.
    package var isStuck = false

    /// Makes a reading of an output that plays; set the other properties afterwards.
    package init(now: Int64, time: Int64, heardFrame: Int64, nextFrame: Int64) {
        (self.now, self.time, self.heardFrame, self.nextFrame) = (now, time, heardFrame, nextFrame)
    }
}

/// CLOCK_MONOTONIC in ns: the clock of every reading and status.
public func monotonicNanoseconds() -> Int64 { drone_now_ns() }

/// Whether the kernel's wall clock is kept in step with another clock, as by NTP.
package func isWallClockSynchronized() -> Bool { drone_clock_is_synchronized() }

/// An output without sound: frames pass by the system clock.
package final class SilentOutput: Output {
    package let rate = 48000
    package var sounds: Bool { false }
    private var started: Int64?
    private var endFrame = Int64.max
    private var committed: UInt32 = 0
    private let now: () -> Int64

    /// Makes an output. `now` gives CLOCK_MONOTONIC in ns, or a simulated time.
    package init(now: @escaping () -> Int64 = monotonicNanoseconds) { self.now = now }

    /// Starts the clock at frame 0.
    package func start() throws(EngineError) { started = now() }
    package var hasRoom: Bool { true }
    package func push(_ event: Event) -> Bool { true }
    package func begin(at frame: Int64) -> Bool { true }
    package func commit(horizon: Int64, end: Int64) -> UInt32? {
        endFrame = end
        committed = committed &+ 1 == 0 ? 1 : committed &+ 1
        return committed
    }
    /// Every transaction takes effect at once.
    package var verdict: (number: UInt32, isTaken: Bool) { (committed, true) }
    package func hurry() {}
    package func reach(within lead: Duration) -> Int64 { reading().heardFrame }

    package func reading() -> OutputReading {
        let time = now()
        let (seconds, rest) = (time - (started ?? time)).quotientAndRemainder(dividingBy: 1_000_000_000)
        let frame = seconds * Int64(rate) + rest * Int64(rate) / 1_000_000_000
        var reading = OutputReading(now: time, time: time, heardFrame: frame, nextFrame: frame)
        reading.isNominal = true
        reading.hasEnded = frame >= endFrame
        return reading
    }

    package func observations() -> [EpochObservation] { [] }
    package func gaps() -> [Gap] { [] }
    package func learn(_ model: ClockModel) {}
    package var news: Int32? { nil }
}
