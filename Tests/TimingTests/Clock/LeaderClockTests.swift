import Shared
import Testing
import Timing

/// The clock of another machine, learnt over a simulated network.
@Suite("The clock of a leader")
struct LeaderClockTests {
    /// A leader whose clock drifts, behind a network that delays each way by a random time.
    struct Network {
        var drift: Double
        var delay: ClosedRange<Double>
        var generator: Seeded
        /// By how much one of the two clocks is slewed, from the 300th second on, for a minute.
        var slew = 0.0

        /// The leader's time at a time of the follower, both in s.
        func leader(_ time: Double) -> Double {
            77_000 + time * (1 + drift) + slew * min(max(time - 3300, 0), 60)
        }

        /// One burst at `time`; returns when it ended.
        mutating func burst(at time: Double, _ clock: inout LeaderClock) -> Double {
            var now = time
            for _ in 0..<LeaderClock.burst {
                let there = now + Double.random(in: delay, using: &generator)
                let back = there + Double.random(in: delay, using: &generator)
                _ = clock.take(
                    LeaderClock.Exchange(
                        sent: Int64(now * 1e9), received: Int64(back * 1e9), leader: Int64(leader(there) * 1e9)))
                now = back + 0.01
            }
            return now
        }

        /// The errors of the leader's time in s, every half second up to `end`; no burst begins within `outage`.
        mutating func errors(until end: Double, outage: ClosedRange<Double> = -2 ... -1) -> [(
            time: Double, error: Double
        )] {
            var clock = LeaderClock()
            var errors: [(Double, Double)] = []
            var (now, next) = (3000.0, 3000.0)
            let begin = now
            while now < begin + end {
                if now >= next {
                    if outage.contains(now - begin) {
                        next += 1
                    } else {
                        next = burst(at: now, &clock) + (clock.bursts < 12 ? 0.1 : 2)
                    }
                }
                now += 0.5
                if clock.bursts > 2 { errors.append((now - begin, clock.leader(at: now * 1e9) * 1e-9 - leader(now))) }
            }
            return errors
        }
    }

    @Test(
        "with delays of 50 ± 20 ms, the leader's clock is known to 3.5 ms after two minutes, also without network",
        arguments: [0, 40e-6, -200e-6])
    func slowNetwork(drift: Double) {
        for seed in 1...8 {
            var network = Network(drift: drift, delay: 0.03...0.07, generator: Seeded(state: UInt64(seed)))
            let errors = network.errors(until: 600, outage: 240...270)
            let settled = errors.filter { $0.time > 120 }.map { abs($0.error) }
            #expect(settled.count > 900)
            #expect((settled.max() ?? 1) < 3.5e-3, "drift \(drift), seed \(seed): \(settled.max() ?? 1)")
            #expect((errors.map { abs($0.error) }.max() ?? 1) < 20e-3)
        }
    }

    @Test("with delays of 0.2 to 0.6 ms, the leader's clock is known to 0.1 ms", arguments: [0, 40e-6, -200e-6])
    func localNetwork(drift: Double) {
        var network = Network(drift: drift, delay: 0.0002...0.0006, generator: Seeded(state: 3))
        let errors = network.errors(until: 300, outage: 200...230)
        let settled = errors.filter { $0.time > 60 }.map { abs($0.error) }
        #expect((settled.max() ?? 1) < 100e-6, "drift \(drift): \(settled.max() ?? 1)")
        #expect((errors.map { abs($0.error) }.max() ?? 1) < 1e-3)
    }

    @Test(
        "with delays of 0.2 to 0.6 ms, a slew by 100 ppm puts the leader's clock no more than 1.2 ms off",
        arguments: [100e-6, -100e-6])
    func slew(rate: Double) throws {
        for seed in 1...4 {
            var network = Network(
                drift: 40e-6, delay: 0.0002...0.0006, generator: Seeded(state: UInt64(seed)), slew: rate)
            let errors = network.errors(until: 460)
            func largest(after time: Double) -> Double? {
                errors.filter { $0.time > time }.map { abs($0.error) }.max()
            }
            #expect(try #require(largest(after: 60)) < 1.2e-3)
            #expect(try #require(largest(after: 390)) < 150e-6)
        }
    }

    @Test("an answer that comes before its question is ignored")
    func impossible() {
        var clock = LeaderClock()
        let isWhole = clock.take(LeaderClock.Exchange(sent: 5, received: 4, leader: 0))
        clock.finish()
        #expect(!isWhole && clock.bursts == 0)
    }

    @Test("times of the leader convert to own times and back")
    func inverse() {
        var network = Network(drift: 90e-6, delay: 0.001...0.002, generator: Seeded(state: 4))
        var clock = LeaderClock()
        var now = 10.0
        for _ in 0..<20 { now = network.burst(at: now, &clock) + 1 }
        for time in stride(from: -100e9, through: 1000e9, by: 7.7e9) {
            #expect(abs(clock.own(at: clock.leader(at: time)) - time) < 0.5)
        }
    }

    @Test("a mapping through the leader's clock is inverted within a nanosecond")
    func mapping() {
        var network = Network(drift: -30e-6, delay: 0.001...0.002, generator: Seeded(state: 9))
        var clock = LeaderClock()
        var now = 10.0
        for _ in 0..<20 { now = network.burst(at: now, &clock) + 1 }
        let mapping = FollowedMapping(NominalMapping(rate: 48_000, zero: 77), clock, zero: 77_005_000_000_000)
        for frame in stride(from: Int64(0), through: 48_000_000, by: 999_983) {
            let position = mapping.position(at: mapping.time(of: frame))
            #expect(abs(Double(position.frame - frame) + position.fraction) < 1e-4)
        }
    }
}
