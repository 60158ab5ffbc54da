import CDrone
import Glibc
import SimulatedCardSupport
import Testing

/// How an output interprets a card's pointer, in simulated time.
@Suite("Observing a card")
struct PointerTests {
    @Test(
        "the first frame that can be changed is as far ahead of the heard one as the card may have fetched",
        arguments: [
            // 12 ms for a plugin, 3 ms for hardware; a period more if the pointer moves by periods.
            (["step_frames": 1], 576...577), (["step_frames": 1, "poses_as_hardware": "yes"], 144...145),
            (["batch": "yes"], 1056...1057),
            // Short steps of the pointer are awaited and observed; the size of longer ones is learnt.
            (["step_frames": 48], 576...577), (["step_frames": 480], 876...1056),
        ] as [([String: SimulatedCard.Value], ClosedRange<Int64>)])
    func headroom(settings: [String: SimulatedCard.Value], frames: ClosedRange<Int64>) throws {
        var ahead: [Int64] = []
        _ = try SimulatedOutput.play(settings, DRONE_POLICY_REWIND, milliseconds: 3000) { output, time in
            if time > 2000 { ahead.append(output.snapshot.changeable_frame - output.snapshot.heard.frame) }
        }
        #expect(ahead.count > 10)
        #expect(ahead.allSatisfy { frames.contains($0) }, "\(ahead)")
    }

    @Test("a single jump of the pointer does not count as a step: as much as before can be taken back")
    func headroomAfterJump() throws {
        var ahead: [Int64] = []
        _ = try SimulatedOutput.play(
            ["step_frames": 1, "jump_at": [5000.01], "jump_frames": [480]], DRONE_POLICY_REWIND, milliseconds: 8000
        ) { output, time in
            if time > 6000 { ahead.append(output.snapshot.changeable_frame - output.snapshot.heard.frame) }
        }
        #expect(ahead.count > 10)
        #expect(ahead.allSatisfy { (576...577).contains($0) }, "\(ahead)")
    }

    @Test("after a jump, the pointer is read three times in quick succession, and learned anew for ten seconds")
    func jump() throws {
        var times: [Int64] = []
        // The pointer skips 10 ms.
        _ = try SimulatedOutput.play(
            ["jump_at": [15_000.01], "jump_frames": [480]], DRONE_POLICY_REWIND, milliseconds: 28_000
        ) { _, time in times.append(time) }
        let pauses = zip(times, times.dropFirst()).map { (from: $0, length: $1 - $0) }
        let quick = pauses.filter { $0.length <= 7 && $0.from >= 15_000 }
        #expect(quick.count == 3)
        let begin = try #require(quick.first).from
        #expect(begin < 15_500)
        #expect(pauses.filter { (begin..<begin + 9900).contains($0.from) }.allSatisfy { $0.length <= 56 })
        #expect(pauses.filter { $0.from > begin + 10_100 }.allSatisfy { (300...420).contains($0.length) })
    }

    @Test("a jump of the pointer by less than 5 ms is not a slip, a larger one is", arguments: [(192, 0), (288, 3)])
    func stray(frames: Int, looks: Int) throws {
        var times: [Int64] = []
        _ = try SimulatedOutput.play(
            ["jump_at": [12_000.01], "jump_frames": [.integer(frames)]], DRONE_POLICY_REWIND, milliseconds: 14_000
        ) { _, time in times.append(time) }
        #expect(zip(times, times.dropFirst()).count { $0 >= 12_000 && $1 - $0 <= 7 } == looks)
    }

    @Test("a pointer that stands still gives no observations")
    func standing() throws {
        var seen: [(time: Int64, frame: Int64)] = []
        _ = try SimulatedOutput.play(
            ["stall_at": [1000.01], "stall_for": [500]], DRONE_POLICY_REWIND, milliseconds: 2000
        ) { output, time in seen += output.observations().map { (time, $0.frame) } }
        #expect(Set(seen.map(\.frame)).count == seen.count)
        #expect(seen.count { (1100..<1500).contains($0.time) } == 0)
    }

    @Test("of observations that are not fetched, the first 1024 are kept")
    func unfetched() throws {
        var last = drone_snapshot()
        var found: [drone_observation] = []
        _ = try SimulatedOutput.play(milliseconds: 20_000) { output, time in
            last = output.snapshot
            if time >= 19_950 { found += output.observations() }
        }
        #expect(found.count >= 1024 && found.first.map { $0.frame < 4800 } == true)
        #expect(found[1023].frame < last.heard.frame - 48_000)
    }

    @Test(
        "two observations in a row that are further from the learnt clock than its tolerance are news; others are not",
        arguments: [(0.0, false), (150, true), (-150, true)])
    func surprises(error: Double, isNews: Bool) throws {
        var (news, value) = (0, UInt64(0))
        var first: drone_observation?
        _ = try SimulatedOutput.play(["step_frames": 1], DRONE_POLICY_REWIND, milliseconds: 20_000) { output, time in
            let seen = output.observations()
            // After ten seconds, looks are rare; then the clock is told to be off.
            if time > 12_000, first == nil, let look = seen.last {
                first = look
                while read(drone_output_event_fd(output.handle), &value, 8) == 8 {}
                var learnt = drone_learnt(
                    time_ns: look.time_ns, frame: look.frame, fraction: error, rate: 48_000, tolerance_frames: 100)
                drone_output_learn(output.handle, &learnt)
            } else if first != nil, read(drone_output_event_fd(output.handle), &value, 8) == 8 {
                news += 1
            }
        }
        #expect(first != nil && (news > 0) == isNews)
    }
}
