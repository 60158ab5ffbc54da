package import Playback
package import Synchronization
package import Timing

#if canImport(Glibc)
    import Glibc
#endif

/// A sound card and its audio thread in simulated time: exact, and deaf to what else the machine does.
package final class VirtualCard: Output {
    /// What the card is like.
    package struct Crystal: Sendable {
        /// Deviation of the rate, and a sine about it.
        package var skew = 0.0
        package var wander = 0.0
        package var wanderPeriod = 600.0
        /// The pointer shows multiples of this only, and each up to `jitter` s late.
        package var step: Int64 = 1
        package var jitter = 0.0
        package var rewinds = true
        package var seed: UInt64 = 1

        package init(
            skew: Double = 0, wander: Double = 0, step: Int64 = 1, jitter: Double = 0, rewinds: Bool = true,
            seed: UInt64 = 1
        ) {
            self.skew = skew
            self.wander = wander
            self.step = step
            self.jitter = jitter
            self.rewinds = rewinds
            self.seed = seed
        }

        /// Nominal frames that pass in `seconds` since the beginning.
        package func frames(in seconds: Double) -> Double {
            let turn = 2 * Double.pi / wanderPeriod
            let wandered = wander * (1 - cos(turn * seconds)) / turn
            return 48_000 * (seconds * (1 + skew) + wandered)
        }
    }

    /// What happens to the card, at seconds since the beginning.
    package enum Fault: Sendable {
        /// It stops, and is prepared anew a millisecond later.
        case underrun(Double)
        /// It goes away and comes back.
        case away(from: Double, to: Double, asleep: Bool)
        /// Its sound stands still for a while, and it says nothing.
        case stall(Double, for: Double)
        /// It leaves out frames, and says nothing.
        case jump(Double, frames: Int64)

        package var time: Double {
            switch self {
            case .underrun(let time), .away(let time, _, _), .stall(let time, _), .jump(let time, _): time
            }
        }
    }

    package let rate = 48_000
    package let device: Device
    package var changes: AsyncStream<Void> { AsyncStream { $0.finish() } }

    package init(_ device: Device) { self.device = device }

    package func start() throws(EngineError) { device.state.withLock { $0.start() } }
    package func push(_ event: Event) throws(QueueFull) { device.state.withLock { $0.queue.append(.event(event)) } }
    package func cut(at frame: Int64) throws(QueueFull) {
        device.state.withLock {
            $0.queue.append(.cut(frame))
            $0.horizon = min($0.horizon, frame)
            $0.hasCut = true
        }
    }
    package func setHorizon(_ frame: Int64) { device.state.withLock { $0.set(horizon: frame) } }
    package func end(at frame: Int64) { device.state.withLock { $0.end = frame } }
    package func reading() -> OutputReading { device.state.withLock { $0.reading() } }
    package func observations() -> [EpochObservation] {
        device.state.withLock { state in
            defer { state.observations = [] }
            return state.observations
        }
    }
    package func gaps() -> [Range<Int64>] {
        device.state.withLock { state in
            defer { state.gaps = [] }
            return state.gaps
        }
    }
    package func learn(rate: Double) { device.state.withLock { $0.learntRate = rate } }

    /// The card itself, as tests see it.
    package final class Device: Sendable {
        package let state: Mutex<State>

        package init(_ crystal: Crystal = Crystal(), faults: [Fault] = []) {
            state = Mutex(State(crystal, faults))
        }

        /// Seconds since the beginning.
        package var now: Double { state.withLock { $0.now } }
        /// What was heard: place, and true time in seconds.
        package var heard: [(position: FramePosition, time: Double)] { state.withLock { $0.heard } }
        /// The drone's changes in the order in which they took effect.
        package var tones: [Event] { state.withLock { $0.tones } }
        /// How often the audio thread has woken.
        package var wakes: Int { state.withLock { $0.wakes } }

        /// Lets time pass, or less of it when the card has news.
        package func pass(_ seconds: Double) { state.withLock { $0.pass(seconds) } }
    }
}
