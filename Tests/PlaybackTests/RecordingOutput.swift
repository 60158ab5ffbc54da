import Playback
import Synchronization
import Timing

/// An output whose frames pass when a test says so, and which records its events. It decides about each transaction at
/// once, or when a test says so.
final class RecordingOutput: Output {
    let rate = 48_000
    let state: Shared
    /// The open transaction: the frame from which it replaces events, nil if it replaces none, and its events.
    private var open: (frame: Int64?, events: [Event]) = (nil, [])
    private var committed: UInt32 = 0
    private var isTaken = true
    private var epoch: UInt32 = 0

    final class Shared: Sendable {
        let heard = Mutex(Int64(0))
        let events = Mutex<[Event]>([])
        let end = Mutex(Int64.max)
        let isOver = Mutex(false)
        /// How many of the next transactions that replace events are refused.
        let refusals = Mutex(0)
        /// Observations of the device that have not been fetched yet, with their epochs.
        let observations = Mutex<[EpochObservation]>([])
        /// Whether it cannot be started.
        let startFails = Mutex(false)
        /// The frames whose events are refused.
        let refused = Mutex<[Int64]>([])
        /// Whether it tells what it has decided.
        let decides = Mutex(true)
        /// Whether there is room.
        let hasRoom = Mutex(true)

        var clicks: [Int64] {
            events.withLock { $0 }.compactMap { event in
                if case .click = event.kind { event.position.frame } else { nil }
            }
        }
    }

    init(_ state: Shared) { self.state = state }

    func start() throws(EngineError) { if state.startFails.withLock({ $0 }) { throw .noThread } }
    var hasRoom: Bool { state.hasRoom.withLock { $0 } }
    func push(_ event: Event) -> Bool {
        if state.refused.withLock({ $0.contains(event.position.frame) }) { return false }
        open.events.append(event)
        return true
    }
    func begin(at frame: Int64) -> Bool {
        guard hasRoom else { return false }
        open = (frame, [])
        return true
    }
    func commit(horizon: Int64, end: Int64) -> UInt32? {
        isTaken = open.frame == nil || state.refusals.withLock { $0 } == 0
        if isTaken {
            state.end.withLock { $0 = end }
            state.events.withLock { events in
                if let frame = open.frame { events.removeAll { $0.position.frame >= frame } }
                events += open.events
            }
        } else {
            state.refusals.withLock { $0 -= 1 }
            // The time that the attempt took.
            state.heard.withLock { $0 += 100 }
        }
        open = (nil, [])
        committed += 1
        return committed
    }
    var verdict: (number: UInt32, isTaken: Bool) { state.decides.withLock { $0 } ? (committed, isTaken) : (0, false) }
    func hurry() {}
    func reach(within lead: Duration) -> Int64 {
        state.heard.withLock { $0 } + Int64(lead / .milliseconds(1)) * 48
    }
    func observations() -> [EpochObservation] {
        state.observations.withLock { observations in
            defer { observations = [] }
            if let epoch = observations.last?.epoch { self.epoch = epoch }
            return observations
        }
    }
    func gaps() -> [Gap] { [] }
    func learn(_ model: ClockModel) {}
    var news: Int32? { nil }

    func reading() -> OutputReading {
        let frame = state.heard.withLock { $0 }
        let time = frame * 1_000_000_000 / 48_000
        var reading = OutputReading(now: time, time: time, heardFrame: frame, nextFrame: frame)
        reading.epoch = state.observations.withLock { $0.last?.epoch } ?? epoch
        reading.hasEnded = state.isOver.withLock { $0 } || frame >= state.end.withLock { $0 }
        return reading
    }
}

/// The log of a performance by the frames of a recording output.
final class RecordedLog: Sendable {
    let output = RecordingOutput.Shared()
    private let kept = Mutex<[TimingRow]>([])

    var rows: [TimingRow] { kept.withLock { $0 } }

    /// Makes the conductor, which the caller keeps.
    func conductor(_ performance: Performance) -> Conductor {
        var options = Conductor.Options()
        options.followsClock = false
        options.log = { row in self.kept.withLock { $0.append(row) } }
        return Conductor(performance, output: RecordingOutput(output), sound: .device("recording"), options: options)
    }
}
