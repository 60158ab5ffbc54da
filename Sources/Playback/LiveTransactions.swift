internal import Logging
internal import Scores
internal import Timing

// One transaction at a time: the most urgent one is proposed, the output decides about it, and only then does it count.
extension LivePerformance {
    /// Takes in the output's verdict. Returns whether no transaction is waiting for one any more.
    mutating func decide() -> Bool {
        guard let open = proposal else { return true }
        let verdict = output.verdict
        guard verdict.number == open.number else { return false }
        proposal = nil
        let reading = output.reading()
        if verdict.isTaken {
            accept(open)
        } else {
            // The transaction came too late: the next try begins further ahead.
            lead = min(lead * 2, LivePerformance.mostLead)
            logger.debug(
                "too late", metadata: ["frame": "\(open.frame)", "by": "\(-reading.slackFrames)", "lead": "\(lead)"])
            switch open.purpose {
            case .command(let command, _): waiting.insert(command, at: 0)
            case .place: isMisplaced = true
            case .supply(let before): moved += before
            // These are proposed anew by themselves.
            case .begin, .follow: break
            }
        }
        return true
    }

    mutating func accept(_ open: Proposal) {
        if case .command(let waiting, _) = open.purpose {
            // What is heard up to the frame of the stop is known from the music before it.
            if waiting.command == .stop { ending = ending(before: open.frame) }
            if !music.scheduler.isPaused { isPausedBySuspend = waiting.isBySuspend }
        }
        // Clicks that were rendered meanwhile have been recorded already.
        music = open.music
        horizon = open.horizon
        switch open.purpose {
        case .supply: return
        case .begin(let zero):
            stage = .live
            clock.zero = zero
            // The log has no times for a card that was never observed.
            if clock.isSettled { clock.origin = zero.map(Double.init) }
            options.trace?(.began(frame: open.frame, time: open.time, isPaused: music.scheduler.isPaused))
            logger.debug("time zero", metadata: ["frame": "\(music.scheduler.mapping.position(at: .zero).frame)"])
        case .place(let zero):
            if let zero { (clock.zero, clock.origin) = (zero, Double(zero)) }
            effect = nil
            log.settleDoubts(at: open.frame)
            options.trace?(.placed(frame: open.frame, time: open.time))
            logger.debug("placed anew", metadata: ["from": "\(open.frame)"])
        case .follow(let lead, let flags): hasFollowed(lead, flags, at: open.frame)
        case .command(let waiting, let flags):
            (commandCount, effect) = (commandCount + 1, (open.frame, open.time))
            if flags.contains(.jump) { jumps += 1 }
            if case .practice = waiting.command { passages += 1 }
            // A follower that its player had paused hears the leader again from here on.
            if leader != nil, flags.contains(.resumed) { followed = nil }
            if !flags.isEmpty { log.flag(flags, from: open.frame) }
            options.trace?(.command(waiting.command, frame: open.frame, time: open.time))
            logger.debug("command", metadata: ["command": "\(waiting.command)", "frame": "\(open.frame)"])
            waiting.done?.resume()
        }
        newest = open.frame
        // A word that is said begins there, and the next change must not replace it.
        if case .command(let waiting, _) = open.purpose, case .say = waiting.command { newest += 1 }
        lead = max(lead * 15 / 16, output.leastLead)
    }

    /// Proposes the most urgent transaction. Returns nil if there is nothing to propose, false if there was no room.
    mutating func propose(_ reading: OutputReading) -> Bool? {
        switch stage {
        case .over: return nil
        case .learning:
            if endedAt != nil { return nil }
            return begin(reading)
        case .live: break
        }
        // A clock that is unsettled, as after one more fault, would put it into another wrong place.
        if isMisplaced, clock.zero == nil || clock.isSettled && !hasFailed { return place(zero: clock.zero) }
        if newLead != nil {
            let frame = soonest
            skipLeads(before: frame)
            guard let lead = newLead else { return nil }
            if isBehind(frame) { goBy(before: frame) }
            return goOn(as: lead, at: frame, reading)
        }
        if let zero = movedStart(reading) { return place(zero: zero) }
        if let mapping = movedNominalStart(reading) { return place(mapping) }
        guard !waiting.isEmpty else { return supply(reading) }
        // This thread may not have run for some seconds. The bars that went by meanwhile are settled before the command.
        let frame = soonest
        if isBehind(frame) {
            if reading.failure != nil { goBy(before: frame) } else if let hasRoom = supply(reading) { return hasRoom }
        }
        return carryOut(at: frame)
    }

    /// Whether events before a frame, the first that can be changed, have not been handed out.
    func isBehind(_ frame: Int64) -> Bool { horizon != .min && horizon < frame }

    /// Hands the open transaction to the output, with the events that follow from `trial`.
    mutating func commit(_ trial: consuming Music, _ purpose: Purpose, at frame: Int64) -> Bool {
        let known = trial.scheduler.schedule(before: frame + frames(reach), into: &output)
        guard let number = output.commit(horizon: known, end: trial.scheduler.endFrame ?? .max) else { return false }
        let time = trial.scheduler.mapping.time(of: frame)
        proposal = Proposal(number: number, purpose: purpose, music: trial, frame: frame, time: time, horizon: known)
        output.hurry()
        return true
    }

    /// The first frame at which a transaction can take effect.
    var soonest: Int64 { max(output.reach(within: lead), newest, recorded) }

    /// Gives the music its place in time, as soon as the clock is known.
    mutating func begin(_ reading: OutputReading) -> Bool? {
        let isNominal = reading.isNominal || reading.failure != nil
        guard isNominal || clock.isSettled && !hasFailed else { return nil }
        if let leader { return beginFollowing(leader.music, reading, isNominal: isNominal) }
        let frame = output.reach(within: lead) + frames(LivePerformance.beginning)
        let performance = music.scheduler.performance
        var trial = music
        var zero: Int64?
        if isNominal {
            // Frames follow the clock itself.
            let heard = NominalMapping(rate: output.rate, zero: reading.heardFrame)
            let first = wantedZero.map { heard.frame(atOrAfter: .nanoseconds($0 - reading.time)) }
            let place = first ?? frame + performance.zeroFrame(rate: output.rate)
            let mapping = NominalMapping(rate: output.rate, zero: place)
            trial.scheduler = Scheduler(performance, mapping: mapping, from: frame)
            // The music follows a card that is away as soon as it is back.
            if !reading.isNominal { zero = reading.time + heard.time(of: place).nanoseconds }
        } else {
            let soonest = clock.model.time(of: FramePosition(frame: frame)).rounded(.up)
            let begin = wantedZero ?? Int64(soonest) + (performance.countInLength + .nanoseconds(1)).nanoseconds
            trial.scheduler = Scheduler(performance, mapping: LearntMapping(clock.model, zero: begin), from: frame)
            zero = begin
        }
        // A pause that came before keeps the first click back. It is carried out again later, which changes nothing.
        if waiting.first?.command == .pause { trial.carryOut(.pause, at: frame) }
        guard output.begin(at: frame), commit(trial, .begin(zero: zero), at: frame) else { return false }
        // Earlier faults of the device concern no music.
        log.forget()
        isMisplaced = false
        return true
    }

    /// Places anew the music that has not sounded yet.
    mutating func place(zero: Int64?) -> Bool {
        guard let zero else {
            isMisplaced = false
            return true
        }
        guard place(clock.mapping(zero: zero), zero: zero) else { return false }
        isMisplaced = false
        return true
    }

    private mutating func place(_ mapping: some FrameMapping, zero: Int64? = nil) -> Bool {
        let frame = soonest
        guard output.begin(at: frame) else { return false }
        var trial = music
        trial.scheduler.remap(mapping, from: frame)
        return commit(trial, .place(zero: zero), at: frame)
    }

    /// Carries out the command that has waited longest, at the first frame that can be changed.
    mutating func carryOut(at frame: Int64) -> Bool {
        let next = waiting.removeFirst()
        var trial = music
        guard let flags = trial.carryOut(next.command, at: frame) else {
            options.trace?(.ignored(next.command))
            next.done?.resume()
            return true
        }
        guard output.begin(at: frame), say(next.command, at: frame), commit(trial, .command(next, flags), at: frame)
        else {
            waiting.insert(next, at: 0)
            return false
        }
        return true
    }

    /// Hands out the word of a command that speaks; false if there was no room.
    private mutating func say(_ command: Command, at frame: Int64) -> Bool {
        guard case .say(let word) = command else { return true }
        guard output.hasRoom else { return false }
        let level = music.scheduler.performance.cues.speech?.level ?? SpeechSettings().level
        output.push(Event(FramePosition(frame: frame), .speech(word, amplitude: level.amplitude)))
        return true
    }

    /// Hands out more of the music, up to the horizon; nil if that has been done already.
    @discardableResult
    mutating func supply(_ reading: OutputReading) -> Bool? {
        guard reading.failure == nil else { return nil }
        let until = reading.nextFrame + frames(reach)
        // Small amounts would need many transactions.
        guard until > horizon + frames(LivePerformance.leastSupply) || horizon == .min else { return nil }
        guard output.hasRoom else { return false }
        var trial = music
        var frame = horizon
        let soonest = soonest
        let near = soonest + frames(LivePerformance.placedFor)
        if isBehind(soonest), output.sounds {
            // The output has gone on beyond the horizon: overdue events come as soon as they still can.
            frame = soonest
            trial.scheduler.advance(to: frame)
            guard output.begin(at: frame) else { return false }
            // Clicks that are too late are put just before this frame. A later change must not begin before it and take them
            // back.
            newest = frame
        } else if moved > leastMove || moved < .zero - leastMove, near < horizon {
            // The clock is known better than when these events were placed.
            frame = near
            trial.scheduler.remap(trial.scheduler.mapping, from: frame)
            guard output.begin(at: frame) else { return false }
        }
        let known = trial.scheduler.schedule(before: until, into: &output)
        guard let number = output.commit(horizon: known, end: trial.scheduler.endFrame ?? .max) else { return false }
        proposal = Proposal(
            number: number, purpose: .supply(moved: moved), music: trial, frame: frame, time: .zero, horizon: known)
        moved = .zero
        return true
    }
}
