import CDrone
import Glibc
import SimulatedCardSupport
import Testing

@Suite("Output in simulated time")
struct SimulatedOutputTests {
    @Test(
        "an observation is blurred only if a card that rewinds has a pointer too coarse to wait for its steps",
        arguments: [
            (DRONE_POLICY_SMALL, 480, false), (DRONE_POLICY_REWIND, 1, false), (DRONE_POLICY_REWIND, 480, true),
        ])
    func blur(policy: drone_policy, step: Int, isBlurred: Bool) throws {
        var seen: [drone_observation] = []
        _ = try SimulatedOutput.play(["step_frames": .integer(step)], policy, milliseconds: 3000) { output, _ in
            seen += output.observations()
        }
        #expect(seen.count > 3)
        #expect(seen.contains { $0.blur_frames > 0 } == isBlurred)
    }

    @Test("a rewind that is too deep for the engine is undone, and nothing moves")
    func tooDeep() throws {
        func score(_ engine: EngineUnderTest) { engine.push(tone(0, level: 0.5)) }
        let engine = EngineUnderTest(rewind: 0)
        score(engine)
        var isAsked = false
        let (recording, _) = try SimulatedOutput.play([:], DRONE_POLICY_REWIND, engine: engine, milliseconds: 1500) {
            output, time in
            guard time >= 500, !isAsked else { return }
            isAsked = true
            let seen = output.snapshot
            #expect(seen.rewinds && seen.next_frame > seen.changeable_frame + 4800)
            engine.cut(seen.changeable_frame + 2400)
            engine.push(click(seen.changeable_frame + 2400))
            drone_commit(engine.handle, .max, .max)
        }
        #expect(isAsked && !drone_read_verdict(engine.handle).taken)
        let heard = try #require(recording).samples(channel: 0)
        let alone = EngineUnderTest()
        score(alone)
        #expect(heard.count > 48_000)
        #expect(heard.map { Float($0) } == alone.renderFloats(heard.count))
    }

    @Test("a card that rewinds is filled exactly up to the horizon")
    func horizon() throws {
        // Twenty blocks and one frame: less than the first fill level, more than the level without known events.
        var filled: [Int64] = []
        _ = try SimulatedOutput.play([:], DRONE_POLICY_REWIND, horizon: 9601, milliseconds: 5) { output, _ in
            filled.append(output.snapshot.next_frame)
        }
        #expect(filled.first == 9601)
    }

    @Test("a card that rewinds is observed twenty times a second for ten seconds, and then every third of a second")
    func looks() throws {
        var times: [Int64] = []
        _ = try SimulatedOutput.play([:], DRONE_POLICY_REWIND, milliseconds: 14_000) { _, time in times.append(time) }
        let pauses = zip(times, times.dropFirst()).map { (from: $0, length: $1 - $0) }
        #expect(pauses.filter { $0.from < 9900 }.allSatisfy { $0.length <= 56 })
        #expect(pauses.filter { $0.from > 10_100 }.allSatisfy { (300...420).contains($0.length) })
    }

    @Test("with the automatic policy, hardware is rewound and an unknown plugin is not", arguments: [true, false])
    func automatic(isHardware: Bool) throws {
        var seen: [drone_snapshot] = []
        _ = try SimulatedOutput.play(
            ["poses_as_hardware": isHardware ? "yes" : "no"], DRONE_POLICY_AUTO, milliseconds: 5
        ) { output, _ in seen.append(output.snapshot) }
        #expect(!seen.isEmpty && seen.allSatisfy { $0.rewinds == isHardware })
    }

    @Test(
        "a card that runs dry repeatedly gets a larger buffer once its own has no room for two more periods",
        arguments: [(300, 1), (321, 1), (329, 2)])
    func enlarges(stall: Int64, buffers: Int) throws {
        // The fill level becomes 1.5 times a stall that has come twice; the buffer holds 500 ms.
        let (_, happenings) = try SimulatedOutput.play(stalls: [(500, stall), (1500, stall)], milliseconds: 2500) {
            _, _ in
        }
        #expect(happenings.count { $0.name == "xrun" } == 2)
        let given = happenings.filter { $0.name == "set-up" }.compactMap { $0.values["buffer"] }
        #expect(given.count == buffers)
        // The fill level is almost the whole buffer: the new buffer holds it twice.
        for (before, after) in zip(given, given.dropFirst()) { #expect((19...20).contains(10 * after / before)) }
    }

    @Test("a thread that was stopped for seconds gets its device back, with the same buffer and the same fill level")
    func stopped() throws {
        var snapshots: [drone_snapshot] = []
        let (_, happenings) = try SimulatedOutput.play(stalls: [(300, 10), (1000, 3000)], milliseconds: 5000) {
            output, _ in snapshots.append(output.snapshot)
        }
        let last = try #require(snapshots.last)
        #expect(last.losses == 0 && last.xruns == 1 && last.state == DRONE_OUTPUT_RUNNING)
        #expect(happenings.count { $0.name == "set-up" } == 1)
        #expect(snapshots.map(\.late_ns).max() ?? .max < 1_000_000_000)
    }

    @Test("a card that refuses a larger buffer plays on with its own")
    func refusesBuffer() throws {
        var last = drone_snapshot()
        let (_, happenings) = try SimulatedOutput.play(
            ["buffer_max": 30_000], stalls: [(500, 329), (1500, 329)], milliseconds: 2500
        ) { output, _ in last = output.snapshot }
        #expect(last.losses == 0 && last.state == DRONE_OUTPUT_RUNNING)
        let given = happenings.filter { $0.name == "set-up" }.compactMap { $0.values["buffer"] }
        #expect(given.count == 2 && given.first == given.last, "\(given)")
    }

    @Test("every wake-up by the card is answered")
    func answered() throws {
        var rounds = 0
        let (_, happenings) = try SimulatedOutput.play(milliseconds: 1000) { _, _ in rounds += 1 }
        let closed = try #require(happenings.last)
        // Each wake-up writes 12 ms.
        let wakes = try #require(closed.values["wakes"])
        #expect(closed.name == "close" && (80...90).contains(wakes) && rounds < 100)
    }

    @Test("a suspend after everything has been written is noticed, and the end still comes")
    func sleepAtTheEnd() throws {
        var last = drone_snapshot()
        _ = try SimulatedOutput.play(
            ["suspend_at": [150], "resume_after": [50]], DRONE_POLICY_REWIND, end: 12_000, milliseconds: 5000
        ) { output, _ in last = output.snapshot }
        #expect(last.suspends == 1 && last.state == DRONE_OUTPUT_ENDED)
    }

    @Test(
        "a card that refuses writes is given up after two seconds, and not before",
        arguments: [(1900, 0), (2300, 1)])
    func refuses(milliseconds: Int, losses: UInt64) throws {
        var last = drone_snapshot()
        var rounds = 0
        _ = try SimulatedOutput.play(
            ["again_at": [500], "again_for": [.integer(milliseconds)]], milliseconds: 4000
        ) { output, time in
            last = output.snapshot
            if (1000..<2000).contains(time) { rounds += 1 }
        }
        #expect(last.losses == losses && !last.away)
        // The output tries again after a millisecond at first, and every 20 ms later.
        #expect((45...60).contains(rounds))
    }

    @Test("an observation has the card's time stamp, not the time of the query")
    func stamps() throws {
        var seen: [drone_observation] = []
        let (_, happenings) = try SimulatedOutput.play([:], DRONE_POLICY_REWIND, milliseconds: 2000) { output, _ in
            seen += output.observations()
        }
        let start = try #require(happenings.first { $0.name == "start" }).nanoseconds
        #expect(seen.count > 10)
        for observation in seen {
            let frames = Double(observation.time_ns - start) * 48e-6
            #expect(abs(frames - Double(observation.frame)) < 1.5)
        }
    }

    @Test(
        "a card that is a tenth too fast keeps its own time; a device that accepts everything at once follows the clock"
    )
    func paced() throws {
        var (fast, null) = (drone_snapshot(), drone_snapshot())
        _ = try SimulatedOutput.play(["skew_ppm": 99_000], milliseconds: 3000) { output, _ in fast = output.snapshot }
        #expect(!fast.paced_by_clock)
        _ = try SimulatedOutput.play(onNull: true, milliseconds: 3000) { output, _ in null = output.snapshot }
        #expect(null.paced_by_clock)
        // From then on the clock determines which frame is heard.
        #expect(abs(null.heard.frame - 3 * 48_000) < 1000)
    }

    @Test("a device that accepts everything at once is recognized, even after the machine has stalled")
    func pacedAfterStall() throws {
        var last = drone_snapshot()
        _ = try SimulatedOutput.play(stalls: [(0, 1100)], onNull: true, milliseconds: 3000) { output, _ in
            last = output.snapshot
        }
        #expect(last.paced_by_clock)
    }

    @Test(
        "a card that cannot rewind is detected before it plays",
        arguments: [
            (["rewinds": 64], true), (["rewinds": 63], false), (["rewinds": "none"], false),
            // If a period has no room for a trial, the card's own statement is trusted.
            (["rewinds": "none", "channels": 1, "period_max": 63], true),
            (["rewinds": "none", "channels": 1, "period_max": 64], false),
        ] as [([String: SimulatedCard.Value], Bool)])
    func tried(settings: [String: SimulatedCard.Value], rewinds: Bool) throws {
        let engine = EngineUnderTest()
        engine.push(tone(0, level: 0.5))
        var seen: [drone_snapshot] = []
        let (recording, _) = try SimulatedOutput.play(
            settings, DRONE_POLICY_REWIND, engine: engine, milliseconds: 500
        ) { output, _ in
            #expect((output.grant.policy == DRONE_POLICY_REWIND) == rewinds)
            seen.append(output.snapshot)
        }
        #expect(!seen.isEmpty && seen.allSatisfy { $0.rewinds == rewinds })
        // The trial is not audible.
        let alone = EngineUnderTest()
        alone.push(tone(0, level: 0.5))
        let heard = try #require(recording).samples(channel: 0).map { Float($0) }
        #expect(heard.count > 20_000 && heard == alone.renderFloats(heard.count))
    }

    @Test(
        "only a new state, a new epoch, a surprising pointer and a hurried verdict are signaled"
    )
    func news() throws {
        var (times, isHurried) = ([Int64](), false)
        _ = try SimulatedOutput.play(
            ["xrun_at": [5000.01], "jump_at": [8000.01], "jump_frames": [480]], DRONE_POLICY_REWIND,
            engine: EngineUnderTest(rewind: 60_000), end: 480_000, milliseconds: 12_000
        ) { output, time in
            var value: UInt64 = 0
            if read(drone_output_event_fd(output.handle), &value, 8) == 8 { times.append(time) }
            if time >= 2000, !isHurried {
                isHurried = true
                drone_output_hurry(output.handle)
                #expect(drone_output_is_hurried(output.handle))
            }
        }
        // At the start, at the round after the hurried command, at the underrun, 15 ms after the jump, and at the end,
        // which the jump made come sooner.
        let wanted: [ClosedRange<Int64>] = [0...1, 2000...2115, 5000...5060, 8010...8080, 9990...10_010]
        #expect(times.count == wanted.count && zip(times, wanted).allSatisfy { $1.contains($0) }, "\(times)")
    }

    @Test("an engine attaches only to a device with its parameters, and only to one")
    func attached() throws {
        _ = try SimulatedOutput.play(milliseconds: 5) { output, _ in
            #expect(Int(drone_output_attach(output.handle, output.engine.handle)) == DRONE_ERR_ARGUMENT)
        }
        SimulatedCard.configureThisProcess()
        var request = drone_output_request()
        (request.policy, request.rate, request.channels, request.format) = (DRONE_POLICY_SMALL, 48_000, 1, DRONE_F32)
        var (grant, error) = (drone_output_grant(), Int32(0))
        let output = try #require(drone_output_open("null", &request, &grant, &error))
        defer { drone_output_destroy(output) }
        let others = [
            EngineUnderTest(rate: 44_100), EngineUnderTest(channels: 2), EngineUnderTest(format: DRONE_S16),
        ]
        for engine in others { #expect(Int(drone_output_attach(output, engine.handle)) == DRONE_ERR_ARGUMENT) }
        let engine = EngineUnderTest(first: 777)
        #expect(Int(drone_output_attach(output, engine.handle)) == DRONE_OK)
        let seen = drone_output_snapshot(output)
        #expect(seen.next_frame == 777 && seen.heard.frame == 777 && seen.changeable_frame == 777)
    }
}
