import CDrone
import SimulatedCardSupport
import Testing

/// How far ahead cards are filled, in simulated time.
@Suite("Filling a card")
struct WriteTests {
    /// The fill level after each round, in ms, with the time of the round.
    private func ahead(
        _ settings: [String: SimulatedCard.Value] = [:], horizon: Int64 = .max, milliseconds: Int64
    ) throws -> [(time: Int64, milliseconds: Int64)] {
        var found: [(Int64, Int64)] = []
        let engine = EngineUnderTest(rewind: 60_000)
        _ = try SimulatedOutput.play(
            settings, DRONE_POLICY_REWIND, engine: engine, horizon: horizon, milliseconds: milliseconds
        ) { output, time in
            let seen = output.snapshot
            found.append((time, (seen.next_frame - seen.heard.frame + 24) / 48))
        }
        return found
    }

    @Test("a card that rewinds is filled a quarter of a second ahead while it is learned, and then a second")
    func fills() throws {
        let seen = try ahead(milliseconds: 13_000)
        #expect(seen.filter { $0.time < 9900 }.allSatisfy { (249...250).contains($0.milliseconds) })
        #expect(seen.filter { $0.time > 10_100 }.allSatisfy { (999...1000).contains($0.milliseconds) })
    }

    @Test("once a card has run dry, it is filled a second ahead, whether its clock is learned or not")
    func careless() throws {
        let seen = try ahead(["xrun_at": [1000.01]], milliseconds: 3000)
        #expect(seen.filter { $0.time < 990 }.allSatisfy { $0.milliseconds <= 250 })
        #expect(seen.filter { $0.time > 1100 }.allSatisfy { (999...1000).contains($0.milliseconds) })
    }

    @Test("while future events are unknown, the fill level is 150 ms, and is restored before half of it has played")
    func unknown() throws {
        let seen = try ahead(horizon: .min, milliseconds: 14_000)
        #expect(seen.allSatisfy { (149...150).contains($0.milliseconds) })
        let late = seen.filter { $0.time > 10_500 }.map(\.time)
        #expect(late.count > 30)
        for (time, next) in zip(late, late.dropFirst()) { #expect((60...90).contains(next - time)) }
    }

    @Test("a device that accepts everything at once is written every 10 ms, always to the same fill level")
    func paced() throws {
        var (times, ahead) = ([Int64](), [Int64]())
        _ = try SimulatedOutput.play(onNull: true, milliseconds: 2000) { output, time in
            let seen = output.snapshot
            guard seen.paced_by_clock else { return }
            times.append(time)
            #expect(seen.changeable_frame == seen.next_frame)
            ahead.append(seen.next_frame - seen.heard.frame)
        }
        #expect((190...200).contains(times.count))
        #expect(zip(times, times.dropFirst()).allSatisfy { (9...12).contains($1 - $0) })
        // By then it has played the frames that it accepted at the beginning.
        let last = try #require(ahead.last)
        #expect((1152...4800).contains(last) && ahead.suffix(150).allSatisfy { abs($0 - last) <= 1 })
    }
}
