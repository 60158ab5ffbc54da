internal import CDrone
public import Timing

/// Where a live performance goes, and the time it goes by: a sound card, or the system clock where there is none.
///
/// Frames begin at 0, the start of the count-in; those before are silence while the card gets going.
public protocol Output: AnyObject, EventSink {
    /// Frames per second.
    var rate: Int { get }
    /// The least by which a look at the device may be wrong, in s.
    var pointerNoise: Double { get }
    /// Begins to play.
    func start() throws(EngineError)
    /// Takes back every event from `frame` on.
    func cut(at frame: Int64) throws(QueueFull)
    /// Says that every event before `frame` has been pushed.
    func setHorizon(_ frame: Int64)
    /// Ends by itself once `frame` has been heard.
    func end(at frame: Int64)
    /// What is heard now.
    func reading() -> OutputReading
    /// Looks at the device since the last call, oldest first; none where frames pass exactly at the nominal rate.
    func observations() -> [EpochObservation]
    /// Frames that nobody heard, told once or, while the device is away, first without an end. Ask after `reading`.
    func gaps() -> [Range<Int64>]
    /// Clicks, by their frames, that sounded although a cut had taken them back; each is told once. Ask after `gaps`.
    func strays() -> [Int64]
    /// Tells what has been learnt of the device: frames per second by CLOCK_MONOTONIC.
    func learn(rate: Double)
    /// Comes when the device has a new state or epoch, for who waits.
    var changes: AsyncStream<Void> { get }
}

extension Output {
    /// What a sound card's own pointer is good to.
    public var pointerNoise: Double { 10e-6 }
    /// What takes a cut at its word has none.
    public func strays() -> [Int64] { [] }
}

/// An observation, and the epoch that it belongs to: frames and times of different epochs have nothing in common.
public struct EpochObservation: Sendable, Equatable {
    /// Which frame, and when.
    public var clock: ClockObservation
    /// The stretch between two faults.
    public var epoch: UInt32

    /// Makes an observation.
    public init(clock: ClockObservation, epoch: UInt32) {
        self.clock = clock
        self.epoch = epoch
    }
}

/// What an output is doing, as read at one moment.
public struct OutputReading: Sendable, Equatable {
    /// CLOCK_MONOTONIC in ns at which `heardFrame` was heard.
    public var time: Int64
    /// The frame that was heard then.
    public var heardFrame: Int64
    /// The first frame that a command can still change.
    public var nextFrame: Int64
    /// How far behind that a command takes effect, so that what it brings is handed out by then.
    public var margin = Duration.milliseconds(4)
    /// The stretch between two faults: frames and time have one relation within it.
    public var epoch: UInt32 = 0
    /// Whether `heardFrame` is all there is to know: the frames pass at the nominal rate, by the clock.
    public var isNominal = false
    /// How often the device ran dry, went away, or slept with the machine.
    public var xruns: UInt64 = 0
    /// How often the device went away.
    public var losses: UInt64 = 0
    /// How often the machine slept.
    public var suspends: UInt64 = 0
    /// How often the audio thread has woken up.
    public var wakes: UInt64 = 0
    /// Whether the audio thread has real-time priority.
    public var isRealTime = false
    /// Clicks left out because too many sounded at once.
    public var droppedClicks: UInt64 = 0
    /// Whether the end has been heard.
    public var hasEnded = false
    /// Why the device is away, in words; nil while it plays.
    public var failure: String?

    /// A reading of an output that plays; change what else there is to say.
    public init(time: Int64, heardFrame: Int64, nextFrame: Int64) {
        self.time = time
        self.heardFrame = heardFrame
        self.nextFrame = nextFrame
    }
}

/// CLOCK_MONOTONIC in ns: the clock of every reading and status.
public func monotonicNanoseconds() -> Int64 { drone_now_ns() }

/// An output without sound: frames pass by the system clock.
public final class SilentOutput: Output {
    /// Frames per second of the silence.
    public let rate = 48000
    private var started: Int64?
    private var endFrame = Int64.max
    private let now: () -> Int64

    /// Makes an output. `now` gives CLOCK_MONOTONIC in ns, or a simulated time.
    public init(now: @escaping () -> Int64 = monotonicNanoseconds) { self.now = now }

    /// The clock is at frame 0.
    public func start() throws(EngineError) { started = now() }
    /// Nothing sounds.
    public func push(_ event: Event) throws(QueueFull) {}
    /// There is nothing to take back.
    public func cut(at frame: Int64) throws(QueueFull) {}
    /// Time waits for nobody.
    public func setHorizon(_ frame: Int64) {}
    /// Ends when `frame` would have been heard.
    public func end(at frame: Int64) { endFrame = frame }

    /// The frame that would be heard now.
    public func reading() -> OutputReading {
        let time = now()
        let (seconds, rest) = (time - (started ?? time)).quotientAndRemainder(dividingBy: 1_000_000_000)
        let frame = seconds * Int64(rate) + rest * Int64(rate) / 1_000_000_000
        var reading = OutputReading(time: time, heardFrame: frame, nextFrame: frame)
        reading.isNominal = true
        reading.hasEnded = frame >= endFrame
        return reading
    }

    /// Nothing is to be learnt of the clock itself.
    public func observations() -> [EpochObservation] { [] }
    /// Every frame passes.
    public func gaps() -> [Range<Int64>] { [] }
    /// Nothing is to be learnt of the clock itself.
    public func learn(rate: Double) {}
    /// Nothing ever happens to silence.
    public var changes: AsyncStream<Void> { AsyncStream { $0.finish() } }
}
