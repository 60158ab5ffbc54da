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
    /// The next boundary to be handed out.
    public private(set) var nextBoundary = 0
    /// When boundary 0 comes after the count-in.
    private var countZero = Duration.zero
    /// Counts left to be handed out, in seconds before `countZero`.
    private var countsLeft: [Duration]
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
        countsLeft = Scheduler.counts(in: performance.countIn)
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
                droneChange = nil
                if let event = drone(sounding: change.sounding, at: change.frame) { return event }
            }
            guard pausedAt == nil else { return nil }
            if let count = countsLeft.first {
                let position = mapping.position(at: countZero - count)
                guard position.frame < horizon else { return nil }
                countsLeft.removeFirst()
                if let event = click(.countIn, at: position) { return event }
                continue
            }
            let walk = performance.walk
            let boundary =
                walk.has(boundary: nextBoundary)
                ? max(position(ofBoundary: nextBoundary), FramePosition(frame: earliest)) : nil
            if let fade = fadeFrame, fade < horizon, boundary.map({ FramePosition(frame: fade) <= $0 }) ?? true {
                droneEnded = true
                if let event = drone(sounding: false, at: fade) { return event }
                continue
            }
            guard let boundary, boundary.frame < horizon else { return nil }
            let sound: Event.Sound = walk.bar(of: nextBoundary).bar == 1 ? .line : .bar
            nextBoundary += 1
            if let event = click(sound, at: boundary) { return event }
        }
        return nil
    }

    /// Where the drone begins to go, so that it is gone at the end; nil once it has been handed out.
    private var fadeFrame: Int64? {
        guard !droneEnded, let end = endFrame else { return nil }
        return max(end - Int64(fadeFrames), earliest)
    }

    private func click(_ sound: Event.Sound, at position: FramePosition) -> Event? {
        guard !performance.clickLevel.isSilent else { return nil }
        return Event(position, .click(sound, amplitude: performance.clickLevel.amplitude))
    }

    private var fadeFrames: Int {
        Int(NominalMapping(rate: mapping.rate, zero: 0).frame(atOrAfter: Performance.fade))
    }

    /// The drone coming or going; nil where there is none.
    private func drone(sounding: Bool, at frame: Int64) -> Event? {
        guard let drone = performance.drone, !drone.level.isSilent else { return nil }
        return Event(
            FramePosition(frame: frame),
            .drone(
                hertz: drone.pitch.frequency(a4: performance.a4), amplitude: sounding ? drone.level.amplitude : 0,
                drone.waveform, rampFrames: fadeFrames))
    }

    /// Whole seconds before the start, the earliest first; a count-in below a second is one click.
    private static func counts(in countIn: Duration) -> [Duration] {
        guard countIn > .zero else { return [] }
        let whole = Int(countIn.components.seconds)
        return whole == 0 ? [countIn] : (1...whole).reversed().map { .seconds($0) }
    }
}

// MARK: - Commands

extension Scheduler {
    /// Takes back every event from `frame` on, as the caller does in its sink. What sounds before stays.
    private mutating func takeBack(from frame: Int64) {
        waiting = nil
        earliest = frame
        while nextBoundary > 0, position(ofBoundary: nextBoundary - 1).frame >= frame { nextBoundary -= 1 }
        countsLeft =
            hasJumped
            ? []
            : Scheduler.counts(in: performance.countIn)
                .filter { mapping.position(at: countZero - $0).frame >= frame }
        // The drone's fade may have been taken back, or have begun already: it is brought up again.
        droneEnded = false
        droneChange = (true, max(frame, 0))
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
        if pausedAt == nil { takeBack(from: frame) }
        countsLeft = []
        hasJumped = true
        nextBoundary = n
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
