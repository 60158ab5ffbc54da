package import Scores

// Commands take effect at a frame that can still be changed; the caller replaces the sink's events from that frame on.
extension Scheduler {
    /// Nothing is placed before `frame` any more; what has been handed out there stays.
    package mutating func advance(to frame: Int64) {
        begin(by: frame)
        floor = max(floor, FramePosition(frame: frame))
    }

    /// Forgets what has been rendered: nothing before `frame` changes any more. Returns the clicks handed out there.
    @discardableResult
    package mutating func settle(before frame: Int64) -> [ScheduledClick] {
        advance(to: frame)
        let count = handed.firstIndex { $0.position.frame >= frame } ?? handed.count
        defer { handed.removeFirst(count) }
        return Array(handed[..<count])
    }

    /// Music that begins before `frame` is no longer waiting.
    private mutating func begin(by frame: Int64) {
        guard case .waiting(_, let next) = phase, let begin = beginFrame, begin < frame else { return }
        phase = .going(next: next)
    }

    /// Uses a new estimate of the clock. Events that have been handed out stay where they are.
    package mutating func refine(_ mapping: some FrameMapping) {
        let isUntouched =
            handed.isEmpty && drone.change != nil && beginFrame.map { floor <= FramePosition(frame: $0) } ?? false
        self.mapping = mapping
        // A start that is still far away moves with the estimate.
        if isUntouched, case .waiting = phase { placeBegin() }
    }

    /// Replaces the clock after the relation of frames and times has changed; all from `frame` on is handed out anew.
    package mutating func remap(_ mapping: some FrameMapping, from frame: Int64) {
        let isAhead = beginFrame.map { $0 >= frame } ?? false
        takeEventsBack(from: frame)
        self.mapping = mapping
        if isAhead { placeBegin(from: frame) }
    }

    /// Moves a beginning that is still to come to its frame by the current clock. If that is before `frame`, the music has
    /// begun.
    private mutating func placeBegin(from frame: Int64) {
        guard case .waiting(_, let next) = phase else { return }
        guard mapping.position(at: anchor.time - countIn.length).frame < frame else { return placeBegin() }
        phase = .going(next: next)
        beginDrone(at: frame)
    }

    /// Takes back every event from `frame` on, as the caller does in its sink. In a pause and after the end, there is only
    /// the drone's fade-out.
    mutating func takeBack(from frame: Int64) {
        begin(by: frame)
        takeEventsBack(from: frame)
    }

    /// The same, where the frame can be long after the present: whether the music has begun does not change.
    private mutating func takeEventsBack(from frame: Int64) {
        timecode = TimecodeTrack(change: frame)
        switch phase {
        case .paused(let stop, _), .ending(let stop):
            // The drone's fade-out, if it begins where a second command takes effect.
            if stop.frame >= frame { stopDrone(at: stop.frame, hasBegun: stop.earliestBegin == nil) }
            return
        case .waiting, .going: break
        }
        cuesBegin = frame
        while let click = handed.last, click.position.frame >= frame {
            // Nothing has been handed out after a hold, so the hold is the first to be taken back.
            next = click.origin.cursor
            handed.removeLast()
        }
        takeDrone(ofBar: performance.passage.boundary(at: position(at: frame)))
        floor = FramePosition(frame: frame)
        known = frame
        // The drone's fade-out may have been taken back, or may have begun already: fade it in again.
        beginDrone(at: frame)
    }

    /// The time at which a command at `frame` takes effect.
    private func time(of frame: Int64) -> Duration {
        if case .paused(let stop, _) = phase { stop.time } else { mapping.time(of: frame) }
    }

    /// When the music came to the hold at which it stands at `frame`, without pauses since then; nil if it stands at none.
    private func arrival(at frame: Int64) -> Duration? {
        held.flatMap { reached(at: frame) >= $0.position ? anchor.time(of: max($0.position, anchor.position)) : nil }
    }

    /// How long the music has waited at `frame` at the hold at which it stands; zero if it stands at none.
    package func waited(at frame: Int64) -> Duration {
        arrival(at: frame).map { max(time(of: frame) - $0, .zero) } ?? .zero
    }

    /// The player goes on at `frame`: the music continues after its hold, whatever the nominal length of the hold.
    package mutating func proceed(at frame: Int64) {
        guard case .holding(let held) = state(at: frame), case .hold(_, let bar, let inner) = next else { return }
        takeBack(from: frame)
        // The hold itself is not taken back, even if it is at this very frame.
        phase = .going(next: .bar(bar, inner: inner))
        anchor.time = mapping.time(of: frame)
        anchor.position = held.position + held.length
        countIn = CountIn(target: countIn.target)
    }

    /// Stops the music at `frame`; the drone fades.
    package mutating func pause(at frame: Int64) {
        takeBack(from: frame)
        guard let next, !isPaused else { return }
        let stop = SchedulerStop(frame: frame, time: mapping.time(of: frame), earliestBegin: earliestBegin)
        stopDrone(at: frame, hasBegun: stop.earliestBegin == nil)
        phase = .paused(stop, next: next)
    }

    /// Resumes at `frame` where `pause` stopped: every later boundary moves by exactly the length of the pause. Music
    /// that had not begun begins at its time, or now if that is over.
    package mutating func resume(at frame: Int64) {
        guard case .paused(let stop, let next) = phase else { return }
        floor = FramePosition(frame: frame)
        timecode = TimecodeTrack(change: frame)
        cuesBegin = frame
        guard stop.earliestBegin == nil else {
            phase = .waiting(earliest: frame, next: next)
            let soonest = mapping.time(of: frame) + countIn.length
            beginsLate = beginsLate || soonest > anchor.time
            anchor.time = max(anchor.time, soonest)
            return placeBegin()
        }
        phase = .going(next: next)
        let time = mapping.time(of: frame)
        (anchor.time, resumed) = (anchor.time + time - stop.time, time)
        beginDrone(at: frame)
    }

    /// Jumps to boundary `n`, with a count-in if jumps have one. Paused music, or music not begun, goes on from there.
    package mutating func jump(to n: Int, at frame: Int64) {
        takeBack(from: frame)
        if earliestBegin == nil {
            let counts = performance.countsInJumps
            countIn = counts ? CountIn(performance, to: n, at: anchor.speed) : CountIn(performance, target: n)
            anchor.time = time(of: frame) + countIn.length
        } else {
            replaceCountIn(CountIn(performance, to: n, at: anchor.speed))
        }
        anchor.position = performance.passage.position(of: n)
        next = countIn.cursor
        takeDrone(ofBar: n)
    }

    /// Replaces the passage by another of the same piece. The current bar goes on, as its boundary in the new passage
    /// that is nearest to `near`; if it has none there, the new passage starts at its beginning. `countsPasses` says which time
    /// is shown in it; nil for that of the old one. Returns whether the music jumps.
    @discardableResult
    package mutating func change(
        passage: Passage, near: Int = 0, countsPasses: Bool? = nil, at frame: Int64
    ) -> Bool {
        let old = performance.passage
        let reached = max(reached(at: frame), .zero)
        let arrived = arrival(at: frame)
        let n = old.boundary(at: max(position(at: frame), .zero))
        let new = passage.boundary(ofBar: old.bar(of: n).index, near: near)
        takeBack(from: frame)
        performance.passage = passage
        performance.countsPasses = countsPasses ?? performance.countsPasses
        bar = nil
        guard let new else {
            jump(to: 0, at: frame)
            return true
        }
        let shift = new - n
        handed = handed.map { click in
            var click = click
            if case .bar(let boundary, let index, let inner) = click.origin {
                click.origin = .bar(boundary: boundary + shift, index: index, inner: inner)
            }
            return click
        }
        countIn.target = new
        let (from, to) = (old.stretch(of: n).speed, passage.stretch(of: new).speed)
        let (begin, target) = (old.position(of: n), passage.position(of: new))
        func moved(_ place: Duration) -> Duration {
            target + to.realDuration(of: from.scoreDuration(of: place - begin))
        }
        func moved(_ held: HeldMusic) -> HeldMusic {
            HeldMusic(
                boundary: new, position: from == to ? held.position + (target - begin) : moved(held.position),
                length: to.realDuration(of: from.scoreDuration(of: held.length)))
        }
        switch next {
        case .bar(let boundary, let inner): next = .bar(new + max(boundary - n, 0), inner: inner)
        case .hold(let held, let boundary, let inner):
            next = .hold(moved(held), bar: new + max(boundary - n, 0), inner: inner)
        case .count, nil: break
        }
        if from == to {
            anchor.position += target - begin
        } else {
            anchor.time = arrived ?? max(anchor.time, time(of: frame))
            // Rounding would put the music beside the hold at which it stands.
            anchor.position = arrived == nil ? moved(reached) : held?.position ?? moved(reached)
        }
        return false
    }

    /// Changes the performance from `frame` on. `edit` must not change the passage or the moments inside bars.
    package mutating func change(at frame: Int64, _ edit: (inout Performance) -> Void) {
        takeBack(from: frame)
        edit(&performance)
        bar = nil
    }

    /// Moves every later boundary by `time`; by at most 30 ms if no click is to be lost.
    package mutating func nudge(by time: Duration, at frame: Int64) {
        takeBack(from: frame)
        anchor.time += time
        placeBegin(from: frame)
    }

    /// Changes the speed at `frame`; the position is continuous.
    package mutating func change(speed: Speed, at frame: Int64) {
        takeBack(from: frame)
        let time = time(of: frame)
        if let total = performance.passage.total, reached(at: frame) >= total, held == nil {
            // The music is over, but what is ahead of that may not have been heard yet: its end stays.
            (anchor.time, anchor.position) = (anchor.time(of: total), total)
        } else if time > anchor.time {
            (anchor.time, anchor.position) = (arrival(at: frame) ?? time, reached(at: frame))
            countIn = CountIn(target: countIn.target)
        } else if earliestBegin != nil {
            replaceCountIn(countIn.at(speed))
        } else if countIn.followsSpeed {
            // What is left of the beats has the new speed. A count-in in seconds stays as it is.
            anchor.time = time + speed.realDuration(of: anchor.speed.scoreDuration(of: anchor.time - time))
            countIn = countIn.at(speed)
        }
        anchor.speed = speed
    }

    /// Replaces the count-in of music that has not begun, which begins later if a longer count-in needs that.
    private mutating func replaceCountIn(_ new: CountIn) {
        let isLonger = new.length > countIn.length
        countIn = new
        guard isLonger, case .waiting(let earliest, _) = phase else { return }
        anchor.time = max(anchor.time, mapping.time(of: earliest) + new.length)
    }

    /// Ends the music at `frame` with the drone's fade. Returns the frame at which everything is silent.
    @discardableResult
    package mutating func stop(at frame: Int64) -> Int64 {
        takeBack(from: frame)
        let begin = earliestBegin
        var stop = SchedulerStop(frame: frame, time: mapping.time(of: frame), earliestBegin: begin)
        if case .paused(let earlier, _) = phase { stop.time = earlier.time }
        phase = .ending(stop)
        stopDrone(at: frame, hasBegun: begin == nil)
        floor = FramePosition(frame: frame)
        return endFrame ?? frame
    }
}

extension ScheduledClick.Origin {
    /// The cursor of a scheduler after the click has been taken back.
    var cursor: SchedulerCursor {
        switch self {
        case .count(let left): .count(left: left)
        case .bar(let boundary, _, let inner): .bar(boundary, inner: inner)
        }
    }
}
