package import Scores

// What a user asks for. Each command takes effect at a frame that can still be changed; the caller replaces in its sink what
// stands from there on.
extension Scheduler {
    /// Forgets what has been rendered, up to `frame`: nothing is taken back or handed out before it any more. Returns
    /// the clicks that were handed out there.
    @discardableResult
    package mutating func settle(before frame: Int64) -> [ScheduledClick] {
        begin(by: frame)
        floor = max(floor, FramePosition(frame: frame))
        let count = handed.firstIndex { $0.position.frame >= frame } ?? handed.count
        defer { handed.removeFirst(count) }
        return Array(handed[..<count])
    }

    /// Music whose beginning lies before `frame` waits no longer.
    private mutating func begin(by frame: Int64) {
        guard case .waiting(_, let next) = phase, let begin = beginFrame, begin < frame else { return }
        phase = .going(next: next)
    }

    /// Goes by what is known of the clock now. What has been handed out stays where it is.
    package mutating func refine(_ mapping: some FrameMapping) {
        let isUntouched =
            handed.isEmpty && drone.change != nil && beginFrame.map { floor <= FramePosition(frame: $0) } ?? false
        self.mapping = mapping
        // A start that lies far ahead moves with what is learnt until then.
        if isUntouched, case .waiting = phase { placeBegin() }
    }

    /// Frames and times have a new relation: from `frame` on all is taken back, and handed out by the new one.
    package mutating func remap(_ mapping: some FrameMapping, from frame: Int64) {
        takeBack(from: frame)
        self.mapping = mapping
        if case .waiting = phase { placeBegin() }
    }

    /// Takes back every event from `frame` on, as the caller does in its sink. What sounds before stays. Music that stands
    /// still has nothing to take back.
    mutating func takeBack(from frame: Int64) {
        begin(by: frame)
        switch phase {
        case .paused, .ending: return
        case .waiting, .going: break
        }
        cuesBegin = frame
        while let click = handed.last, click.position.frame >= frame {
            // Nothing is handed out after a hold: it is the first to be taken back.
            next = click.origin.cursor
            handed.removeLast()
        }
        drone.ofPage = stateOfDrone(at: frame)
        floor = FramePosition(frame: frame)
        known = frame
        // The drone's fade may have been taken back, or have begun already: it is brought up again.
        drone.hasEnded = false
        drone.change = (true, firstDroneFrame(from: frame))
    }

    /// What the page has made of the drone where the music stands at `frame`.
    private func stateOfDrone(at frame: Int64) -> DroneChange? {
        performance.passage.bar(of: performance.passage.boundary(at: position(at: frame))).drone
    }

    /// The time at which what the player asks for at `frame` begins.
    private func time(of frame: Int64) -> Duration {
        if case .paused(let stop, _) = phase { stop.time } else { mapping.time(of: frame) }
    }

    /// Where nothing has sounded yet: the frame before which the music cannot begin.
    private var earliestBegin: Int64? {
        switch phase {
        case .waiting(let earliest, _): earliest
        case .paused(let stop, _), .ending(let stop): stop.earliestBegin
        case .going: nil
        }
    }

    /// The player goes on at `frame`: the music goes on after its hold, whatever that would have lasted.
    package mutating func proceed(at frame: Int64) {
        guard case .holding(let held) = state(at: frame), case .hold(_, let bar, let inner) = next else { return }
        takeBack(from: frame)
        // The hold itself is not taken back, be it at this very frame.
        phase = .going(next: .bar(bar, inner: inner))
        anchor.time = mapping.time(of: frame)
        anchor.position = held.position + held.length
        countIn.length = .zero
    }

    /// Stops the music at `frame`; the drone fades.
    package mutating func pause(at frame: Int64) {
        takeBack(from: frame)
        guard let next, !isPaused else { return }
        let stop = SchedulerStop(frame: frame, time: mapping.time(of: frame), earliestBegin: earliestBegin)
        drone.change = stop.earliestBegin == nil ? (false, frame) : nil
        phase = .paused(stop, next: next)
    }

    /// Goes on at `frame` where `pause` stopped: every later boundary comes by exactly the pause later. Music that had not
    /// begun begins at its time, or now where that is over.
    package mutating func resume(at frame: Int64) {
        guard case .paused(let stop, let next) = phase else { return }
        floor = FramePosition(frame: frame)
        cuesBegin = frame
        guard stop.earliestBegin == nil else {
            phase = .waiting(earliest: frame, next: next)
            anchor.time = max(anchor.time, mapping.time(of: frame) + countIn.length)
            return placeBegin()
        }
        phase = .going(next: next)
        anchor.time += mapping.time(of: frame) - stop.time
        drone.change = (true, frame)
    }

    /// Goes on with boundary `n` at `frame`, counted in where jumps are; while the music stands still, that is where it
    /// will go on. Music that has not begun begins there, at its time.
    package mutating func jump(to n: Int, at frame: Int64) {
        takeBack(from: frame)
        if earliestBegin == nil {
            countIn.length = performance.countsInJumps ? performance.countIn : .zero
            anchor.time = time(of: frame) + countIn.length
        }
        anchor.position = performance.passage.position(of: n)
        countIn.target = n
        next = countIn.cursor
        drone.ofPage = performance.passage.bar(of: n).drone
    }

    /// Goes on by another passage of the same piece from `frame` on: the bar that sounds goes on as it does, as the boundary
    /// nearest to `near`; where the new passage does not have that bar, it begins.
    package mutating func change(passage: Passage, near: Int = 0, at frame: Int64) {
        let old = performance.passage
        let position = max(position(at: frame), .zero)
        let n = old.boundary(at: position)
        let new = passage.boundary(ofBar: old.bar(of: n).index, near: near)
        takeBack(from: frame)
        performance.passage = passage
        bar = nil
        guard let new else { return jump(to: 0, at: frame) }
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
            anchor.time = max(anchor.time, time(of: frame))
            anchor.position = moved(position)
        }
    }

    /// Has something sound otherwise from `frame` on; not the passage, nor what happens inside bars.
    package mutating func change(at frame: Int64, _ edit: (inout Performance) -> Void) {
        takeBack(from: frame)
        edit(&performance)
        bar = nil
    }

    /// Moves every later boundary by `time`, at most 30 ms where none shall be lost.
    package mutating func nudge(by time: Duration, at frame: Int64) {
        takeBack(from: frame)
        anchor.time += time
        if case .waiting = phase { placeBegin() }
    }

    /// Changes the speed at `frame`; the position is continuous.
    package mutating func change(speed: Speed, at frame: Int64) {
        takeBack(from: frame)
        let time = time(of: frame)
        // Ahead of the anchor (a count-in) there is no position yet: only what follows is faster or slower.
        if time > anchor.time {
            anchor.position = position(at: frame)
            anchor.time = time
            countIn.length = .zero
        }
        anchor.speed = speed
    }

    /// Ends the music at `frame`: the drone fades, and nothing follows. Returns the frame at which all is silent.
    @discardableResult
    package mutating func stop(at frame: Int64) -> Int64 {
        takeBack(from: frame)
        let begin = earliestBegin
        var stop = SchedulerStop(frame: frame, time: mapping.time(of: frame), earliestBegin: begin)
        if case .paused(let earlier, _) = phase { stop.time = earlier.time }
        phase = .ending(stop)
        drone.change = begin == nil ? (false, frame) : nil
        floor = FramePosition(frame: frame)
        return endFrame ?? frame
    }
}

extension ScheduledClick.Origin {
    /// Where a scheduler stands again once the click has been taken back.
    var cursor: SchedulerCursor {
        switch self {
        case .count(let left): .count(left: left)
        case .bar(let boundary, _, let inner): .bar(boundary, inner: inner)
        }
    }
}
