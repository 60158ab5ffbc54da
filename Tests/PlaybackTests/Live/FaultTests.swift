import Listening
import Score
import Testing
import Timing

@testable import Playback

/// What happens to cards, and what the musician and the log make of it.
@Suite("Faults on a virtual card")
struct VirtualFaultTests {
    typealias Fault = VirtualCard.Fault

    static func play(
        _ faults: [Fault], rewinds: Bool, minutes: Double = 1, options: Conductor.Options = .init(),
        commands: [(Double, Command)] = []
    ) async throws -> SimulatedPlay {
        let crystal = VirtualCard.Crystal(skew: 300e-6, jitter: 50e-6, rewinds: rewinds)
        return try await SimulatedPlay.run(
            LiveTests.performance(minutes: minutes, drone: true), on: VirtualCard.Device(crystal, faults: faults),
            for: minutes * 60, options: options, commands: commands)
    }

    /// That boundaries due later than `time` are where those of a card without faults are.
    static func expectTruth(_ play: SimulatedPlay, after time: Double) {
        let spread = SimulatedPlay.spread(play.boundaries.filter { $0.due + play.origin > time })
        #expect(spread.max <= 30e-6)
        #expect(spread.rms <= 8e-6)
        #expect(abs(spread.offset) <= 250e-6)
    }

    @Test(
        "an underrun loses one click at most, and every later one is where it was", arguments: [1003.456, 1020.123],
        [true, false])
    func underrun(at time: Double, rewinds: Bool) async throws {
        let play = try await Self.play([.underrun(time)], rewinds: rewinds)
        LiveTests.expectTrueLog(play, isWhole: false)
        #expect(play.rows.filter { $0.flags.contains(.lost) }.count <= 1)
        Self.expectTruth(play, after: time + 0.01)
        #expect(play.status?.xruns == 1)
    }

    @Test(
        "a stall or a jump that no one tells of is found out, and mended within 0.7 s",
        arguments: [.stall(1020.2, for: 0.1), .jump(1020.3, frames: 2400), .stall(1003.1, for: 0.05)] as [Fault],
        [true, false])
    func untold(fault: Fault, rewinds: Bool) async throws {
        let play = try await Self.play([fault], rewinds: rewinds)
        LiveTests.expectTrueLog(play, isWhole: false)
        #expect(play.rows.filter { $0.flags.contains(.lost) }.count <= 1)
        Self.expectTruth(play, after: fault.time + 0.7)
    }

    @Test(
        "a sound that stands still for long: what is overdue is lost, and never heard all at once",
        arguments: [1000.3, 1020.2], [true, false])
    func longStall(at time: Double, rewinds: Bool) async throws {
        let play = try await Self.play([.stall(time, for: 1.8)], rewinds: rewinds)
        LiveTests.expectTrueLog(play, isWhole: false)
        let heard = play.heard.map(\.time)
        // The shortest bar is 280 ms long, and 30 ms late is lost; only what the card had already comes when it may.
        #expect(zip(heard, heard.dropFirst()).count { $1 - $0 < 0.24 } <= 1)
        #expect(play.rows.count { $0.flags.contains(.lost) } >= 4)
        Self.expectTruth(play, after: time + 4)
    }

    @Test(
        "a card that goes away and comes back: the timeline runs on, what was missed is counted, the rest is true",
        arguments: [0.2, 1, 7.7], [true, false])
    func away(seconds: Double, rewinds: Bool) async throws {
        let play = try await Self.play(
            [.away(from: 1020.1, to: 1020.1 + seconds, asleep: false)], rewinds: rewinds)
        LiveTests.expectTrueLog(play, isWhole: false)
        let lost = play.rows.filter { $0.flags.contains(.lost) }
        for row in lost {
            let due = row.nominal.seconds + play.origin
            #expect(due > 1020.08 && due < 1020.1 + seconds + 1.2)
        }
        // At the latest a second after it is there it is tried again.
        let first = play.boundaries.first { $0.due + play.origin > 1020.2 }
        #expect((first.map { $0.due + play.origin } ?? .infinity) < 1020.1 + seconds + 1.5)
        #expect(play.status?.lostClicks == UInt64(lost.count))
        Self.expectTruth(play, after: 1020.1 + seconds + 1.2)
        // The drone comes back, and nobody has to ask for it.
        #expect(play.tones.count { $0.position.frame > 960_000 } < 40)
    }

    @Test("after the machine has slept the music stands still, unless it is to go on", arguments: [true, false])
    func suspend(pauses: Bool) async throws {
        var options = Conductor.Options()
        options.pausesOnSuspend = pauses
        let play = try await Self.play(
            [.away(from: 1020.1, to: 1021.1, asleep: true)], rewinds: true, options: options,
            commands: pauses ? [(30, .togglePause)] : [])
        LiveTests.expectTrueLog(play, isWhole: false)
        let silent = play.rows.filter { !$0.flags.contains(.lost) }.map { $0.nominal.seconds + play.origin }
            .filter { $0 > 1022.2 && $0 < 1030 }
        #expect(silent.isEmpty == pauses)
        Self.expectTruth(play, after: 1030.5)
        #expect(play.boundaries.contains { $0.due + play.origin > 1040 })
    }

    @Test(
        "what was learnt of the crystal survives every fault, and is there for another day", arguments: [true, false])
    func rate(rewinds: Bool) async throws {
        let faults: [Fault] = [
            .underrun(1015), .stall(1020.2, for: 0.1), .away(from: 1025, to: 1027, asleep: false),
            .jump(1035, frames: 4800),
        ]
        let play = try await Self.play(faults, rewinds: rewinds)
        LiveTests.expectTrueLog(play, isWhole: false)
        #expect(abs((play.learnt?.ppm ?? 0) - 300) < 1)
        #expect((play.learnt?.uncertaintyPPM ?? 9) < 1)
    }
}
