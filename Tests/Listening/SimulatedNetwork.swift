package import Playback
internal import Shared
package import Timing

/// A simulated network between a leader and a follower, and the clocks of both. All times are in seconds.
package struct SimulatedNetwork: Sendable {
    /// How much faster the leader's clock goes than the follower's, and how much the leader's shows at time zero of the
    /// follower's.
    package var (drift, offset): (Double, Double)
    /// How long a message is under way.
    package var delay: ClosedRange<Double>
    private var random: Seeded
    private var clock = LeaderClock()

    package init(drift: Double, offset: Double = 50_000, delay: ClosedRange<Double>, seed: UInt64 = 11) {
        (self.drift, self.offset, self.delay, random) = (drift, offset, delay, Seeded(state: seed))
    }

    /// The leader's clock at a time of the follower's.
    package func leader(_ time: Double) -> Double { offset + time * (1 + drift) }
    /// The follower's clock at a time of the leader's.
    package func own(_ time: Double) -> Double { (time - offset) / (1 + drift) }

    /// How long the next message is under way.
    package mutating func trip() -> Double { .random(in: delay, using: &random) }

    /// What a follower knows of its leader, as it becomes known from before the start of the simulation to `seconds` after
    /// it, except within the outages. `music` is what it knows of the music at a time after the start.
    package mutating func leads(
        _ seconds: Double, outages: [ClosedRange<Double>] = [], _ music: (Double) -> LeaderMusic
    ) -> [(Double, Leader)] {
        var leads: [(Double, Leader)] = []
        var time = -4.0
        while time < seconds {
            var now = Simulation.beginning + time
            for _ in 0..<LeaderClock.burst {
                let there = now + trip()
                let back = there + trip()
                _ = clock.take(
                    LeaderClock.Exchange(
                        sent: Int64(now * 1e9), received: Int64(back * 1e9), leader: Int64(leader(there) * 1e9)))
                now = back + 0.01
            }
            time = now - Simulation.beginning
            leads.append((max(time, 0), Leader(music(time), clock)))
            time += clock.bursts < 12 ? 0.1 : 2
            for outage in outages where outage.contains(time) { time = outage.upperBound }
        }
        return leads
    }
}
