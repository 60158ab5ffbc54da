import CDrone
import SimulatedCardSupport
import Testing

/// The fill level of a card that cannot rewind, in simulated time.
@Suite("Fill level of an output")
struct FillLevelTests {
    @Test("a wake-up counts as late once it has used up half of the fill level", arguments: [(5, false), (7, true)])
    func late(stall: Int64, isLate: Bool) throws {
        // 24 ms in two refills: the fill level is 12 ms when the next one is due.
        var latest: Int64 = 0
        _ = try SimulatedOutput.play(stalls: [(500, stall)], milliseconds: 1000) { output, _ in
            latest = max(latest, output.snapshot.late_ns)
        }
        #expect(isLate ? (6_500_000...7_500_000).contains(latest) : latest == 0)
    }

    /// Snapshots at these times in ms, of an output whose thread is woken late by `stalls`.
    private func snapshots(at times: [Int64], stalls: [(at: Int64, length: Int64)]) throws -> [drone_snapshot] {
        var seen: [drone_snapshot] = []
        _ = try SimulatedOutput.play(stalls: stalls, milliseconds: (times.last ?? 0) + 100) { output, time in
            if seen.count < times.count, time >= times[seen.count] { seen.append(output.snapshot) }
        }
        return seen
    }

    /// The fill level in ms at which the thread writes next.
    private func lowLevels(at times: [Int64], stalls: [(at: Int64, length: Int64)]) throws -> [Int64] {
        try snapshots(at: times, stalls: stalls).map { ($0.next_frame - $0.refill_frame) / 48 }
    }

    @Test("a snapshot has the longest delay of a wake-up in the last ten seconds")
    func worstLate() throws {
        let seen = try snapshots(at: [1000, 6000, 10_000, 11_000, 15_500], stalls: [(500, 9), (5000, 7)])
        #expect(seen.map { ($0.late_ns + 500_000) / 1_000_000 } == [9, 9, 9, 7, 0])
    }

    @Test(
        "two late wake-ups within ten seconds, but not one, raise the fill level to 1.5 times the worst, in whole periods",
        arguments: [(1500, 18), (10_000, 18), (11_000, 12)])
    func raises(second: Int64, level: Int64) throws {
        let stalls: [(at: Int64, length: Int64)] = [(500, 9), (second, 7)]
        #expect(try lowLevels(at: [450, second - 50, second + 100], stalls: stalls) == [12, 12, level])
    }

    @Test("a minute without a late wake-up halves the fill level, but not below its first value")
    func lowers() throws {
        let stalls: [(at: Int64, length: Int64)] = [(500, 11), (1500, 11), (2500, 17)]
        let times: [Int64] = [450, 1400, 1700, 2700, 62_000, 63_000, 122_000, 123_000]
        #expect(try lowLevels(at: times, stalls: stalls) == [12, 12, 18, 30, 30, 18, 18, 12])
        // A wake-up that uses up a third of the level keeps it for another minute.
        let more = stalls + [(at: 40_000, length: 12)]
        #expect(try lowLevels(at: [2700, 63_000, 99_000, 101_000], stalls: more) == [30, 30, 30, 18])
    }

    @Test("behind a server that holds 60 ms, the buffer of 24 ms counts, and two underruns raise the fill level")
    func behindServer() throws {
        var levels: [Int64] = []
        // The buffer runs dry for 10 ms; the server would not.
        _ = try SimulatedOutput.play(
            ["latency_frames": 2880], stalls: [(500, 34), (1500, 34)], milliseconds: 2500
        ) { output, time in
            let seen = output.snapshot
            if [450, 2400].contains(where: { ($0...$0 + 15).contains(time) }) {
                levels.append((seen.next_frame - seen.refill_frame) / 48)
            }
        }
        let (first, last) = (try #require(levels.first), try #require(levels.last))
        #expect(first <= 12 + 60 && last > first + 6)
    }

    @Test("however long the machine stalls, a card whose buffer cannot grow still has room for a period")
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
