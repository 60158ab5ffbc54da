import CDrone
import Shared
import SimulatedCardSupport
import Testing

/// An output without a thread on a simulated card: a test runs the thread's rounds in simulated time. Deterministic.
final class SimulatedOutput {
    let engine: EngineUnderTest
    let card: SimulatedCard
    let grant: drone_output_grant
    let handle: OpaquePointer
    /// Whether it plays on ALSA's null device, which always has room.
    private let isNull: Bool
    private let clock: SimulatedClock

    /// The card's clock: a card stamps `nanoseconds` later than it is asked.
    private final class Later: SimulatedCardClock {
        static let nanoseconds: Int64 = 200_000
        private let clock: SimulatedClock
        init(than clock: SimulatedClock) { self.clock = clock }
        var now: Int64 { clock.now + Later.nanoseconds }
        func sleep(until nanoseconds: Int64) { clock.sleep(until: nanoseconds - Later.nanoseconds) }
    }

    /// Opens a card for an engine with 48 kHz, one channel and floating-point samples, and plays on it for
    /// `milliseconds`. `look` is called after every round with the time since the beginning in ms. Each entry of
    /// `stalls` delays the first round at or after its time `at` by `length`, both in ms. Every round comes `late` ns after
    /// the thread should have woken.
    static func play(
        _ settings: [String: SimulatedCard.Value] = [:], _ policy: drone_policy = DRONE_POLICY_SMALL,
        engine: EngineUnderTest = EngineUnderTest(), horizon: Int64 = .max, end: Int64 = .max,
        stalls: [(at: Int64, length: Int64)] = [], late: Int64 = 0,
        onNull: Bool = false, milliseconds: Int64,
        _ look: (SimulatedOutput, Int64) throws -> Void
    ) throws -> (recording: SimulatedCardRecording?, happenings: [SimulatedCardHappening]) {
        SimulatedCard.configureThisProcess()
        let folder = TemporaryFolder()
        let clock = SimulatedClock(now: 1_000_000_000)
        let card = try SimulatedCard(in: folder.path, ["format": "FLOAT_LE"].merging(settings) { $1 })
        try SimulatedCard.withClock(Later(than: clock)) {
            try withExtendedLifetime(clock) {
                // Reading the clock takes a microsecond, so that a loop that waits for a time ends.
                var own = drone_clock(
                    now_ns: { context in
                        guard let context else { return 0 }
                        let clock = Unmanaged<SimulatedClock>.fromOpaque(context).takeUnretainedValue()
                        clock.advance(by: 1000)
                        return clock.now
                    }, context: Unmanaged.passUnretained(clock).toOpaque())
                try withUnsafePointer(to: &own) { pointer in
                    drone_use_clock(pointer)
                    defer { drone_use_clock(nil) }
                    let output = try SimulatedOutput(card, clock, policy, engine, isNull: onNull)
                    drone_commit(engine.handle, horizon, end)
                    defer { drone_output_destroy(output.handle) }
                    try output.rounds(until: clock.now + milliseconds * 1_000_000, stalls, late, look)
                }
            }
        }
        return (onNull ? nil : try card.recording(), card.happenings())
    }

    private init(
        _ card: SimulatedCard, _ clock: SimulatedClock, _ policy: drone_policy, _ engine: EngineUnderTest, isNull: Bool
    ) throws {
        var request = drone_output_request()
        (request.policy, request.rate, request.channels, request.format) = (policy, 48_000, 1, DRONE_F32)
        var (error, grant) = (Int32(0), drone_output_grant())
        handle = try #require(drone_output_open(isNull ? "null" : card.device, &request, &grant, &error))
        (self.grant, self.engine, self.card, self.clock, self.isNull) = (grant, engine, card, clock, isNull)
        try #require(drone_output_attach(handle, engine.handle) == DRONE_OK)
    }

    private func rounds(
        until end: Int64, _ stalls: [(at: Int64, length: Int64)], _ late: Int64,
        _ look: (SimulatedOutput, Int64) throws -> Void
    ) throws {
        let begin = clock.now
        var stalls = stalls[...]
        var isCalled = false
        while clock.now < end {
            drone_output_round(handle, isCalled)
            try look(self, (clock.now - begin) / 1_000_000)
            let wait = drone_output_next_round(handle)
            if wait.ended { return }
            let deadline = !wait.listens ? nil : isNull ? clock.now : card.deadline.map { $0 - Later.nanoseconds }
            isCalled = deadline.map { $0 <= wait.until_ns } ?? false
            clock.sleep(until: min(deadline ?? .max, wait.until_ns))
            clock.advance(by: late)
            if let stall = stalls.first, (clock.now - begin) / 1_000_000 >= stall.at {
                clock.advance(by: stall.length * 1_000_000)
                stalls.removeFirst()
            }
        }
    }

    var snapshot: drone_snapshot { drone_output_snapshot(handle) }

    /// All observations that have not been fetched.
    func observations() -> [drone_observation] {
        var (found, observation) = ([drone_observation](), drone_observation())
        while drone_output_next_observation(handle, &observation) { found.append(observation) }
        return found
    }
}
