import CDrone
import Glibc
import SimulatedCardSupport
import Testing

@Suite("Output in simulated time")
struct SimulatedOutputTests {
    @Test(
        "an observation is blurred only of a pointer that is too coarse to be waited for, on a card that takes back",
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

    @Test("what a card gives back and the engine no longer has is put back: nothing moves")
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

    @Test("a card that takes back is filled to the very frame before which all is known")
    func horizon() throws {
        // Twenty pieces and one frame: less than a card gets at first, more than it gets without knowing what comes.
        var filled: [Int64] = []
        _ = try SimulatedOutput.play([:], DRONE_POLICY_REWIND, horizon: 9601, milliseconds: 5) { output, _ in
            filled.append(output.snapshot.next_frame)
        }
        #expect(filled.first == 9601)
    }

    @Test("a card that takes back is looked at twenty times a second for ten seconds, and then every third of a second")
    func looks() throws {
        var times: [Int64] = []
        _ = try SimulatedOutput.play([:], DRONE_POLICY_REWIND, milliseconds: 14_000) { _, time in times.append(time) }
        let pauses = zip(times, times.dropFirst()).map { (from: $0, length: $1 - $0) }
        #expect(pauses.filter { $0.from < 9900 }.allSatisfy { $0.length <= 56 })
        #expect(pauses.filter { $0.from > 10_100 }.allSatisfy { (300...420).contains($0.length) })
    }

    @Test("left to the device, hardware takes back and an unknown plugin does not", arguments: [true, false])
    func automatic(isHardware: Bool) throws {
        var seen: [drone_snapshot] = []
        _ = try SimulatedOutput.play(
            ["poses_as_hardware": isHardware ? "yes" : "no"], DRONE_POLICY_AUTO, milliseconds: 5
        ) { output, _ in seen.append(output.snapshot) }
        #expect(!seen.isEmpty && seen.allSatisfy { $0.rewinds == isHardware })
    }

    @Test(
        "a card that runs dry again and again gets a larger buffer once its own has no room for two periods more",
        arguments: [(300, 1), (329, 2)])
    func enlarges(stall: Int64, buffers: Int) throws {
        // One and a half times a stall that has come twice is to lie ahead, of the 500 ms that the buffer holds.
        let (_, happenings) = try SimulatedOutput.play(stalls: [(500, stall), (1500, stall)], milliseconds: 2500) {
            _, _ in
        }
        #expect(happenings.count { $0.name == "xrun" } == 2)
        let given = happenings.filter { $0.name == "set-up" }.compactMap { $0.values["buffer"] }
        #expect(given.count == buffers && given == given.sorted())
    }

    @Test("a card that calls is answered each time")
    func answered() throws {
        var rounds = 0
        let (_, happenings) = try SimulatedOutput.play(milliseconds: 1000) { _, _ in rounds += 1 }
        let closed = try #require(happenings.last)
        // 12 ms are written each time.
        let wakes = try #require(closed.values["wakes"])
        #expect(closed.name == "close" && (80...90).contains(wakes) && rounds < 100)
    }

    @Test("a machine that sleeps after all has been written is noticed, and the end comes all the same")
    func sleepAtTheEnd() throws {
        var last = drone_snapshot()
        _ = try SimulatedOutput.play(
            ["suspend_at": [150], "resume_after": [50]], DRONE_POLICY_REWIND, end: 12_000, milliseconds: 5000
        ) { output, _ in last = output.snapshot }
        #expect(last.suspends == 1 && last.state == DRONE_OUTPUT_ENDED)
    }

    @Test(
        "a card that refuses what is written for two seconds is given up, and not before",
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
        // It is asked again every millisecond.
        #expect((950...1000).contains(rounds))
    }

    @Test("an observation has the time that the card has stamped, not that at which it was asked")
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

    @Test("a card a tenth too fast keeps time all the same, a device that takes whatever it is given does not")
    func paced() throws {
        var (fast, null) = (drone_snapshot(), drone_snapshot())
        _ = try SimulatedOutput.play(["skew_ppm": 99_000], milliseconds: 3000) { output, _ in fast = output.snapshot }
        #expect(!fast.paced_by_clock)
        _ = try SimulatedOutput.play(onNull: true, milliseconds: 3000) { output, _ in null = output.snapshot }
        #expect(null.paced_by_clock)
        // From then on the clock says what is heard.
        #expect(abs(null.heard_frame - 3 * 48_000) < 1000)
    }

    @Test("a device that takes whatever it is given is known as one, also once the machine has stalled")
    func pacedAfterStall() throws {
        var last = drone_snapshot()
        _ = try SimulatedOutput.play(stalls: [(0, 1100)], onNull: true, milliseconds: 3000) { output, _ in
            last = output.snapshot
        }
        #expect(last.paced_by_clock)
    }

    @Test(
        "a card that does not give back what has been written is found out before it plays",
        arguments: [
            (["rewinds": 64], true), (["rewinds": 63], false), (["rewinds": "none"], false),
            // Where a period has no room for a trial the card is taken at its word.
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
        // Nothing is heard of the trial.
        let alone = EngineUnderTest()
        alone.push(tone(0, level: 0.5))
        let heard = try #require(recording).samples(channel: 0).map { Float($0) }
        #expect(heard.count > 20_000 && heard == alone.renderFloats(heard.count))
    }

    @Test(
        "there is news of a new state, a new epoch, a pointer that has surprised and a verdict that was hurried, and of nothing else"
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
        // At the start, at the round after it was hurried, at the underrun, 15 ms after the jump, and at the end, which the
        // jump has brought forward.
        let wanted: [ClosedRange<Int64>] = [0...1, 2000...2115, 5000...5060, 8010...8080, 9990...10_010]
        #expect(times.count == wanted.count && zip(times, wanted).allSatisfy { $1.contains($0) }, "\(times)")
    }

    @Test("an engine plays on the device that it is made for, and on one alone")
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
        #expect(seen.next_frame == 777 && seen.heard_frame == 777 && seen.changeable_frame == 777)
    }
}
