import Listening
import Score
import Testing
import Timing

@testable import Playback

/// Everything from the score to the converter, on simulated time: exact bounds, whatever the machine does.
@Suite("Live on a virtual card")
struct LiveTests {
    typealias Crystal = VirtualCard.Crystal
    typealias Device = VirtualCard.Device

    /// Bars that fall between frames, about three a second.
    static let bars = [317, 291, 353, 280, 331].map(Double.init)
    static func performance(minutes: Double, drone: Bool = false) -> Performance {
        let count = Int(minutes * 60_000 / 1572) + 1
        let line = bars.map { Score.Bar(.nanoseconds(Int64($0 * 1_000_000 / 0.997))) }
        let score = Score(drone: drone ? Score.Drone() : nil, lines: [Score.Line(passes: count, bars: line)])
        return score.performance()
    }

    static func steady(_ crystal: Crystal, minutes: Double) async throws -> SimulatedPlay {
        try await SimulatedPlay.run(performance(minutes: minutes), on: Device(crystal))
    }

    /// That the log tells what was heard: those boundaries, at those places, and no others. A play that was broken off
    /// has not told its last two seconds yet.
    static func expectTrueLog(_ play: SimulatedPlay, isWhole: Bool = true) {
        let told = play.rows.filter { !$0.flags.contains(.lost) }
        #expect(isWhole ? told.count == play.heard.count : (0...8).contains(play.heard.count - told.count))
        // The log has six decimals of a frame.
        for (row, heard) in zip(told, play.heard) where !row.position.isNear(heard.position) {
            Issue.record("boundary \(row.index): the log says \(row.position), heard was \(heard.position)")
        }
        #expect(play.rows.map(\.index) == Array(1...max(play.rows.count, 1)))
    }

    /// How long after a command its first click is heard, of fifty commands at odd times.
    static func commandToSound(rewinds: Bool) async throws -> [Double] {
        var delays: [Double] = []
        for k in 0..<50 {
            let time = 12.0 + Double(k) * 0.3137
            let device = Device(Crystal(skew: -120e-6, jitter: 50e-6, rewinds: rewinds, seed: UInt64(k)))
            let play = try await SimulatedPlay.run(
                performance(minutes: 1), on: device, for: time + 3, commands: [(time, .nextBar)])
            let jumped = play.rows.firstIndex { $0.flags.contains(.jump) } ?? 0
            #expect(jumped > 0)
            delays.append(play.heard[jumped].time - 1000 - time)
        }
        return delays.sorted()
    }

    @Test("a command is heard within 20 ms where the card takes back, elsewhere mostly, and within 25 at most")
    func commands() async throws {
        let rewinding = try await Self.commandToSound(rewinds: true)
        #expect(rewinding[0] > 0 && rewinding[49] <= 0.020)
        let small = try await Self.commandToSound(rewinds: false)
        #expect(small[0] > 0 && small[25] <= 0.020 && small[49] <= 0.025)
    }

    @Test(
        "a start at a time is kept though the card's rate is learnt only until then", arguments: [300e-6, -300e-6],
        [true, false])
    func startAtATime(skew: Double, rewinds: Bool) async throws {
        var options = Conductor.Options()
        options.start = 1_005_000_000_000
        let device = Device(Crystal(skew: skew, jitter: 50e-6, rewinds: rewinds))
        let play = try await SimulatedPlay.run(Self.performance(minutes: 1), on: device, for: 9, options: options)
        #expect(abs(play.origin - 1005) < 1e-6)
        #expect(abs(play.boundaries[0].deviation) <= 100e-6)
    }

    @Test("far from the start a card that is filled ahead is looked at less than four times a second")
    func wakes() async throws {
        let device = Device(Crystal(skew: 20e-6))
        let short = try await SimulatedPlay.run(Self.performance(minutes: 9, drone: true), on: device, for: 60)
        let other = Device(Crystal(skew: 20e-6))
        let long = try await SimulatedPlay.run(Self.performance(minutes: 9, drone: true), on: other, for: 360)
        #expect(long.wakes - short.wakes < 4 * 300)
    }

    @Test(
        "a fine pointer: after 2 s within 30 us and 8 us rms of each other, within 250 us of the clock",
        arguments: [300e-6, -300e-6], [true, false])
    func fine(skew: Double, rewinds: Bool) async throws {
        for seed: UInt64 in 1...4 {
            let crystal = Crystal(skew: skew, jitter: 50e-6, rewinds: rewinds, seed: seed)
            let play = try await Self.steady(crystal, minutes: 3)
            Self.expectTrueLog(play)
            let spread = SimulatedPlay.spread(play.boundaries.filter { $0.due > 2 })
            #expect(spread.max <= 30e-6)
            #expect(spread.rms <= 8e-6)
            #expect(abs(spread.offset) <= 250e-6)
            #expect(abs(play.boundaries[0].deviation) <= 1e-3)
        }
    }

    @Test(
        "a coarse pointer on a wandering crystal: after 10 s within 100 us and 25 us rms, within 1 ms of the clock",
        arguments: [300e-6, -300e-6], [true, false])
    func coarse(skew: Double, rewinds: Bool) async throws {
        for seed: UInt64 in 1...4 {
            let crystal = Crystal(
                skew: skew, wander: 2e-6, step: 48, jitter: 200e-6, rewinds: rewinds, seed: seed)
            let play = try await Self.steady(crystal, minutes: 12)
            Self.expectTrueLog(play)
            let spread = SimulatedPlay.spread(play.boundaries.filter { $0.due > 10 })
            #expect(spread.max <= 100e-6)
            #expect(spread.rms <= 25e-6)
            #expect(abs(spread.offset) <= 1e-3)
            #expect(abs(play.boundaries[0].deviation) <= 1e-3)
        }
    }
}
