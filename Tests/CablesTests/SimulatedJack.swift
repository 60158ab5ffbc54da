import Cables
import Synchronization

/// A JACK server in simulated time, with one client: it begins a period every `period` frames, and its transport rolls once
/// all clients are ready.
final class SimulatedJack: JackClient {
    private struct State {
        var report: JackReport
        var frame: UInt32
        var time: Int64
        var wantsToRoll = false
        var isGone = false
        /// The frame at which it asked the client to be ready.
        var askedAt: UInt32 = 0
        /// Until which frame another program is not ready.
        var othersReadyAt: UInt32?
        var promise: (start: UInt16, frame: UInt32)?
        /// The frames of the server at which the transport has begun to roll, and when that was.
        var begins: [(frame: UInt32, time: Int64)] = []
    }

    let rate = 48_000, period = 1024
    private let state: Mutex<State>

    /// A server whose first frame has this number at a time in ns, and whose transport stands.
    init(frame: UInt32, at time: Int64) {
        state = Mutex(State(report: JackReport(.stopped, 0, periodBegin: frame), frame: frame, time: time))
    }

    var isGone: Bool { state.withLock { $0.isGone } }
    var transport: JackReport { state.withLock { $0.report } }
    var now: (frame: UInt32, time: Int64) { state.withLock { ($0.frame, $0.time) } }
    var begins: [(frame: UInt32, time: Int64)] { state.withLock { $0.begins } }

    func start() { state.withLock { $0.wantsToRoll = true } }
    func promise(_ start: UInt16, from frame: UInt32) { state.withLock { $0.promise = (start, frame) } }

    func stop() {
        state.withLock { state in
            if state.report.state == .rolls { state.report.frame &+= state.report.periodBegin }
            (state.report.state, state.wantsToRoll) = (.stopped, false)
        }
    }

    func locate(_ frame: UInt32) {
        state.withLock { state in
            state.report.frame = frame
            // A transport that rolls goes on once all are ready there.
            if state.report.state != .stopped { askForStart(&state) }
        }
    }

    /// Goes away.
    func die() { state.withLock { $0.isGone = true } }

    /// Has another program that is not ready before so long after a start, in frames.
    func delayOthers(by frames: UInt32) { state.withLock { $0.othersReadyAt = $0.frame &+ frames } }

    /// Goes on to a time in ns.
    func advance(to time: Int64) {
        state.withLock { state in
            let frame = state.frame &+ UInt32((time - state.time) * Int64(rate) / 1_000_000_000)
            state.time += Int64(frame &- state.frame) * 1_000_000_000 / Int64(rate)
            state.frame = frame
            while frame &- state.report.periodBegin >= UInt32(period) {
                state.report.periodBegin &+= UInt32(period)
                turn(&state)
            }
        }
    }

    private func askForStart(_ state: inout State) {
        state.report.state = .starts
        state.report.start &+= 1
        (state.wantsToRoll, state.askedAt) = (false, state.report.periodBegin)
    }

    /// What happens in a period.
    private func turn(_ state: inout State) {
        let now = state.report.periodBegin
        switch state.report.state {
        case .stopped where state.wantsToRoll:
            askForStart(&state)
        case .starts:
            let isDue = state.promise.map { $0 == (state.report.start, now &+ UInt32(period)) } ?? false
            if isDue || now &- state.askedAt >= UInt32(rate) { state.report.state = .ready }
        case .ready where Int32(bitPattern: now &- (state.othersReadyAt ?? now)) >= 0:
            state.begins.append((now, state.time - Int64(state.frame &- now) * 1_000_000_000 / Int64(rate)))
            state.report.state = .rolls
            state.report.frame &-= now
        case .stopped, .ready, .rolls: break
        }
    }
}
