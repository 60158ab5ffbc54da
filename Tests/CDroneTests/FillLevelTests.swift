import CDrone
import SimulatedCardSupport
import Testing

/// How much lies ahead in a card that takes nothing back, in simulated time.
@Suite("Level of an output")
struct LevelTests {
    @Test("a wake-up is late once it has cost half of what lies ahead", arguments: [(5, false), (7, true)])
    func late(stall: Int64, isLate: Bool) throws {
        // 24 ms in two refills: 12 ms lie ahead when the next is due.
        var latest: Int64 = 0
        _ = try SimulatedOutput.play(stalls: [(500, stall)], milliseconds: 1000) { output, _ in
            latest = max(latest, output.snapshot.late_ns)
        }
        #expect(isLate ? (6_500_000...7_500_000).contains(latest) : latest == 0)
    }

    /// What is seen at these times, in ms, of a card that is woken late at some.
    private func snapshots(at times: [Int64], stalls: [(at: Int64, length: Int64)]) throws -> [drone_snapshot] {
        var seen: [drone_snapshot] = []
        _ = try SimulatedOutput.play(stalls: stalls, milliseconds: (times.last ?? 0) + 100) { output, time in
            if seen.count < times.count, time >= times[seen.count] { seen.append(output.snapshot) }
        }
        return seen
    }

    /// How much lies ahead when the thread writes next, in ms.
    private func lowLevels(at times: [Int64], stalls: [(at: Int64, length: Int64)]) throws -> [Int64] {
        try snapshots(at: times, stalls: stalls).map { ($0.next_frame - $0.refill_frame) / 48 }
    }

    @Test("the worst of the late wake-ups of the last ten seconds counts")
    func worstLate() throws {
        let seen = try snapshots(at: [1000, 6000, 10_000, 11_000, 15_500], stalls: [(500, 9), (5000, 7)])
        #expect(seen.map { ($0.late_ns + 500_000) / 1_000_000 } == [9, 9, 9, 7, 0])
    }

    @Test(
        "two late wake-ups within ten seconds raise what lies ahead to half more than the worst, in whole periods; one does not",
        arguments: [(1500, 18), (10_000, 18), (11_000, 12)])
    func raises(second: Int64, level: Int64) throws {
        let stalls: [(at: Int64, length: Int64)] = [(500, 9), (second, 7)]
        #expect(try lowLevels(at: [450, second - 50, second + 100], stalls: stalls) == [12, 12, level])
    }

    @Test("a minute without a late wake-up lowers what lies ahead by half, to no less than it was at first")
    func lowers() throws {
        let stalls: [(at: Int64, length: Int64)] = [(500, 11), (1500, 11), (2500, 17)]
        let times: [Int64] = [450, 1400, 1700, 2700, 62_000, 63_000, 122_000, 123_000]
        #expect(try lowLevels(at: times, stalls: stalls) == [12, 12, 18, 30, 30, 18, 18, 12])
        // One that took a third of it keeps it for as long again.
        let more = stalls + [(at: 40_000, length: 12)]
        #expect(try lowLevels(at: [2700, 63_000, 99_000, 101_000], stalls: more) == [30, 30, 30, 18])
    }

    @Test("however long the machine stalls, a card whose buffer cannot grow is filled by periods, and has them to take")
    func leastGulp() throws {
        var last = drone_snapshot()
        var period: Int64 = 0
        _ = try SimulatedOutput.play(
            ["buffer_max": 24_000], stalls: [(500, 450), (1500, 450)], milliseconds: 3000
        ) { output, _ in
            last = output.snapshot
            period = Int64(output.grant.period_frames)
        }
        #expect(last.xruns == 2 && last.refill_frames == period)
    }
}
