/// The clock of another machine, as a follower learns it over a network: a `ClockModel`, as for a sound card, in which a
/// frame is a nanosecond of the leader's CLOCK_MONOTONIC.
///
/// Of a burst of exchanges, the one with the shortest round trip is believed (NTP's clock filter, RFC 5905, section
/// 10). The shortest of all is taken as the same in both directions; what an exchange took longer is its uncertainty.
package struct LeaderClock: Sendable, Equatable {
    /// One question for the leader's time, and the answer. Times are CLOCK_MONOTONIC in ns.
    package struct Exchange: Sendable, Equatable {
        /// When the question was sent and when the answer came, by the own clock.
        package var sent, received: Int64
        /// The leader's time in between.
        package var leader: Int64

        package init(sent: Int64, received: Int64, leader: Int64) {
            (self.sent, self.received, self.leader) = (sent, received, leader)
        }

        var roundTrip: Int64 { received - sent }
    }

    /// The number of exchanges in a burst.
    package static let burst = 8
    /// How many bursts are remembered for the shortest round trip: a network may become slower.
    private static let remembered = 100

    private var model = ClockModel(nominalRate: 1_000_000_000, noise: 20e-6)
    private var exchanges: [Exchange] = []
    /// The shortest round trips of recent bursts and the means of their round trips, in ns, oldest first.
    private var trips: [Trips] = []

    private struct Trips: Equatable { var shortest, mean: Int64 }

    package init() {}

    /// How many bursts it has learnt from.
    package private(set) var bursts = 0

    /// Takes in an exchange; returns whether it was the last of a burst. One that cannot be is ignored.
    package mutating func take(_ exchange: Exchange) -> Bool {
        guard exchange.roundTrip >= 0 else { return false }
        exchanges.append(exchange)
        guard exchanges.count >= LeaderClock.burst else { return false }
        finish()
        return true
    }

    /// Ends a burst, whole or not.
    package mutating func finish() {
        defer { exchanges = [] }
        guard let best = exchanges.min(by: { $0.roundTrip < $1.roundTrip }) else { return }
        let mean = exchanges.map(\.roundTrip).reduce(0, +) / Int64(exchanges.count)
        trips = (trips + [Trips(shortest: best.roundTrip, mean: mean)]).suffix(LeaderClock.remembered)
        bursts += 1
        model.observe(
            ClockObservation(
                time: best.sent + best.roundTrip / 2, frame: best.leader, blur: Double(excess(of: best)) * 1e-9))
        model.forget(before: best.received)
    }

    /// How much longer than necessary an exchange took, in ns: the more exchanges, the better the shortest is known.
    private func excess(of exchange: Exchange) -> Int64 {
        let shortest = trips.map(\.shortest).min() ?? 0
        let mean = trips.map(\.mean).reduce(0, +) / Int64(max(trips.count, 1))
        let seen = Double(trips.count * LeaderClock.burst).squareRoot()
        return exchange.roundTrip - shortest + Int64(Double(max(mean - shortest, 0)) / seen)
    }

    /// The leader's time at a time of the own clock, in ns.
    package func leader(at own: Double) -> Double {
        let whole = own.rounded(.down)
        let position = model.extrapolated(to: Int64(whole))
        return Double(position.frame) + position.fraction + (own - whole)
    }

    /// The own time at a time of the leader's clock, in ns.
    package func own(at leader: Double) -> Double {
        let whole = leader.rounded(.down)
        return model.time(of: FramePosition(frame: Int64(whole), fraction: leader - whole))
    }

    /// The uncertainty of the leader's time at a time of the own clock, in s, one standard deviation.
    package func uncertainty(at own: Int64) -> Double { model.uncertainty(at: own) }
}

/// Converts times of a leader into frames of the own card: through the leader's clock and the own one.
package struct FollowedMapping: FrameMapping {
    /// The frames of the own card at times of the own clock, CLOCK_MONOTONIC.
    package let card: any FrameMapping
    private let leader: LeaderClock
    /// Time zero by the leader's clock, in ns.
    private let zero: Int64

    /// Makes a mapping; the times of `card` count from the zero of CLOCK_MONOTONIC.
    package init(_ card: some FrameMapping, _ leader: LeaderClock, zero: Int64) {
        (self.card, self.leader, self.zero) = (card, leader, zero)
    }

    package var rate: Int { card.rate }
    package var deviation: Double { card.deviation }

    package func position(at time: Duration) -> FramePosition { card.position(at: own(time)) }

    package func frame(atOrAfter time: Duration) -> Int64 { card.frame(atOrAfter: own(time)) }

    package func time(of frame: Int64) -> Duration {
        let own = card.time(of: frame).attoseconds
        let leader = leader.leader(at: Double(own) * 1e-9) - Double(zero)
        return Duration(toPicoseconds: leader)
    }

    /// The time of the own clock at a time of the leader.
    private func own(_ time: Duration) -> Duration {
        let own = leader.own(at: Double(zero) + Double(time.attoseconds) * 1e-9)
        return Duration(toPicoseconds: own)
    }
}
