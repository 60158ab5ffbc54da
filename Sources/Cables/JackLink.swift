internal import Playback
internal import Timing

/// A client of a JACK server, with what is known of the server's clock, of its transport, and of the start that it is about to
/// make.
///
/// JACK asks each client before the transport rolls, and waits for those that are not ready. Barline decides from which period of
/// the server on the transport shall roll, has the music of that start placed in the sound card's buffer, and only then promises
/// to be ready, in the period before. So the first click is there when the transport rolls. If another program is not
/// ready by then, the first click has come too early, and the music waits for the transport.
final class JackLink {
    let client: any JackClient
    private var music: JackMusic
    private(set) var clock = LeaderClock()
    /// The music as it was found when the transport changed last.
    private var last: (transport: JackMusic.Transport, music: LeaderMusic)?
    private var plan: Plan?

    /// A start that the transport is about to make.
    private struct Plan {
        var number: UInt16
        /// The frame of the transport, and the frame of the server from which it is to roll.
        var frame, begin: UInt32
        var isPromised = false
    }

    /// How long placing the music takes where nothing else is known, and at least.
    private static let (usualDelay, leastDelay) = (Duration.milliseconds(150), Duration.milliseconds(50))

    /// Begins to know a server. The leader's time is `zero` now, in ns.
    init(_ client: some JackClient, _ performance: Performance, at begin: Duration, zero: Int64) {
        self.client = client
        // Sound that goes through ALSA to the same server is heard a period later than the pointer says.
        music = JackMusic(
            performance, at: begin, rate: client.rate, late: -client.period, now: client.now.frame, zero: zero)
    }

    /// Learns of the server's clock.
    func learn() {
        let now = client.now
        let leader = music.take(now.frame)
        _ = clock.take(LeaderClock.Exchange(sent: now.time, received: now.time, leader: leader))
        clock.finish()
    }

    /// Whether the transport rolls, or is about to.
    var rolls: Bool { client.transport.state != .stopped }

    /// The music as it is; the same as before if the transport has not changed. `isPlaced` says whether music that begins at a
    /// time of CLOCK_MONOTONIC in ns is in the sound card's buffer by now, and `delay` how long that takes.
    func place(delay: Duration?, isPlaced: (LeaderMusic, Int64) -> Bool) -> LeaderMusic {
        let report = client.transport
        switch report.state {
        case .stopped:
            plan = nil
            return found(.stopped(report.frame))
        case .rolls:
            // The start has come as it was planned.
            if let plan, plan.frame &- plan.begin == report.frame {
                return found(.starting(plan.frame, at: plan.begin))
            }
            plan = nil
            return found(.rolling(ahead: report.frame))
        case .ready:
            guard let plan, plan.number == report.start, isAhead(plan.begin &+ UInt32(client.period)) else {
                plan = nil
                return found(.stopped(report.frame))
            }
            return found(.starting(plan.frame, at: plan.begin))
        case .starts:
            // The promise is due a period before the start; that it has been kept may be known a little later.
            if let plan, plan.number == report.start,
                isAhead(plan.isPromised ? plan.begin : plan.begin &- UInt32(client.period))
            {
                let music = found(.starting(plan.frame, at: plan.begin))
                if !plan.isPromised, isPlaced(music, time(of: plan.begin)) {
                    client.promise(plan.number, from: plan.begin)
                    self.plan?.isPromised = true
                }
                return music
            }
            let plan = plan(report, delay ?? JackLink.usualDelay)
            self.plan = plan
            return found(.starting(plan.frame, at: plan.begin))
        }
    }

    /// Plans the start that a report tells of.
    private func plan(_ report: JackReport, _ delay: Duration) -> Plan {
        let period = Int64(max(client.period, 1))
        // Twice as long, because the server's thread and this one have to take their turns, too.
        let time = max(delay, JackLink.leastDelay) * 2
        let frames = Int64((time / .microseconds(1)) * Double(client.rate) / 1e6)
        let late = Int64(Int32(bitPattern: client.now.frame &- report.periodBegin))
        let periods = (max(late, 0) + frames + period - 1) / period + 2
        return Plan(
            number: report.start, frame: report.frame,
            begin: report.periodBegin &+ UInt32(truncatingIfNeeded: periods * period))
    }

    private func found(_ transport: JackMusic.Transport) -> LeaderMusic {
        if let last, last.transport == transport { return last.music }
        _ = music.take(client.now.frame)
        let found = music.music(transport)
        last = (transport, found)
        return found
    }

    /// Whether the server has not come to one of its frames yet.
    private func isAhead(_ frame: UInt32) -> Bool { Int32(bitPattern: frame &- client.now.frame) > 0 }

    /// When the server comes to one of its frames: CLOCK_MONOTONIC in ns.
    private func time(of frame: UInt32) -> Int64 {
        let now = client.now
        return now.time + Int64(Int32(bitPattern: frame &- now.frame)) * 1_000_000_000 / Int64(max(client.rate, 1))
    }
}
