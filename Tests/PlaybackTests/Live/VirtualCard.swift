import Playback
import Synchronization
import Timing

#if canImport(Glibc)
    import Glibc
#endif

/// A sound card and its audio thread in simulated time: exact, and deaf to what else the machine does.
final class VirtualCard: Output {
    /// What the card is like.
    struct Crystal: Sendable {
        /// Deviation of the rate, and a sine about it.
        var skew = 0.0
        var wander = 0.0
        var wanderPeriod = 600.0
        /// The pointer shows multiples of this only, and each up to `jitter` s late.
        var step: Int64 = 1
        var jitter = 0.0
        var rewinds = true
        var seed: UInt64 = 1

        /// Nominal frames that pass in `seconds` since the beginning.
        func frames(in seconds: Double) -> Double {
            let turn = 2 * Double.pi / wanderPeriod
            let wandered = wander * (1 - cos(turn * seconds)) / turn
            return 48_000 * (seconds * (1 + skew) + wandered)
        }
    }

    /// What happens to the card, at seconds since the beginning.
    enum Fault: Sendable {
        /// It stops, and is prepared anew a millisecond later.
        case underrun(Double)
        /// It goes away and comes back.
        case away(from: Double, to: Double, asleep: Bool)
        /// Its sound stands still for a while, and it says nothing.
        case stall(Double, for: Double)
        /// It leaves out frames, and says nothing.
        case jump(Double, frames: Int64)

        var time: Double {
            switch self {
            case .underrun(let time), .away(let time, _, _), .stall(let time, _), .jump(let time, _): time
            }
        }
    }

    let rate = 48_000
    let device: Device
    var changes: AsyncStream<Void> { AsyncStream { $0.finish() } }

    init(_ device: Device) { self.device = device }

    func start() throws(EngineError) { device.state.withLock { $0.start() } }
    func push(_ event: Event) throws(QueueFull) { device.state.withLock { $0.queue.append(.event(event)) } }
    func cut(at frame: Int64) throws(QueueFull) {
        device.state.withLock {
            $0.queue.append(.cut(frame))
            $0.horizon = min($0.horizon, frame)
            $0.hasCut = true
        }
    }
    func setHorizon(_ frame: Int64) { device.state.withLock { $0.set(horizon: frame) } }
    func end(at frame: Int64) { device.state.withLock { $0.end = frame } }
    func reading() -> OutputReading { device.state.withLock { $0.reading() } }
    func observations() -> [EpochObservation] {
        device.state.withLock { state in
            defer { state.observations = [] }
            return state.observations
        }
    }
    func gaps() -> [Range<Int64>] {
        device.state.withLock { state in
            defer { state.gaps = [] }
            return state.gaps
        }
    }
    func learn(rate: Double) { device.state.withLock { $0.learntRate = rate } }

    /// The card itself, as tests see it.
    final class Device: Sendable {
        let state: Mutex<State>

        init(_ crystal: Crystal = Crystal(), faults: [Fault] = []) {
            state = Mutex(State(crystal, faults))
        }

        /// Seconds since the beginning.
        var now: Double { state.withLock { $0.now } }
        /// What was heard: place, and true time in seconds.
        var heard: [(position: FramePosition, time: Double)] { state.withLock { $0.heard } }
        /// The drone's changes in the order in which they took effect.
        var tones: [Event] { state.withLock { $0.tones } }
        /// How often the audio thread has woken.
        var wakes: Int { state.withLock { $0.wakes } }

        /// Lets time pass, or less of it when the card has news.
        func pass(_ seconds: Double) { state.withLock { $0.pass(seconds) } }
    }
}
