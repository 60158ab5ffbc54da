internal import Glibc
internal import Playback
internal import Scores
internal import Shared
internal import Timing

/// Random commands to a leader, and what a machine that follows it over a network plays of that: its clicks are the leader's
/// clicks, and the rows of its log the leader's rows, except from the moment at which the leader's music changes until the
/// news of it have come and can take effect.
package struct OracleFollowing: Sendable {
    package let seed: UInt64
    /// The card and the machine of the follower.
    package let card: OraclePlay.Card
    private let leader: OraclePlay
    private let network: SimulatedNetwork
    private let outages: [ClosedRange<Double>]
    private let seconds: Double

    /// How much earlier than a change a click may be that is it already, in s.
    private static let before = 0.030
    /// How much later than the news a click may still be without them, in s, besides the time that the card takes: longer
    /// where threads wait, the card has long periods, or its clock turns.
    private var after: Double {
        guard card.machine.isIdle else { return card.machine.isSlow ? 1.200 : 0.600 }
        if case .integer(let frames)? = card.settings["period_min"] { return 0.050 + Double(frames) / 48_000 }
        // Where a clock turns, less of what the card holds is taken back, until it is known again.
        return card.isKnown ? 0.150 : 0.050
    }

    /// The leader's card: in one of three plays, one on a slow machine, or on one that is stopped now and then, or one with
    /// faults.
    private static func leading(_ random: inout Seeded, _ seed: UInt64) -> OraclePlay.Card {
        let fine = OraclePlay.Card("leads", ["skew_ppm": 300, "jitter_us": 50], .rewind)
        guard random.chance(3) else { return fine }
        let cards = OraclePlay.Card.busy(seed: seed) + OraclePlay.Card.faulty
        return cards.randomElement(using: &random) ?? fine
    }

    /// Creates a play with `count` random commands to the leader from a seed.
    package init(seed: UInt64, on card: OraclePlay.Card, commands count: Int) {
        (self.seed, self.card) = (seed, card)
        var random = Seeded(state: seed ^ 0xF0110)
        leader = OraclePlay(seed: seed, on: OracleFollowing.leading(&random, seed), commands: count, isLeader: true)
        let slow = random.chance(4)
        let drift = Double.random(in: -60e-6...60e-6, using: &random)
        // The follower joins so long after the leader has begun.
        let joins = Double.random(in: 0...4, using: &random)
        network = SimulatedNetwork(
            drift: drift, offset: OracleFollowing.leaderTime(joins),
            delay: slow ? 0.002...0.02 : 0.0002...0.0006, seed: seed)
        seconds = leader.seconds - joins
        var outages: [ClosedRange<Double>] = []
        if random.chance(3) {
            let begin = Double.random(in: 2...20, using: &random)
            outages = [begin...begin + .random(in: 0.2...6, using: &random)]
        }
        self.outages = outages
    }

    /// News of the leader: the music as told, when it was told by the leader's clock, and when it came, by the follower's.
    private struct News {
        var music: LeaderMusic
        var told: Double
        var came: Double
        /// When it takes effect, by the leader's clock.
        var effect: Double
    }

    private struct Both {
        var leader: SimulatedPlay
        var follower: SimulatedPlay
        var news: [News]
    }

    /// Plays, and returns a sentence for each difference from the leader.
    package func run() throws -> [String] { try play().map(judge) ?? [] }

    /// Plays; returns a full account.
    package func account() throws -> [String] {
        guard let both = try play() else { return ["there is nothing to follow"] }
        let (zero, own) = (zero(both), own(both))
        var lines = ["the leader \(leader.card.name), \(leader.card.policy)", "\(network)", "outages \(outages)"]
        lines += leader.commands.map {
            "leader at \(OracleFollowing.leaderTime($0.0 + Simulation.beginning) - zero) s: \($0.1)"
        }
        lines += both.news.map { news in
            "told at \(news.told - zero), came at \(network.leader(news.came) - zero), effect \(news.effect - zero): "
                + "\(news.music)"
        }
        lines += both.leader.heard.map {
            "leader heard at \(OracleFollowing.leaderTime($0.time) - zero): \($0.sound.map { "\($0)" } ?? "?")"
        }
        lines += both.leader.rows.map { "leader " + $0.csv }
        lines += both.follower.effects.map { "\($0)" }
        lines += own.map { "heard at \($0.time): \($0.sound.map { "\($0)" } ?? "?")" }
        lines += both.follower.rows.map(\.csv)
        lines += both.follower.happenings.map {
            "card at \(network.leader(Double($0.nanoseconds) * 1e-9) - zero) s: \($0.name) \($0.values)"
        }
        for (time, status) in both.follower.statuses {
            let shown = status.moment(at: Int64(time * 1e9)).short
            if lines.last?.hasSuffix(shown) != true {
                lines.append("at \(network.leader(time) - zero) s the follower shows \(shown)")
            }
        }
        lines += windows(both).map { "anything may sound in \($0)" }
        lines += stalls(leader.card, OracleFollowing.leaderTime, both).map { "the leader stands still in \($0)" }
        lines += stops(both).map { "stands still in \($0)" }
        return lines + judge(both).map { "WRONG: \($0)" }
    }

    /// The time by the leader's clock at a time of its simulation.
    private static func leaderTime(_ time: Double) -> Double { time + 50_000 }

    private func play() throws -> Both? {
        let lead = try leader.play()
        var network = network
        var news: [News] = []
        var free = -Double.infinity
        for (time, status) in lead.statuses {
            var music = LeaderMusic(status)
            music.zero += Int64(OracleFollowing.leaderTime(0) * 1e9)
            guard news.last?.music != music else { continue }
            let told = OracleFollowing.leaderTime(time)
            var came = max(network.own(told) + network.trip(), free)
            for outage in outages where outage.contains(came - Simulation.beginning) {
                came = Simulation.beginning + outage.upperBound
            }
            free = came
            let isCommand = news.last.map { !music.goesOn(like: $0.music) } ?? true
            let effect = status.effect.map { Double(music.zero) * 1e-9 + $0.seconds }
            // A command that has waited while a thread stood still takes effect before it is told.
            let since = isCommand ? effect ?? told : told
            news.append(News(music: music, told: told, came: came, effect: since))
        }
        let came = news.map { ($0.came - Simulation.beginning, $0.music) }
        guard let first = came.first, first.0 < seconds - 3 else { return nil }
        var leads = network.leads(seconds, outages: outages) { time in came.last { $0.0 <= time }?.1 ?? first.1 }
        for (time, music) in came {
            guard let clock = leads.last(where: { $0.0 <= time })?.1.clock, time > 0 else { continue }
            leads.append((time, Leader(music, clock)))
        }
        leads = leads.enumerated().sorted { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }.map(\.element)
        var options = Conductor.Options()
        options.card = card.known
        // It begins as soon as there is music.
        let begin = max(first.0, 0)
        guard var start = leads.last(where: { $0.0 <= begin })?.1 else { return nil }
        start.music = came.last { $0.0 <= begin }?.1 ?? first.1
        options.leader = start
        options.pausesOnSuspend = false
        var performance = Performance(of: leader.score, passage: Passage(Timeline(leader.score)))
        performance.follow(start.music)
        performance.speed = start.music.anchor.speed
        leads.removeAll { $0.0 <= begin }
        let follower =
            try card.isSilent
            ? SimulatedPlay.runSilently(
                performance, machine: card.machine, for: seconds, options: options, leads: leads)
            : SimulatedPlay.run(
                performance, on: card.settings, policy: card.policy, machine: card.machine, for: seconds,
                options: options, leads: leads, loudness: card.loudness, keepsStatuses: true)
        return Both(leader: lead, follower: follower, news: news)
    }

    // MARK: - The judgement

    /// Time zero by the leader's clock, in s.
    private func zero(_ both: Both) -> Double { OracleFollowing.leaderTime(both.leader.origin) }

    /// The clicks of the follower, after time zero by the leader's clock.
    private func own(_ both: Both) -> [(time: Double, sound: ClickSound?)] {
        both.follower.heard.map { (network.leader($0.time) - zero(both), $0.sound) }
    }

    /// When a thread of the follower stands still or its device does not answer, after time zero by the leader's clock, in
    /// order.
    private func stops(_ both: Both) -> [ClosedRange<Double>] {
        let hangs = both.follower.happenings.filter { $0.name.hasPrefix("hang") }.map { hang in
            let begin = network.leader(Double(hang.nanoseconds) * 1e-9) - zero(both)
            return begin...begin + OraclePlay.Card.longestHang
        }
        return (stalls(card, network.leader, both) + hangs).sorted { $0.lowerBound < $1.lowerBound }
    }

    /// The stalls of a machine, on whose clock a time of its simulation is `time`, after time zero by the leader's clock.
    private func stalls(
        _ card: OraclePlay.Card, _ time: (Double) -> Double, _ both: Both
    ) -> [ClosedRange<Double>] {
        card.machine.stalls.map { stall in
            let begin = time(Simulation.beginning + stall.begin) - zero(both)
            return begin...begin + stall.length
        }
    }

    /// The times, after time zero by the leader's clock, in which the follower may play something else.
    private func windows(_ both: Both) -> [ClosedRange<Double>] {
        let (zero, stops) = (zero(both), stops(both))
        var windows: [ClosedRange<Double>] = []
        for news in both.news {
            let effect = news.effect - zero
            let takes = both.follower.statuses.last { $0.time <= news.came }?.status.commandDelay.seconds ?? 0
            let after = after + takes
            var end = network.leader(news.came) - zero + after
            for stop in stops where stop.lowerBound - 0.5 < end && end < stop.upperBound + 0.5 {
                end = stop.upperBound + after
            }
            windows.append(effect - OracleFollowing.before...max(effect + OracleFollowing.before, end))
        }
        return windows
    }

    private func judge(_ both: Both) -> [String] {
        let (zero, own) = (zero(both), own(both))
        let tolerance = card.tolerance + (network.delay.upperBound - network.delay.lowerBound) / 2 + 0.7e-3
        let windows = windows(both)
        func isFree(_ time: Double) -> Bool { windows.contains { $0.contains(time) } }
        guard case .began(_, let began, _)? = both.follower.effects.first else {
            // A device can have failed, or a thread can have stood still, all the time; or the leader ended just then.
            let over = both.leader.overAt.map { network.own(OracleFollowing.leaderTime($0)) } ?? .infinity
            if over < Simulation.beginning + 3 { return [] }
            return card.isFaulty ? [] : ["it never began"]
        }
        var wrong: [String] = []
        // What is judged: from the beginning until a while before the end.
        let begin = began.seconds + 0.1
        let simulated = network.leader(Simulation.beginning + seconds) - zero - 4.5
        let over = both.follower.overAt.map { network.leader($0) - zero - 0.1 } ?? .infinity
        var end = min(simulated, over, OracleFollowing.leaderTime(Simulation.beginning + leader.seconds) - zero - 4.5)
        // Threads that have stood still have decided and written nothing since then.
        for stop in (stops(both) + stalls(leader.card, OracleFollowing.leaderTime, both)).sorted(by: {
            $0.upperBound > $1.upperBound
        })
        where stop.upperBound - stop.lowerBound > 0.2 && stop.upperBound > end {
            end = min(end, stop.lowerBound - 3)
        }
        func isJudged(_ time: Double) -> Bool { time > begin && time < end && !isFree(time) }
        // Followers also play the clicks that the leader has lost by a fault of its own card.
        let heard = both.leader.heard.map { (time: OracleFollowing.leaderTime($0.time) - zero, sound: $0.sound) }
        let due = both.leader.rows.filter { !$0.flags.contains(.muted) }.map {
            (time: $0.nominal.seconds, sound: ClickSound?.none)
        }
        let mustSound = leader.card.isFaulty ? due : heard
        let maySound = leader.card.isFaulty ? heard + due : heard
        func isHeard(_ time: Double, _ clicks: [(time: Double, sound: ClickSound?)]) -> Bool {
            clicks.contains { abs($0.time - time) < tolerance }
        }
        let rows = both.follower.rows
        /// Whether a fault of the follower's card explains that a click is missing. Clicks of a count-in have no row.
        func isExcused(_ click: (time: Double, sound: ClickSound?)) -> Bool {
            guard card.isFaulty, click.sound != .countIn else { return card.isFaulty }
            return rows.contains {
                abs($0.nominal.seconds - click.time) < 0.03
                    && !$0.flags.isDisjoint(with: [.xrun, .away, .slip, .lost, .late])
            }
        }
        for click in mustSound
        where !card.isSilent && isJudged(click.time) && !isHeard(click.time, own) && !isExcused(click) {
            wrong.append("the leader's click at \(click.time) s (\(click.sound.map { "\($0)" } ?? "?")) is missing")
        }
        if !card.isFaulty {
            for click in own where isJudged(click.time) && click.sound != .countIn && !isHeard(click.time, maySound) {
                wrong.append("there is no click of the leader at \(click.time) s")
            }
        }
        wrong += compare(both.leader.rows.filter { isJudged($0.nominal.seconds) }, rows, "the leader's row")
        wrong += compare(rows.filter { isJudged($0.nominal.seconds) }, both.leader.rows, "the follower's row")
        wrong += judgeShown(both, windows, tolerance)
        // Each click that the log calls heard was heard, and each that was heard has a row.
        let unsure: TimingRow.Flags = [.lost, .muted, .slip]
        for row in rows where !card.isSilent && row.flags.isDisjoint(with: unsure) {
            guard let heard = row.heard?.seconds, heard > begin - 0.1, heard < end else { continue }
            let unsure = tolerance + 4e-6 * row.uncertaintyMicroseconds
            if !own.contains(where: { abs($0.time - heard) < unsure }) {
                wrong.append("the row \(row.csv) tells of a click that nobody heard")
            }
        }
        for click in own where click.time > begin && click.time < end && click.sound != nil && click.sound != .countIn {
            let isTold = rows.contains { row in
                let near = row.flags.contains(.slip) ? 0.2 : tolerance + 4e-6 * row.uncertaintyMicroseconds
                return row.heard.map { abs($0.seconds - click.time) < near } ?? false
            }
            if !isTold { wrong.append("the click at \(click.time) s has no row") }
        }
        return wrong
    }

    /// What the follower's screens have shown that its leader's have not.
    private func judgeShown(_ both: Both, _ windows: [ClosedRange<Double>], _ tolerance: Double) -> [String] {
        var wrong: [String] = []
        var random = Seeded(state: seed ^ 0x5C4EE)
        let zero = zero(both)
        // After a fault of the card, a change waits a little longer; on a slow machine, as long as its clock is unsettled.
        let longer = card.machine.isSlow ? 1.5 : card.isFaulty ? 0.3 : 0
        let windows = windows.map { $0.lowerBound...$0.upperBound + longer }
        var leaders = both.leader.statuses[...]
        for (now, next) in zip(both.follower.statuses, both.follower.statuses.dropFirst()) {
            let time = Double.random(in: now.time...next.time, using: &random)
            let after = network.leader(time) - zero
            while let next = leaders.dropFirst().first, OracleFollowing.leaderTime(next.time) - zero < after {
                leaders.removeFirst()
            }
            guard let leader = leaders.first?.status, leader.effect.map({ $0.seconds < after }) ?? true,
                leaders.count > 1, after < (leaders.last.map { OracleFollowing.leaderTime($0.time) - zero } ?? 0),
                !windows.contains(where: { $0.contains(after) })
            else { continue }
            func moment(_ shift: Double) -> Moment {
                leader.moment(at: Int64((after + shift + both.leader.origin) * 1e9))
            }
            let must = [-tolerance, 0, tolerance].map(moment)
            let shown = now.status.moment(at: Int64(time * 1e9))
            if !must.contains(where: { shown.isLike($0, within: tolerance) }) {
                wrong.append("at \(after) s, the follower's screen shows \(shown.short), its leader's \(must[1].short)")
            }
        }
        return wrong
    }

    /// Each of these rows is among the others.
    private func compare(_ rows: [TimingRow], _ others: [TimingRow], _ name: String) -> [String] {
        rows.filter { row in
            !others.contains { $0.index == row.index && abs($0.nominal.seconds - row.nominal.seconds) < 1e-5 }
        }.map { "\(name) \($0.csv) is alone" }
    }
}
