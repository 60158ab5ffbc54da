internal import Logging
internal import Scores
internal import Timing

// Learning from the device, and reporting to the log and the screens.
extension LivePerformance {
    /// Learns from what the output has observed, and makes the music follow it.
    mutating func learn(_ reading: OutputReading) {
        let gaps = output.gaps()
        hasFailed = !gaps.isEmpty
        for gap in gaps {
            log.add(gap)
            if gap.frames.upperBound < .max {
                clock.resume(at: gap.frames.upperBound)
                log.doubt(gap.cause == .underrun ? .xrun : .away, from: gap.frames.lowerBound)
            }
            logger.notice("nobody hears", metadata: ["frames": "\(gap.frames)"])
        }
        let change = clock.learn(output.observations(), epoch: reading.epoch)
        output.learn(clock.model)
        if case .slipped(let frames) = change { log.doubt(.slip, from: frames.lowerBound) }
        switch stage {
        case .live: follow(change)
        // The music that is about to begin was placed by a relation that no longer holds.
        case .learning where proposal != nil && options.followsClock:
            if change != .none, change != .refined { isMisplaced = true }
        case .learning, .over: break
        }
        if reading.suspends > suspends, options.pausesOnSuspend, isLive, !isWaitingToBegin(reading) {
            waiting.insert(WaitingCommand(.pause, isBySuspend: true), at: 0)
        }
        suspends = reading.suspends
        xruns = reading.xruns
    }

    mutating func follow(_ change: CardClock.Change) {
        guard options.followsClock else {
            // Nothing is placed anew: by the card's frames, the music is where it should be.
            if change != .none, change != .refined { log.settleDoubts(at: output.reading().nextFrame) }
            // The card's nominal rate is taken as exact; the log still shows what the card does by the wall clock.
            if clock.isSettled, clock.origin == nil {
                clock.origin = clock.model.time(of: music.scheduler.mapping.position(at: .zero))
            }
            return
        }
        guard let zero = clock.zero else { return }
        switch change {
        case .none: break
        case .refined:
            // The clock can have been unsettled for a moment, just when the music began.
            if clock.origin == nil { clock.origin = Double(zero) }
            let mapping = clock.mapping(zero: zero)
            moved += mapping.time(of: horizon) - music.scheduler.mapping.time(of: horizon)
            music.scheduler.refine(mapping)
            proposal?.music.scheduler.refine(mapping)
        case .restarted, .slipped: isMisplaced = true
        }
    }

    /// Hands clicks that are final to the log, which writes those that the device has played for certain.
    mutating func record(_ reading: OutputReading) {
        // Clicks that are too late for a proposal stand just before its frame. They are known only once it has been taken.
        let frame = min(reading.nextFrame, proposal.map { max($0.frame, .min + 1) - 1 } ?? .max)
        // A device that is away takes nothing: the music goes by unheard meanwhile.
        if reading.failure != nil, proposal == nil, isLive { goBy(before: frame) }
        // Without sound, it goes by as it was due, also what this thread was too late to hand out.
        if !output.sounds, isBehind(frame) {
            horizon = max(horizon, music.scheduler.schedule(before: frame, into: &output))
        }
        recorded = max(recorded, frame)
        let settled = music.scheduler.settle(before: frame)
        if leader != nil { sounded = (sounded + settled).suffix(16) }
        tellDue(settled, before: frame, reading)
        log.take(settled, music.home.timeline)
        proposal?.music.scheduler.settle(before: frame)
        // Before they are written, because the log drops them then.
        tell(reading)
        let isByLooks = clock.trustedFrame != .min && !reading.isNominal && reading.failure == nil
        guard isByLooks else { return log.write(before: reading.heardFrame, clock) }
        let observed = min(clock.trustedFrame, reading.heardFrame) - frames(LivePerformance.observedFor)
        log.write(before: observed, clock)
        clock.forget(before: observed)
    }

    /// Reports the boundaries whose moment has come to their followers.
    mutating func tell(_ reading: OutputReading) {
        guard let heard = options.heard, isLive else { return }
        log.tell(through: frameHeard(reading), heard)
    }

    /// How long it is until the next boundary is heard; nil if nobody follows them, or the music stands still.
    func nextBoundary(_ reading: OutputReading) -> Duration? {
        guard options.heard != nil, isLive, !music.isStanding(at: reading.heardFrame) else { return nil }
        let (scheduler, frame) = (music.scheduler, frameHeard(reading))
        let here = scheduler.performance.passage.boundary(at: max(scheduler.position(at: frame), .zero))
        for boundary in here...here + 1 where scheduler.performance.passage.has(boundary: boundary) {
            let next = scheduler.position(ofBoundary: boundary).frame
            // A whole frame later it has been heard for certain.
            if next >= frame { return scheduler.mapping.time(of: next + 1) - scheduler.mapping.time(of: frame) }
        }
        return nil
    }

    /// The frame that is heard at the moment of a reading.
    private func frameHeard(_ reading: OutputReading) -> Int64 {
        music.scheduler.mapping.position(at: .nanoseconds(reading.now - zeroHeard(reading))).frame
    }

    /// Lets all events before a frame go by unheard.
    mutating func goBy(before frame: Int64) {
        var nowhere = Nowhere()
        horizon = max(horizon, music.scheduler.schedule(before: frame, into: &nowhere))
    }

    /// Whether the music will begin at the time of day that was asked for, unless it is paused longer.
    private func isWaitingForStart(_ reading: OutputReading) -> Bool {
        isWaitingToBegin(reading) && !music.scheduler.beginsLate
    }

    /// Whether the music has not begun, be it paused or not.
    func isWaitingToBegin(_ reading: OutputReading) -> Bool {
        let scheduler = music.scheduler
        return scheduler.state(at: reading.heardFrame) == .waiting || scheduler.isPaused && scheduler.beginFrame != nil
    }

    /// When time zero is to be at the converter, in ns of CLOCK_MONOTONIC, by the present wall clock; nil = at once.
    var wantedZero: Int64? {
        options.start.map { $0 - (options.wallClock ?? wallClockOffset)() - options.latency.nanoseconds }
    }

    /// The time to which the start must move because the wall clock was set, or the machine slept; nil if it can stay.
    func movedStart(_ reading: OutputReading) -> Int64? {
        guard clock.isSettled, let zero = clock.zero, let wanted = wantedZero, isWaitingForStart(reading) else {
            return nil
        }
        return abs(wanted - zero) > LivePerformance.startTolerance ? wanted : nil
    }

    /// The same where frames follow the clock itself: the relation of frames and times after which the start is at its time.
    func movedNominalStart(_ reading: OutputReading) -> NominalMapping? {
        guard reading.isNominal, reading.failure == nil, leader == nil, let wanted = wantedZero,
            isWaitingForStart(reading)
        else { return nil }
        let heard = NominalMapping(rate: output.rate, zero: reading.heardFrame)
        let zero = music.scheduler.mapping.position(at: .zero).frame
        let off = heard.time(of: zero) - .nanoseconds(wanted - reading.time)
        guard abs(off.nanoseconds) > LivePerformance.startTolerance else { return nil }
        return NominalMapping(rate: output.rate, zero: heard.frame(atOrAfter: .nanoseconds(wanted - reading.time)))
    }

    /// Ends the performance once the end has been heard, or if a stop does not come because the output no longer plays.
    mutating func checkEnd() {
        let reading = output.reading()
        if reading.hasEnded {
            // Where the sound is heard later than the device tells, the last bars are, too.
            if endedAt == nil, isLive, options.latency > .zero, let end = music.scheduler.endFrame,
                frameHeard(reading) < end
            {
                return
            }
            return self.end(.complete)
        }
        // A device that does not answer cannot tell that the end has passed.
        if reading.isStuck, isLive, let end = music.scheduler.endFrame, frameHeard(reading) >= end {
            return self.end(.complete)
        }
        guard let endedAt else { return }
        if stage == .learning { return end(.stopped(.waiting(left: .zero))) }
        let patience = LivePerformance.patience + Performance.longestEnd + reading.commandDelay
        guard isCut || reading.isStuck || reading.now > endedAt + patience.nanoseconds else { return }
        end(ending(before: output.reading().heardFrame))
    }

    /// Everything is silent. If the stop has already taken effect, it has decided how the performance ended.
    private mutating func end(_ last: Ending) {
        stage = .over
        ending = ending ?? last
    }

    /// How the performance ends if the player ends it at a frame, which is the first that is not heard.
    func ending(before frame: Int64) -> Ending {
        if let begin = music.scheduler.beginFrame, music.scheduler.isPaused || begin >= frame {
            return .stopped(.waiting(left: .zero, isPaused: music.scheduler.isPaused))
        }
        let time = music.scheduler.mapping.time(of: frame) - Duration(attoseconds: 1)
        let last = status(output.reading()).music(at: time)
        return last == .end ? .complete : .stopped(last)
    }

    /// Finishes after the last step: no command waits any more, and the log is complete.
    mutating func finish() {
        for command in waiting { command.done?.resume() }
        if case .command(let command, _)? = proposal?.purpose { command.done?.resume() }
        waiting = []
        proposal = nil
        let reading = output.reading()
        // A device that does not answer will not play the rest, and one that is closed now must not.
        let last = reading.isStuck || isCut ? frameHeard(reading) : .max
        if reading.failure == nil, reading.writtenFrame < .max {
            // Nobody has heard the frames that the device has not taken, also if it does not know yet that it ran dry.
            log.add(Gap(frames: reading.writtenFrame..<Int64.max, cause: reading.silence == nil ? .underrun : .away))
        }
        // What was never handed out went by while the device was away, or while this thread did not run.
        if let end = music.scheduler.endFrame { goBy(before: max(end, recorded + 1)) }
        // Clicks that were too late have been put just before `recorded`, which can come after `last`.
        let settled = music.scheduler.settle(before: max(last, recorded)).filter {
            $0.isLost || $0.position.frame < last
        }
        tellDue(settled, before: .max, reading)
        log.take(settled, music.home.timeline)
        if let heard = options.heard { log.tell(through: last, heard) }
        log.write(before: last, clock)
        show(output.reading())
        // The device is released now, with everything that it still holds, even if the conductor is kept.
        output = SilentOutput()
    }

    mutating func show(_ reading: OutputReading) {
        guard isOver || isLive else { return }
        tell(status(reading))
    }

    /// Tells of a status, unless it shows nothing new.
    mutating func tell(_ status: Status) {
        guard self.status.map({ !$0.looksLike(status) }) ?? true else { return }
        self.status = status
        log.tally?.take(status, at: monotonicNanoseconds())
        options.watch?(status)
        publish(status)
    }

    /// The state of the performance as a reading of the output finds it.
    private func status(_ reading: OutputReading) -> Status {
        let scheduler = music.scheduler
        var status = Status(
            performance: scheduler.performance, anchor: scheduler.anchor, countsTo: scheduler.countsTo?.end,
            pause: scheduler.timePaused.map { Status.Pause($0, isBySuspend: isPausedBySuspend) },
            zeroHeard: zeroHeard(reading), sound: device)
        status.resumed = scheduler.resumed
        status.countInBeats = scheduler.countInBeats
        status.countInClicks = scheduler.countInClicks
        let begin = scheduler.countsTo?.begin ?? scheduler.anchor.time
        // Music that begins where a command takes effect has no time of day to wait for any more.
        let isAtCommand = effect.map { !scheduler.isPaused && begin < $0.time + .milliseconds(1) } ?? false
        if options.start != nil || followed?.isTimed == true, !isAtCommand { status.begins = begin }
        status.xruns = reading.xruns
        status.lostClicks = reading.droppedClicks + log.lost
        status.commandDelay = reading.commandDelay
        status.latency = options.latency
        if let ending { status.stage = isOver ? .over(ending) : .fading(ending) }
        status.isStopping = endedAt != nil
        status.home = music.home
        status.held = scheduler.awaited
        status.isHome = music.leftHome == nil
        (status.commandCount, status.jumps, status.passages) = (commandCount, jumps, passages)
        (status.effect, status.effectFrame) = (effect?.time, effect?.frame)
        status.told = told
        status.marks = marks
        status.lastHeard = lastHeard
        status.network = leader?.trouble
        if let reason = reading.silence, case .device(let name) = device {
            status.sound = .lost(name, reason: reason)
        }
        return status
    }

    /// CLOCK_MONOTONIC at which time zero is heard, latency included.
    func zeroHeard(_ reading: OutputReading) -> Int64 {
        if let zero = zeroByLeader(reading) { return zero + options.latency.nanoseconds }
        if let zero = clock.zero { return zero + options.latency.nanoseconds }
        let heard = music.scheduler.mapping.time(of: reading.heardFrame)
        return reading.time - heard.nanoseconds + options.latency.nanoseconds
    }
}

/// Takes no event: nobody hears them.
private struct Nowhere: EventSink {
    var hasRoom: Bool { true }
    func push(_ event: Event) -> Bool { false }
}
