import Listening
import Playback
import Scores
import SimulatedCardSupport
import Testing
import Timing

/// Kinds of simulated cards for these tests.
extension Dictionary where Key == String, Value == SimulatedCard.Value {
    /// A card whose pointer moves frame by frame and is seen at most 50 us late.
    static func fine(ppm: Double, seed: Int = 1) -> Self {
        ["skew_ppm": .real(ppm), "jitter_us": 50, "seed": .integer(seed)]
    }

    /// A card whose pointer moves in steps of a millisecond, and whose crystal wanders.
    static func coarse(ppm: Double, seed: Int = 1) -> Self {
        [
            "skew_ppm": .real(ppm), "wander_ppm": 2, "step_frames": 48, "jitter_us": 200, "seed": .integer(seed),
        ]
    }

    /// The same card with some settings added or replaced.
    func with(_ other: Self) -> Self { merging(other) { $1 } }
}

/// The real code from the score to the converter, in simulated time, so that the bounds are exact on any machine.
@Suite("Live in simulated time")
struct LiveTests {
    /// The durations of bars in ms, about three a second; `performance` makes them fall between frames.
    static let bars = [317, 291, 353, 280, 331].map(Double.init)
    static func performance(minutes: Double, drone: Bool = false) -> Performance {
        let count = Int(minutes * 60_000 / 1572) + 1
        let line = bars.map { Score.Bar(.nanoseconds(Int64($0 * 1_000_000 / 0.997))) }
        let score = Score(drone: drone ? Score.Drone() : nil, lines: [Score.Line(passes: count, bars: line)])
        return score.performance()
    }

    /// Expects the log to contain exactly the boundaries that were heard, at their places. The log of a play that was
    /// cut off lacks its last seconds.
    static func expectTrueLog(_ play: SimulatedPlay) {
        let clicks = play.heard.filter { $0.sound != .countIn }
        #expect(play.isOver ? play.told.count == clicks.count : (0...8).contains(clicks.count - play.told.count))
        for (row, click) in zip(play.told, clicks) {
            guard let position = click.position else { break }
            let told = Double(row.position.frame) + row.position.fraction
            if abs(told - position) > 0.01 {
                Issue.record("boundary \(row.index): the log says \(told), heard was \(position)")
                break
            }
        }
        #expect(play.rows.map(\.index) == Array(1...max(play.rows.count, 1)))
    }

    /// The times in s from each of fifty commands at irregular times to its first click, sorted.
    static func commandToSound(_ policy: Card.Policy) throws -> [Double] {
        let times = (0..<50).map { 12.0 + Double($0) * 0.6137 }
        let play = try SimulatedPlay.run(
            Score.ofMilliseconds([Array(repeating: 5000, count: 200)]).performance(), on: .fine(ppm: -120),
            policy: policy, for: 45, commands: times.map { ($0, .jump(.nextBar)) })
        return times.compactMap { time in
            play.heard.first { $0.time > Simulation.beginning + time }.map { $0.time - Simulation.beginning - time }
        }.sorted()
    }

    @Test(
        "a command is heard within 20 ms on a card that rewinds, and otherwise mostly within 20 ms and always within 25 ms"
    )
    func commands() throws {
        let rewinding = try Self.commandToSound(.rewind)
        #expect(rewinding.count == 50 && rewinding[0] > 0 && rewinding[49] <= 0.020)
        let small = try Self.commandToSound(.small)
        #expect(small.count == 50 && small[0] > 0 && small[25] <= 0.020 && small[49] <= 0.025)
    }

    @Test(
        "a start at a given time is exact, although the card's rate is only learned until then",
        arguments: [300.0, -300],
        [Card.Policy.rewind, .small])
    func startAtATime(ppm: Double, policy: Card.Policy) throws {
        var options = Conductor.Options()
        options.start = Int64((Simulation.beginning + 5) * 1e9)
        let play = try SimulatedPlay.run(
            Self.performance(minutes: 1), on: .fine(ppm: ppm), policy: policy, for: 9, options: options)
        #expect(abs(play.origin - Simulation.beginning - 5) < 1e-6)
        #expect(abs(try #require(play.boundaries.first).deviation) <= 100e-6)
    }

    @Test("music that was to begin at a time of day waits until then, and not after a later command")
    func waitsOnce() throws {
        var options = Conductor.Options()
        options.start = Int64((Simulation.beginning + 5) * 1e9)
        var performance = Self.performance(minutes: 1)
        (performance.countIn, performance.countsInJumps) = (.time(.seconds(1)), true)
        let play = try SimulatedPlay.run(
            performance, on: .fine(ppm: 300), policy: .rewind, for: 22, options: options,
            commands: [
                (2, .pause), (6, .resume), (9, .jump(.nextLine)), (12, .speed(change: 10)), (15, .jump(.nextBar)),
            ],
            keepsStatuses: true)
        var waits: Set<Int> = []
        for (now, next) in zip(play.statuses, play.statuses.dropFirst()) where now.status.ending == nil {
            for time in stride(from: now.time, to: next.time, by: 0.005) {
                if case .waiting = now.status.moment(at: Int64(time * 1e9)) {
                    waits.insert(Int(time - Simulation.beginning))
                }
            }
        }
        #expect(waits == [0, 1, 2, 3])
    }

    @Test("long after the start, a card that is filled far ahead wakes the thread less than four times a second")
    func wakes() throws {
        func wakes(_ seconds: Double) throws -> UInt64 {
            try SimulatedPlay.run(
                Self.performance(minutes: 9, drone: true), on: ["skew_ppm": 20], policy: .rewind, for: seconds
            ).reading.wakes
        }
        #expect(try wakes(120) - wakes(60) < 4 * 60)
    }

    @Test(
        "a fine pointer: after 2 s within 30 us and 8 us rms of each other, within 250 us of the clock",
        arguments: [300.0, -300], [Card.Policy.rewind, .small])
    func fine(ppm: Double, policy: Card.Policy) throws {
        for seed in 1...3 {
            let play = try SimulatedPlay.run(
                Self.performance(minutes: 1.5), on: .fine(ppm: ppm, seed: seed), policy: policy)
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
        arguments: [300.0, -300], [Card.Policy.rewind, .small])
    func coarse(ppm: Double, policy: Card.Policy) throws {
        for seed in 1...2 {
            let play = try SimulatedPlay.run(
                Self.performance(minutes: 4), on: .coarse(ppm: ppm, seed: seed), policy: policy)
            Self.expectTrueLog(play)
            let spread = SimulatedPlay.spread(play.boundaries.filter { $0.due > 10 })
            #expect(spread.max <= 100e-6)
            #expect(spread.rms <= 25e-6)
            #expect(abs(spread.offset) <= 1e-3)
            #expect(abs(play.boundaries[0].deviation) <= 1e-3)
        }
    }

    @Test("a coarse pointer is observed at its steps, although the thread is woken more or less late")
    func lateLooks() throws {
        var machine = SimulatedMachine(seed: 5)
        // Half a minute in which the thread is woken up to 2 ms late, with undisturbed time before and after it.
        machine.stalls = (0..<1500).map { SimulatedMachine.Stall(at: 40 + Double($0) * 0.02, for: 0.002, .audio) }
        let play = try SimulatedPlay.run(
            Self.performance(minutes: 1.8), on: .coarse(ppm: 300), policy: .small, machine: machine)
        let spread = SimulatedPlay.spread(play.boundaries.filter { $0.due > 10 })
        #expect(spread.max <= 100e-6)
        #expect(spread.rms <= 25e-6)
    }
}
