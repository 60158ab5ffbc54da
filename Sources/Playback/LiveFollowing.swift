internal import Scores
package import Timing

/// The leader of a follower: what is known of it.
package struct Leader: Sendable {
    package var music: LeaderMusic
    package var clock: LeaderClock
    /// The problem with the network between them; nil if there is none.
    package var trouble: String?

    package init(_ music: LeaderMusic, _ clock: LeaderClock, trouble: String? = nil) {
        (self.music, self.clock, self.trouble) = (music, clock, trouble)
    }
}

// A follower: times count by the leader's clock, which becomes frames through the own clock and that of the card.
extension LivePerformance {
    /// Takes what is newly known of the leader.
    package mutating func follow(_ new: Leader) {
        guard leader != nil, !isOver else { return }
        leader = new
        if let last = leads.last ?? followed, new.music.goesOn(like: last) {
            if !leads.isEmpty { leads[leads.count - 1] = new.music }
        } else {
            leads.append(new.music)
        }
        if newLead != nil, proposal != nil { output.hurry() }
        if new.music.hasEnded { take(WaitingCommand(.stop)) }
        guard clock.leader != new.clock else { return }
        clock.leader = new.clock
        guard isLive, let zero = clock.zero else { return }
        // Events that have been handed out are placed anew if they have moved by enough.
        let mapping = mapping(zero: zero)
        if horizon != .min { moved += mapping.time(of: horizon) - music.scheduler.mapping.time(of: horizon) }
        music.scheduler.refine(mapping)
        proposal?.music.scheduler.refine(mapping)
    }

    /// The music of the leader, if it goes on in another way than the one that has taken effect.
    var newLead: LeaderMusic? {
        guard endedAt == nil else { return nil }
        return leads.first ?? (followed == nil ? leader?.music : nil)
    }

    /// Forgets what the leader has told and changed once more, before the frame at which it could take effect here.
    mutating func skipLeads(before frame: Int64) {
        func isOver(_ lead: LeaderMusic) -> Bool {
            lead.effect.map { mapping(zero: zero(of: lead)).position(at: $0).frame <= frame } ?? true
        }
        while leads.count > 1, leads.count > LivePerformance.mostLeads || isOver(leads[1]) { leads.removeFirst() }
    }

    /// So many changes of the leader wait at most.
    private static let mostLeads = 16

    /// Time zero at the converter, by the leader's clock: the own sound goes out earlier by its latency.
    private func zero(of lead: LeaderMusic) -> Int64 { lead.zero - options.latency.nanoseconds }

    /// Where times of the leader are in frames. While the card begins anew, it is as it was.
    private func mapping(zero: Int64) -> any FrameMapping {
        guard !clock.isSettled, clock.silence == nil, let old = music.scheduler.mapping as? FollowedMapping,
            let leader = clock.leader
        else { return clock.mapping(zero: zero) }
        return FollowedMapping(old.card, leader, zero: zero)
    }

    /// Gives the music its place in time, as soon as the own clock is known.
    mutating func beginFollowing(_ lead: LeaderMusic, _ reading: OutputReading, isNominal: Bool) -> Bool {
        if isNominal {
            let zero = NominalMapping(rate: output.rate, zero: 0).position(at: .nanoseconds(reading.time)).frame
            clock.silence = NominalMapping(rate: output.rate, zero: reading.heardFrame - zero)
        }
        let frame = output.reach(within: self.lead) + frames(LivePerformance.beginning)
        let zero = zero(of: lead)
        let mapping = clock.mapping(zero: zero)
        var trial = music
        trial.scheduler = Scheduler(music.scheduler.performance, mapping: mapping, from: frame)
        trial.scheduler.follow(lead, mapping, at: frame, after: [], isJump: false)
        guard output.begin(at: frame), commit(trial, .begin(zero: zero), at: frame) else { return false }
        (followed, leads) = (lead, [])
        log.forget()
        isMisplaced = false
        return true
    }

    mutating func goOn(as lead: LeaderMusic, at soonest: Int64, _ reading: OutputReading) -> Bool {
        let mapping = mapping(zero: zero(of: lead))
        func following(from frame: Int64, isJump: Bool) -> Music {
            var trial = music
            trial.scheduler.follow(lead, mapping, at: frame, after: sounded, isJump: isJump)
            return trial
        }
        let hasJumped = lead.jumps != followed?.jumps
        var trial = following(from: soonest, isJump: hasJumped)
        var frame = effectFrame(of: lead, as: trial.scheduler, at: soonest)
        // Until then, the music goes on as before. It has not been handed out that far if this thread has stood still.
        if frame > horizon, frame > soonest, let hasRoom = supply(reading) { return hasRoom }
        if frame > horizon { frame = soonest }
        guard output.begin(at: frame) else { return false }
        let isJump = hasJumped || !goesOn(trial.scheduler, at: frame)
        if frame > soonest || isJump != hasJumped { trial = following(from: frame, isJump: isJump) }
        var flags: TimingRow.Flags = []
        if followed?.paused != nil, lead.paused == nil {
            flags = .resumed
        } else if case .holding(let held) = music.scheduler.state(at: frame),
            lead.anchor.position == held.position + held.length
        {
            flags = .held
        } else if isJump {
            flags = .jump
        }
        return commit(trial, .follow(lead, flags), at: frame)
    }

    /// The frame at which a change of the leader, which can be told before it is heard, takes effect: until then, the music that
    /// sounds goes on.
    private func effectFrame(of lead: LeaderMusic, as new: Scheduler, at soonest: Int64) -> Int64 {
        let isSounding = !music.isStanding(at: soonest) && music.scheduler.state(at: soonest) != .waiting
        guard lead.effect != nil || isSounding else { return soonest }
        let time = lead.effect ?? lead.timePaused ?? new.countsTo?.begin ?? lead.anchor.time
        let effect = new.mapping.position(at: time).frame
        return (soonest...soonest + frames(reach)).contains(effect) ? effect : soonest
    }

    /// The farthest that the music moves in the piece where the leader has not jumped: a change of speed, or a shift, comes late.
    private static let near = Duration.milliseconds(150)

    /// Whether the music would go on where it is in the piece at a frame, perhaps after a hold, with another scheduler.
    private func goesOn(_ new: Scheduler, at frame: Int64) -> Bool {
        func place(_ scheduler: Scheduler) -> Duration {
            let (passage, position) = (scheduler.performance.passage, max(scheduler.position(at: frame), .zero))
            let n = passage.boundary(at: position)
            let inBar = passage.stretch(of: n).speed.scoreDuration(of: position - passage.position(of: n))
            return passage.timeline.start(ofBar: passage.bar(of: n).index) + inBar
        }
        var moved = place(new) - place(music.scheduler)
        if case .holding(let held) = music.scheduler.state(at: frame) { moved -= held.length }
        return max(moved, .zero - moved) < LivePerformance.near
    }

    /// Notes that the music goes on as the leader's does from a frame on.
    mutating func hasFollowed(_ lead: LeaderMusic, _ flags: TimingRow.Flags, at frame: Int64) {
        if !flags.isEmpty { log.flag(flags, from: frame) }
        if flags.contains(.jump) || lead.jumps != followed?.jumps { jumps += 1 }
        followed = lead
        if leads.first?.goesOn(like: lead) ?? false { leads.removeFirst() }
        logger.debug("follows", metadata: ["frame": "\(frame)", "flags": "\(flags.text)"])
        clock.zero = zero(of: lead)
        // The card or the leader's clock may have been learnt better while the output decided.
        music.scheduler.refine(mapping(zero: zero(of: lead)))
        (commandCount, effect) = (commandCount + 1, (frame, music.scheduler.mapping.time(of: frame)))
        if clock.origin != nil { clock.origin = clock.zero.map(Double.init) }
        // After a fault of the card, the music keeps its old place until the clock is known again.
        if clock.isSettled { log.settleDoubts(at: frame) }
    }

    /// When time zero was at the converter by the own clock, reckoned from the present; nil without a leader.
    func zeroByLeader(_ reading: OutputReading) -> Int64? {
        guard let leader = clock.leader, let zero = clock.zero else { return nil }
        return reading.now - Int64(leader.leader(at: Double(reading.now)) - Double(zero))
    }
}
