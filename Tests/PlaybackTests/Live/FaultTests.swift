import Listening
import Playback
import Scores
import SimulatedCardSupport
import Testing
import Timing

/// Faults of cards, and how the music and the log recover.
@Suite("Faults in simulated time")
struct SimulatedFaultTests {
    /// Plays for `seconds` on a card with a fault; its times are in ms after the card's start.
    static func play(
        _ fault: [String: SimulatedCard.Value], _ policy: Card.Policy, seconds: Double = 60,
        options: Conductor.Options = .init(), commands: [(Double, Command)] = [], drone: Bool = false
    ) throws -> SimulatedPlay {
        try SimulatedPlay.run(
            LiveTests.performance(minutes: seconds / 60, drone: drone), on: .fine(ppm: 300).with(fault),
            policy: policy, for: seconds, options: options, commands: commands)
    }

    /// Expects the boundaries that are due later than `time`, in s after the card's start, to be as exact as on a card
    /// without faults.
    static func expectTruth(_ play: SimulatedPlay, after time: Double) {
        let begin = play.happenings.first { $0.name == "start" }.map { Double($0.nanoseconds) * 1e-9 } ?? .nan
        let spread = SimulatedPlay.spread(play.boundaries.filter { $0.due + play.origin > begin + time })
        #expect(spread.max <= 30e-6)
        #expect(spread.rms <= 8e-6)
        #expect(abs(spread.offset) <= 250e-6)
    }

    /// The flags of all rows that have any.
    static func flags(_ play: SimulatedPlay) -> [TimingRow.Flags] { play.rows.map(\.flags).filter { !$0.isEmpty } }

    @Test(
        "an underrun loses at most one click, and all later ones are on time", arguments: [3456.01, 20_123.01],
        [Card.Policy.rewind, .small])
    func underrun(at time: Double, policy: Card.Policy) throws {
        let play = try Self.play(["xrun_at": [.real(time)]], policy)
        LiveTests.expectTrueLog(play)
        #expect(play.rows.count { $0.flags.contains(.lost) } <= 1)
        #expect(play.rows.filter { $0.flags.contains(.lost) }.allSatisfy { $0.flags.contains(.xrun) })
        Self.expectTruth(play, after: time / 1000 + 0.15)
        #expect(play.status?.xruns == 1)
    }

    @Test(
        "a stall or jump that the card does not report is detected, corrected within half a second, and flagged",
        arguments: [
            ["stall_at": [20_200.01], "stall_for": [100]], ["jump_at": [20_300.01], "jump_frames": [2400]],
            ["jump_at": [20_300.01], "jump_frames": [2048]], ["stall_at": [3100.01], "stall_for": [50]],
            ["jump_at": [20_300.01], "jump_frames": [2048], "step_frames": 48, "jitter_us": 200],
        ] as [[String: SimulatedCard.Value]], [Card.Policy.rewind, .small])
    func untold(fault: [String: SimulatedCard.Value], policy: Card.Policy) throws {
        let play = try Self.play(fault, policy)
        let begin = play.happenings.first { $0.name == "start" }.map { Double($0.nanoseconds) * 1e-9 } ?? .nan
        let end = play.happenings.last { ["go-on", "jump"].contains($0.name) }.map { Double($0.nanoseconds) * 1e-9 }
        let mended = try #require(end) + 0.5
        let isCoarse = fault["step_frames"] != nil
        for boundary in play.boundaries where boundary.due + play.origin > mended {
            #expect(abs(boundary.deviation) < (isCoarse ? 1e-3 : 250e-6))
        }
        // Every boundary that was misplaced or lost is flagged.
        let slipped = play.rows.filter { abs($0.nominal.seconds + play.origin - mended + 0.25) < 0.6 }
        // A jump beyond the end of a small buffer is an underrun.
        #expect(slipped.contains { !$0.flags.isDisjoint(with: policy == .small ? [.slip, .xrun] : .slip) })
        for boundary in play.boundaries where abs(boundary.deviation) > 3e-3 {
            let row = play.rows.first { $0.index == boundary.index }
            #expect(row.map { !$0.flags.isDisjoint(with: [.slip, .late]) } == true)
        }
        #expect(
            play.rows.filter { $0.flags.contains(.lost) }.allSatisfy { !$0.flags.isDisjoint(with: [.slip, .xrun]) })
        #expect(play.rows.count { $0.flags.contains(.lost) } <= 1)
        if !isCoarse { Self.expectTruth(play, after: mended - begin + 0.5) }
    }

    @Test(
        "a stall is corrected within half a second even if the machine has interrupted the audio thread before",
        arguments: [Card.Policy.rewind, .small])
    func afterInterruptions(policy: Card.Policy) throws {
        for seed in UInt64(0)..<6 {
            // Too short to do harm: only reading the pointer takes longer.
            let stalls = SimulatedMachine.stalls(0.0002...0.0006, perSecond: 40, until: 12, thread: .audio, seed: seed)
            let play = try SimulatedPlay.run(
                LiveTests.performance(minutes: 0.4),
                on: .fine(ppm: 300).with(["stall_at": [.real(16_000.01 + Double(seed) * 7)], "stall_for": [100]]),
                policy: policy, machine: SimulatedMachine(seed: seed, stalls: stalls), for: 20)
            let end = try #require(play.happenings.last { $0.name == "go-on" }.map { Double($0.nanoseconds) * 1e-9 })
            let wrong = play.boundaries.filter { $0.due + play.origin > end + 0.5 && abs($0.deviation) > 250e-6 }
            #expect(wrong.map(\.due) == [], "seed \(seed)")
        }
    }

    @Test(
        "after a long stall, overdue clicks are lost rather than heard all at once",
        arguments: [1300.01, 20_200.01], [Card.Policy.rewind, .small])
    func longStall(at time: Double, policy: Card.Policy) throws {
        let play = try Self.play(["stall_at": [.real(time)], "stall_for": [1800]], policy)
        let heard = play.heard.map(\.time)
        // The shortest bar lasts 280 ms, and clicks more than 30 ms late are lost; only the one that the card already
        // had may come at any time.
        #expect(zip(heard, heard.dropFirst()).count { $1 - $0 < 0.24 } <= 1)
        #expect(play.rows.count { $0.flags.contains(.lost) } >= 4)
        Self.expectTruth(play, after: time / 1000 + 4)
    }

    @Test(
        "while a card is away, the timeline runs on; missed clicks are counted, and all later ones are on time",
        arguments: [200, 1000, 7700], [Card.Policy.rewind, .small])
    func away(milliseconds: Int, policy: Card.Policy) throws {
        let play = try Self.play(
            ["disconnect_at": [20_100.01], "return_after": [.integer(milliseconds)]], policy, seconds: 50)
        LiveTests.expectTrueLog(play)
        let gone = try #require(play.happenings.first { $0.name == "disconnect" }.map { Double($0.nanoseconds) * 1e-9 })
        let lost = play.rows.filter { $0.flags.contains(.lost) }
        #expect(!lost.isEmpty)
        for row in lost {
            #expect(row.flags.contains(.away))
            let due = row.nominal.seconds + play.origin
            #expect(due > gone - 0.03 && due < gone + Double(milliseconds) / 1000 + 1.2)
        }
        // It is tried again at the latest a second after it is back.
        let first = play.boundaries.first { $0.due + play.origin > gone + 0.1 }
        #expect((first.map { $0.due + play.origin } ?? .infinity) < gone + Double(milliseconds) / 1000 + 1.5)
        #expect(play.status?.lostClicks == UInt64(lost.count))
        Self.expectTruth(play, after: 20.1 + Double(milliseconds) / 1000 + 1.4)
    }

    @Test(
        "if a card is away when the music begins, the music begins without it, and follows it once it is back",
        arguments: [Card.Policy.rewind, .small])
    func awayAtFirst(policy: Card.Policy) throws {
        let play = try Self.play(["disconnect_at": [40.01], "return_after": [2000]], policy, seconds: 30)
        let lost = play.rows.filter { $0.flags.contains(.lost) }
        #expect(!lost.isEmpty && lost.allSatisfy { $0.flags.contains(.away) })
        #expect(lost.allSatisfy { $0.nominal < .seconds(4) })
        LiveTests.expectTrueLog(play)
        Self.expectTruth(play, after: 4)
    }

    @Test(
        "a third of a second after an underrun, boundaries are on time, even with a coarse pointer",
        arguments: [20_000.01, 20_068.51, 20_123.01, 20_219.21, 20_301.41], [Card.Policy.rewind, .small])
    func coarseUnderrun(at time: Double, policy: Card.Policy) throws {
        let play = try SimulatedPlay.run(
            LiveTests.performance(minutes: 0.5), on: .coarse(ppm: 300).with(["xrun_at": [.real(time)]]), policy: policy,
            for: 25)
        let begin = try #require(play.happenings.first { $0.name == "start" }.map { Double($0.nanoseconds) * 1e-9 })
        let after = play.boundaries.filter { $0.due + play.origin > begin + time / 1000 + 0.35 }
        #expect(after.count >= 8)
        for boundary in after { #expect(abs(boundary.deviation) < 250e-6) }
    }

    @Test("if a card never comes back, the piece still ends on time, and its lost boundaries are logged")
    func gone() throws {
        let play = try SimulatedPlay.run(
            LiveTests.performance(minutes: 0.5), on: .fine(ppm: 300).with(["disconnect_at": [10_000.01]]),
            policy: .rewind, for: 100)
        #expect(play.isOver)
        let lost = play.rows.filter { $0.flags.contains(.lost) }
        #expect(play.rows.count == 100)
        #expect(lost.count > 60 && lost.allSatisfy { $0.flags.contains(.away) })
    }

    @Test("an unplugged card is tried again at growing intervals, and the status says where the sound goes")
    func unplugged() throws {
        let play = try SimulatedPlay.run(
            LiveTests.performance(minutes: 1),
            on: .fine(ppm: 300).with(["disconnect_at": [5000.01], "return_after": [6000]]),
            policy: .rewind, for: 20, keepsStatuses: true)
        // After 50 ms, then after twice as long each time, up to a second.
        #expect(play.happenings.count { $0.name == "refused away" } == 9)
        #expect(play.happenings.count { $0.name == "open" } == 2)
        let sounds = play.statuses.map(\.status.sound)
        #expect(sounds.contains { if case .lost = $0 { true } else { false } })
        #expect(sounds.last == .device("simulated"))
    }

    @Test(
        "a card that is suspended in the middle of a period is started again each time, and the music goes on",
        arguments: [Card.Policy.rewind, .small])
    func asleep(policy: Card.Policy) throws {
        var options = Conductor.Options()
        options.pausesOnSuspend = false
        let moments: [Double] = [1200.01, 1501.3, 1803.7, 2105.1, 2407.9, 2710.4]
        let play = try Self.play(
            ["suspend_at": .list(moments.map { .real($0) }), "resume_after": .list(moments.map { _ in 3 })], policy,
            seconds: 10, options: options)
        #expect(play.happenings.count { $0.name == "suspend" } == moments.count)
        #expect(play.happenings.count { $0.name == "start" } == moments.count + 1)
        #expect(play.rows.allSatisfy { !$0.flags.contains(.lost) || $0.flags.contains(.away) })
        Self.expectTruth(play, after: 4)
    }

    @Test("after a fault the drone comes back without a command", arguments: [Card.Policy.rewind, .small])
    func drone(policy: Card.Policy) throws {
        let play = try Self.play(
            ["disconnect_at": [20_100.01], "return_after": [1000]], policy, seconds: 30, drone: true)
        #expect(play.droneShare > 0.97)
        #expect(play.happenings.count { $0.name == "start" } == 2)
    }

    @Test(
        "after the machine has slept, the music is paused, unless the option says otherwise", arguments: [true, false])
    func suspend(pauses: Bool) throws {
        var options = Conductor.Options()
        options.pausesOnSuspend = pauses
        let play = try Self.play(
            ["suspend_at": [20_100.01], "resume_after": [1000]], .rewind, seconds: 40, options: options,
            commands: pauses ? [(25, .togglePause)] : [])
        LiveTests.expectTrueLog(play)
        let late = play.boundaries.filter { $0.due + play.origin > Simulation.beginning + 26 }
        #expect(!late.isEmpty && late.allSatisfy { abs($0.deviation) < 250e-6 })
        #expect(play.rows.contains { $0.flags.contains(.resumed) } == pauses)
        #expect((play.rows.last?.index ?? 0) > 100)
    }

    @Test(
        "the learned rate of the card survives every fault, and is kept for the next session",
        arguments: [Card.Policy.rewind, .small])
    func rate(policy: Card.Policy) throws {
        let play = try Self.play(
            [
                "xrun_at": [15_000.01], "stall_at": [20_200.01], "stall_for": [100], "disconnect_at": [25_000.01],
                "return_after": [2000], "jump_at": [35_000.01], "jump_frames": [4800],
            ], policy)
        #expect(abs((play.learnt?.ppm ?? 0) - 300) < 1)
        #expect((play.learnt?.uncertaintyPPM ?? 9) < 1)
    }
}
