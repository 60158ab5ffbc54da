public import Score

/// Turns boundaries into events, ahead of time and in the order of their frames.
///
/// It holds where the music stands (an anchor) and what it has handed out; events are made from the closed form,
/// one at a time, so that a million bars need no more memory than one.
public struct Scheduler: Sendable {
    /// What is played.
    public let performance: Performance
    /// Times to frames.
    public let mapping: NominalMapping
    /// Where the music stands.
    public private(set) var anchor: Anchor
    /// The next click to be handed out: a boundary or, below zero, a count so many before the start.
    private var nextClick: Int
    /// What comes before it has been rendered, or was left out by a jump: no command takes it back.
    private var firstClick: Int
    /// When boundary 0 comes after the count-in.
    private var countZero = Duration.zero
    /// The drone's next change that no boundary brings.
    private var droneChange: (sounding: Bool, frame: Int64)? = (true, 0)
    private var droneEnded = false
    private var hasJumped = false
    /// Nothing more is handed out while the music stands still.
    private var pausedAt: Int64?
    /// No event lies before this frame: it has been rendered.
    private var earliest: Int64 = 0
    /// The event that found no room.
    private var waiting: Event?

    /// A scheduler at the beginning: the count-in starts at frame 0.
    public init(_ performance: Performance, rate: Int) {
        self.performance = performance
        mapping = NominalMapping(rate: rate, zero: performance.zeroFrame(rate: rate))
        anchor = Anchor(speed: performance.speed)
        // Whole seconds; a count-in below a second is one click.
        nextClick = performance.countIn > .zero ? -max(Int(performance.countIn.components.seconds), 1) : 0
        firstClick = nextClick
    }

    /// The frame at which the last bar ends, as things stand; nil without end.
    public var endFrame: Int64? {
        performance.walk.total.map { mapping.frame(atOrAfter: anchor.time(of: $0)) }
    }

    /// When boundary 0 comes after the count-in; nil once a jump has broken that off.
    public var countsTo: Duration? { performance.countIn > .zero && !hasJumped ? countZero : nil }

    /// Whether the music stands still.
    public var isPaused: Bool { pausedAt != nil }

    /// When boundary `n` sounds.
    public func position(ofBoundary n: Int) -> FramePosition {
        mapping.position(at: anchor.time(of: performance.walk.position(of: n)))
    }

    /// Hands out every event before frame `horizon`. Throws `QueueFull` where the sink has no room: what is left is
    /// handed out by the next call.
    public mutating func schedule<Sink: EventSink & ~Copyable>(
        before horizon: Int64, into sink: inout Sink
    ) throws(QueueFull) {
        while let event = waiting ?? next(before: horizon) {
            waiting = event
            try sink.push(event)
            waiting = nil
        }
    }

    // MARK: - What comes next

    private mutating func next(before horizon: Int64) -> Event? {
        while horizon > earliest {
            if let change = droneChange {
                guard change.frame < horizon else { return nil }
                droneChange = nil
                if let event = drone(sounding: change.sounding, at: change.frame, within: fadeFrames) { return event }
            }
            guard pausedAt == nil else { return nil }
            let hasClick = nextClick < 0 || performance.walk.has(boundary: nextClick)
            let position = hasClick ? position(ofClick: nextClick) : nil
            if let fade, fade.frame < horizon, position.map({ FramePosition(frame: fade.frame) <= $0 }) ?? true {
                droneEnded = true
                if let event = drone(sounding: false, at: fade.frame, within: fade.frames) { return event }
                continue
            }
            guard let position, position.frame < horizon else { return nil }
            let sound = sound(ofClick: nextClick)
            nextClick += 1
            if let event = click(sound, at: position) { return event }
        }
        return nil
    }

    /// Where a click is handed out: never before what has been rendered, whatever its time was rounded to.
    private func position(ofClick n: Int) -> FramePosition {
        let position =
            n < 0
            ? mapping.position(at: countZero - min(.seconds(-n), performance.countIn)) : position(ofBoundary: n)
        return max(position, FramePosition(frame: earliest))
    }

    private func sound(ofClick n: Int) -> Event.Sound {
        n < 0 ? .countIn : performance.walk.bar(of: n).bar == 1 ? .line : .bar
    }

    /// Where and how fast the drone goes, so that it is gone at the end; nil once that has been handed out.
    private var fade: (frame: Int64, frames: Int)? {
        guard !droneEnded, let end = endFrame else { return nil }
        let frame = firstDroneFrame(from: max(end - Int64(fadeFrames), earliest))
        return (frame, Int(max(end - frame, 0)))
    }

    /// The drone comes with the count-in, at frame 0, and no earlier unless a jump has broken that off.
    private func firstDroneFrame(from frame: Int64) -> Int64 { hasJumped ? frame : max(frame, 0) }

    private func click(_ sound: Event.Sound, at position: FramePosition) -> Event? {
        guard !performance.clickLevel.isSilent else { return nil }
        return Event(position, .click(sound, amplitude: performance.clickLevel.amplitude))
    }

    private var fadeFrames: Int {
        Int(NominalMapping(rate: mapping.rate, zero: 0).frame(atOrAfter: Performance.fade))
    }

    /// The drone coming or going; nil where there is none.
    private func drone(sounding: Bool, at frame: Int64, within rampFrames: Int) -> Event? {
        guard let drone = performance.drone, !drone.level.isSilent else { return nil }
        return Event(
            FramePosition(frame: frame),
            .drone(
                hertz: drone.pitch.frequency(a4: performance.a4), amplitude: sounding ? drone.level.amplitude : 0,
                drone.waveform, rampFrames: rampFrames))
    }
}

// MARK: - Commands

extension Scheduler {
    /// Takes back every event from `frame` on, as the caller does in its sink. What sounds before stays.
    private mutating func takeBack(from frame: Int64) {
        // A click that found no room has not been handed out.
        if case .click = waiting?.kind { nextClick -= 1 }
        waiting = nil
        while nextClick > firstClick, position(ofClick: nextClick - 1).frame >= frame { nextClick -= 1 }
        firstClick = nextClick
        earliest = frame
        // The drone's fade may have been taken back, or have begun already: it is brought up again.
        droneEnded = false
        droneChange = (true, firstDroneFrame(from: frame))
    }

    /// Stops the music at `frame`; the drone fades.
    public mutating func pause(at frame: Int64) {
        guard pausedAt == nil else { return }
        takeBack(from: frame)
        droneChange = (false, frame)
        pausedAt = frame
    }

    /// Goes on at `frame` where `pause` stopped: every later boundary comes by exactly the pause later.
    public mutating func resume(at frame: Int64) {
        guard let stopped = pausedAt else { return }
        pausedAt = nil
        let pause = mapping.time(of: frame) - mapping.time(of: stopped)
        anchor.time += pause
        countZero += pause
        earliest = frame
        droneChange = (true, frame)
    }

    /// Goes on with boundary `n` at `frame`; while the music stands still, that is where it will go on.
    public mutating func jump(to n: Int, at frame: Int64) {
        let frame = pausedAt ?? frame
        hasJumped = true
        if pausedAt == nil { takeBack(from: frame) }
        nextClick = n
        firstClick = n
        anchor.time = mapping.time(of: frame)
        anchor.position = performance.walk.position(of: n)
    }

    /// Changes the speed at `frame`; the position is continuous.
    public mutating func change(speed: Speed, at frame: Int64) {
        let frame = pausedAt ?? frame
        if pausedAt == nil { takeBack(from: frame) }
        let time = mapping.time(of: frame)
        // Ahead of the anchor (a count-in) there is no position yet: only what follows is faster or slower.
        if time > anchor.time {
            anchor.position = anchor.position(at: time)
            anchor.time = time
        }
        anchor.speed = speed
    }

    /// Ends the music at `frame`: the drone fades, and nothing follows. Returns the frame at which all is silent.
    public mutating func stop(at frame: Int64) -> Int64 {
        if pausedAt == nil { takeBack(from: frame) }
        droneChange = (false, frame)
        pausedAt = pausedAt ?? frame
        return frame + Int64(fadeFrames)
    }
}
