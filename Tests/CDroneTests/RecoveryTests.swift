import CDrone
import Glibc
import SimulatedCardSupport
import Testing

/// Faults of a card, in simulated time.
@Suite("Recovery of an output")
struct RecoveryTests {
    /// The times of chosen events of a card, in ms after its first start.
    private func times(_ happenings: [SimulatedCardHappening], _ isMeant: (String) -> Bool) throws -> [Int64] {
        let start = try #require(happenings.first { $0.name == "start" }).nanoseconds
        return happenings.filter { isMeant($0.name) }.map { ($0.nanoseconds - start + 500_000) / 1_000_000 }
    }

    @Test("a card that is away is tried after 50 ms, and then at intervals that double up to a second")
    func away() throws {
        var (gaps, gap, states) = ([drone_gap](), drone_gap(), [drone_output_state]())
        var last = drone_snapshot()
        let (_, happenings) = try SimulatedOutput.play(
            ["disconnect_at": [500.01], "return_after": [5000]], DRONE_POLICY_REWIND, milliseconds: 7000
        ) { output, _ in
            // Without an end at first.
            while drone_output_next_gap(output.handle, &gap) {
                if gap.end != gaps.last?.end { gaps.append(gap) }
            }
            last = output.snapshot
            if states.last != last.state { states.append(last.state) }
            #expect(last.away == (last.state == DRONE_OUTPUT_AWAY))
        }
        let tries = try times(happenings) { $0.hasPrefix("refused") || $0 == "open" }.dropFirst()
        let pauses = zip(tries, tries.dropFirst()).map { $1 - $0 }
        #expect(pauses == [100, 200, 400, 800, 1000, 1000, 1000, 1000])
        #expect(states == [DRONE_OUTPUT_RUNNING, DRONE_OUTPUT_AWAY, DRONE_OUTPUT_RUNNING])
        #expect(last.losses == 1 && last.xruns == 0 && last.epoch == 1)
        // The gap is reported at once, and again when the card is back.
        #expect(gaps.count == 2 && gaps.allSatisfy { $0.begin == gaps[0].begin && $0.error == -ENODEV })
        #expect(gaps[0].end == .max && gaps[0].begin < 30_000 && (288_000..<292_000).contains(gaps[1].end))
    }

    @Test("while a card is away, frames pass at its learned rate", arguments: [47_520.0, 48_480])
    func rate(rate: Double) throws {
        var (last, gap) = (drone_gap(), drone_gap())
        _ = try SimulatedOutput.play(
            ["disconnect_at": [500.01], "return_after": [1000]], DRONE_POLICY_REWIND, milliseconds: 4000
        ) { output, _ in
            var learnt = drone_learnt(time_ns: 0, frame: 0, fraction: 0, rate: rate, tolerance_frames: 0)
            drone_output_learn(output.handle, &learnt)
            while drone_output_next_gap(output.handle, &gap) { last = gap }
        }
        // It is back at the fifth attempt, 1550 ms later.
        #expect(abs(Double(last.end - last.begin) - 1.55 * rate) < 100, "\(last)")
    }

    @Test(
        "a card that fails again within 20 ms is restarted after 20 ms; one that fails later, at once",
        arguments: [(10.0, 20...22), (30, 0...2)])
    func rest(later: Double, pause: ClosedRange<Int64>) throws {
        let (_, happenings) = try SimulatedOutput.play(
            ["xrun_at": [1000.01, .real(1000.01 + later)]], milliseconds: 1500
        ) { _, _ in }
        let faults = try times(happenings) { $0 == "xrun" }
        let starts = try times(happenings) { $0 == "start" }
        #expect(faults.count == 2 && starts.count == 3)
        let last = try #require(faults.last)
        #expect(try pause.contains(#require(starts.last) - last), "\(faults) \(starts)")
    }

    @Test("a card that comes back with a larger buffer is not given more than the engine can take back")
    func largerBuffer() throws {
        // 100 ms, and later two seconds.
        let engine = EngineUnderTest(rewind: 9600)
        engine.push(tone(0, level: 0.5, ramp: 0))
        var (gaps, gap, isGrown) = ([drone_gap](), drone_gap(), false)
        var furthest: Int64 = 0
        _ = try SimulatedOutput.play(
            [
                "buffer_max": 4800, "channels": 1, "disconnect_at": [500.01], "return_after": [100],
                "xrun_at": [2000.01],
            ], DRONE_POLICY_REWIND, engine: engine, milliseconds: 3500
        ) { output, time in
            while drone_output_next_gap(output.handle, &gap) { gaps.append(gap) }
            let seen = output.snapshot
            if seen.away, !isGrown {
                isGrown = true
                try output.card.change(["buffer_max": 4800], to: ["buffer_max": 96_000])
            }
            if seen.epoch > 0 { furthest = max(furthest, seen.next_frame - seen.heard.frame) }
        }
        #expect(isGrown && furthest > 4800 && furthest <= 9600 + 480)
        // The music goes on where it is due: the second fault loses next to nothing.
        let last = try #require(gaps.last)
        #expect(last.error == -EPIPE && last.end - last.begin < 480 && abs(last.begin - 96_000) < 4800, "\(gaps)")
    }

    @Test("a card that has stopped without a word is away after five seconds, and comes back")
    func standsStill() throws {
        var states: [drone_output_state] = []
        var error: Int32 = 0
        _ = try SimulatedOutput.play(
            ["stall_at": [1000.01], "stall_for": [60_000]], DRONE_POLICY_REWIND, milliseconds: 10_000
        ) { output, time in
            let seen = output.snapshot
            if states.last != seen.state { states.append(seen.state) }
            if seen.away { error = seen.error }
            if time < 5900 { #expect(!seen.away) }
        }
        #expect(states.prefix(2) == [DRONE_OUTPUT_RUNNING, DRONE_OUTPUT_AWAY] && error == -EIO)
    }

    @Test("after an underrun the music continues where it would have been, and the drone fades in over 10 ms")
    func underrun() throws {
        let engine = EngineUnderTest(rewind: 9600)
        engine.push(tone(0, level: 0.5, ramp: 0))
        var (gaps, gap) = ([drone_gap](), drone_gap())
        let (recording, happenings) = try SimulatedOutput.play(
            ["xrun_at": [1000.01]], engine: engine, milliseconds: 2000
        ) { output, _ in
            while drone_output_next_gap(output.handle, &gap) { if gap.end < .max { gaps.append(gap) } }
        }
        let missed = try #require(gaps.first)
        #expect(gaps.count == 1 && missed.error == -EPIPE)
        let played = try #require(happenings.first { $0.name == "xrun" }?.values["position"])
        // As close to the frames that the card has played as the clock allows.
        #expect(abs(missed.begin - played) < 24 && abs(missed.end - played) < 24 && missed.begin <= missed.end)
        let heard = try #require(recording).samples(channel: 0).map { Float($0) }
        let alone = EngineUnderTest()
        alone.push(tone(0, level: 0.5, ramp: 0))
        let wanted = alone.renderFloats(120_000)
        let begin = Int(played)
        #expect(heard[..<begin] == wanted[..<begin])
        let (after, right) = (heard[begin...], wanted[Int(missed.end)...].prefix(heard.count - begin))
        #expect(after.count > 30_000 && Array(after.dropFirst(480)) == Array(right.dropFirst(480)))
        #expect(zip(after, right).prefix(480).allSatisfy { abs($0) <= abs($1) })
        #expect(after.prefix(120).allSatisfy { abs($0) < 0.1 })
    }

    @Test("the output ends when its last frame has been heard, not sooner, and silence follows")
    func end() throws {
        let engine = EngineUnderTest()
        engine.push(tone(0, level: 0.5, ramp: 0))
        var snapshots: [drone_snapshot] = []
        let (recording, _) = try SimulatedOutput.play(engine: engine, end: 12_000, milliseconds: 5000) { output, _ in
            snapshots.append(output.snapshot)
        }
        let first = try #require(snapshots.firstIndex { $0.state == DRONE_OUTPUT_ENDED })
        #expect(first == snapshots.count - 1 && snapshots[first].heard.frame >= 12_000)
        #expect(snapshots[..<first].allSatisfy { $0.heard.frame < 12_000 })
        // The card holds at least 20 ms of silence.
        #expect((12_960..<13_500).contains(snapshots[first].next_frame))
        #expect(try #require(recording).samples(channel: 0).count >= 12_000)
    }
}
