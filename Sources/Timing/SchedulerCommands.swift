public import Score

// What a user asks for.
extension Scheduler {
    /// Forgets what has been rendered, up to `frame`: nothing is taken back or handed out before it any more. Returns
    /// the clicks that were handed out there.
    @discardableResult
    public mutating func settle(before frame: Int64) -> [HandedClick] {
        earliest = max(earliest, frame)
        let count = handed.firstIndex { $0.position.frame >= frame } ?? handed.count
        defer { handed.removeFirst(count) }
        return Array(handed[..<count])
    }

    /// Goes by what is known of the clock now. What has been handed out stays where it is.
    public mutating func refine(_ mapping: some FrameMapping) {
        self.mapping = mapping
        // A start that lies far ahead moves with what is learnt until then.
        guard let change = droneChange, change.sounding, change.frame == firstFrame, handed.isEmpty, !hasJumped,
            earliest <= firstFrame, last == FramePosition(frame: firstFrame), waiting == nil, pausedAt == nil
        else { return }
        firstFrame = max(mapping.position(at: .zero - performance.countIn).frame, earliestStart)
        earliest = firstFrame
        last = FramePosition(frame: firstFrame)
        droneChange = (true, firstFrame)
    }

    /// Frames and times have a new relation: from `frame` on all is taken back, and handed out by the new one.
    public mutating func remap(_ mapping: some FrameMapping, from frame: Int64) {
        if pausedAt == nil { takeBack(from: frame) }
        self.mapping = mapping
    }

    /// Takes back every event from `frame` on, as the caller does in its sink. What sounds before stays.
    mutating func takeBack(from frame: Int64) {
        // A click that found no room has not been handed out.
        if !isCueWaiting, case .click = waiting?.kind, let unsent = handed.popLast() { next(is: unsent) }
        waiting = nil
        isCueWaiting = false
        cuesBegin = frame
        while let click = handed.last, click.position.frame >= frame {
            next(is: click)
            handed.removeLast()
        }
        droneOfPage = stateOfDrone(at: frame)
        earliest = frame
        last = FramePosition(frame: frame)
        // The drone's fade may have been taken back, or have begun already: it is brought up again.
        droneEnded = false
        droneChange = (true, firstDroneFrame(from: frame))
    }

    private mutating func next(is click: HandedClick) {
        // Nothing is handed out behind a hold: it is the first to be taken back.
        held = nil
        (nextClick, nextInner) = (click.click, click.inner)
    }

    /// What the page has made of the drone where the music stands at `frame`.
    private func stateOfDrone(at frame: Int64) -> DroneChange? {
        performance.walk.bar(of: performance.walk.boundary(at: position(at: frame))).drone
    }

    /// Where the music stands at `frame`: no further than where it waits for the player.
    public func position(at frame: Int64) -> Duration {
        // Before the anchor lies a count-in, or nothing.
        let position = max(anchor.position(at: pausedAt?.time ?? mapping.time(of: frame)), anchor.position)
        guard let held, position >= held.position else { return position }
        // At the very end of its bar the music has not left it yet.
        let isBehind = performance.walk.boundary(at: held.position) != held.boundary
        return isBehind ? held.position - Duration(attoseconds: 1) : held.position
    }

    /// Whether the music waits for the player at `frame`.
    public func isHolding(at frame: Int64) -> Bool {
        pausedAt == nil && held.map { anchor.position(at: mapping.time(of: frame)) >= $0.position } ?? false
    }

    /// The player goes on at `frame`: what has waited goes on behind its hold, whatever that would have lasted.
    public mutating func proceed(at frame: Int64) {
        guard pausedAt == nil, isHolding(at: frame), let held else { return }
        let behind = (nextClick, nextInner)
        takeBack(from: frame)
        // The hold itself is not taken back, be it at this very frame.
        (nextClick, nextInner) = behind
        anchor.time = mapping.time(of: frame)
        anchor.position = held.position + held.length
        self.held = nil
    }

    /// Stops the music at `frame`; the drone fades.
    public mutating func pause(at frame: Int64) {
        guard pausedAt == nil else { return }
        takeBack(from: frame)
        droneChange = (false, frame)
        pausedAt = (frame, mapping.time(of: frame))
    }

    /// Goes on at `frame` where `pause` stopped: every later boundary comes by exactly the pause later.
    public mutating func resume(at frame: Int64) {
        guard let stopped = pausedAt else { return }
        pausedAt = nil
        let pause = mapping.time(of: frame) - stopped.time
        anchor.time += pause
        count.zero += pause
        earliest = frame
        cuesBegin = frame
        last = FramePosition(frame: frame)
        droneChange = (true, frame)
    }

    /// Goes on with boundary `n` at `frame`, counted in where jumps are; while the music stands still, that is where it
    /// will go on.
    public mutating func jump(to n: Int, at frame: Int64) {
        hasJumped = true
        if pausedAt == nil { takeBack(from: frame) }
        let countIn = performance.countsInJumps ? performance.countIn : .zero
        let begin = (pausedAt?.time ?? mapping.time(of: frame)) + countIn
        isCounted = countIn > .zero
        count = (begin, n)
        (nextClick, nextInner, held) = (isCounted ? Scheduler.counts(countIn) : n, 0, nil)
        droneOfPage = performance.walk.bar(of: n).drone
        anchor.time = begin
        anchor.position = performance.walk.position(of: n)
    }

    /// Goes on by another walk of the same piece from `frame` on: the bar that sounds goes on as it does, as the boundary
    /// nearest to `near`; where the new walk does not have that bar, it begins.
    public mutating func change(walk: Walk, near: Int = 0, at frame: Int64) {
        let old = performance.walk
        let position = max(position(at: frame), .zero)
        let n = old.boundary(at: position)
        let new = walk.boundary(ofBar: old.bar(of: n).index, near: near)
        if pausedAt == nil { takeBack(from: frame) }
        performance.walk = walk
        bar = nil
        guard let new else { return jump(to: 0, at: frame) }
        handed = handed.map { click in
            var click = click
            if click.click >= 0 { click.click += new - n }
            return click
        }
        if nextClick >= 0 { nextClick = new + max(nextClick - n, 0) }
        count.target = new
        let (from, to) = (old.stretch(of: n).speed, walk.stretch(of: new).speed)
        let (begin, target) = (old.position(of: n), walk.position(of: new))
        func moved(_ place: Duration) -> Duration {
            target + to.realDuration(of: from.scoreDuration(of: place - begin))
        }
        if from == to {
            anchor.position += target - begin
        } else {
            anchor.time = max(anchor.time, pausedAt?.time ?? mapping.time(of: frame))
            anchor.position = moved(position)
        }
        if let held {
            self.held = HeldMusic(
                boundary: new, position: from == to ? held.position + (target - begin) : moved(held.position),
                length: to.realDuration(of: from.scoreDuration(of: held.length)))
        }
    }

    /// Has something sound otherwise from `frame` on; not the walk, nor what happens inside bars.
    public mutating func change(at frame: Int64, _ edit: (inout Performance) -> Void) {
        if pausedAt == nil { takeBack(from: frame) }
        edit(&performance)
        bar = nil
    }

    /// Moves every later boundary by `time`, at most 30 ms where none shall be lost.
    public mutating func nudge(by time: Duration, at frame: Int64) {
        if pausedAt == nil { takeBack(from: frame) }
        anchor.time += time
        count.zero += time
    }

    /// Changes the speed at `frame`; the position is continuous.
    public mutating func change(speed: Speed, at frame: Int64) {
        if pausedAt == nil { takeBack(from: frame) }
        let time = pausedAt?.time ?? mapping.time(of: frame)
        // Ahead of the anchor (a count-in) there is no position yet: only what follows is faster or slower.
        if time > anchor.time {
            anchor.position = position(at: frame)
            anchor.time = time
        }
        anchor.speed = speed
    }

    /// Ends the music at `frame`: the drone fades, and nothing follows. Returns the frame at which all is silent.
    public mutating func stop(at frame: Int64) -> Int64 {
        if pausedAt == nil { takeBack(from: frame) }
        isStopping = true
        droneChange = (false, frame)
        pausedAt = pausedAt ?? (frame, mapping.time(of: frame))
        return frame + Int64(fadeFrames)
    }
}
