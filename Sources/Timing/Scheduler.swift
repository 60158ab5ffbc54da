internal import Score

/// Turns boundaries into events, ahead of time and in the order of their frames.
///
/// It holds where the music stands (an anchor) and what it has handed out; events are made from the closed form,
/// one at a time, so that a million bars need no more memory than one.
public struct Scheduler: Sendable {
    /// What is played.
    public internal(set) var performance: Performance
    /// Times to frames.
    public internal(set) var mapping: any FrameMapping
    /// Where the count-in begins.
    public internal(set) var firstFrame: Int64
    /// Nothing sounds before it.
    let earliestStart: Int64
    /// Where the music stands.
    public internal(set) var anchor: Anchor
    /// The next click to be handed out: a boundary or, below zero, a count so many before the start.
    var nextClick: Int
    /// Of that boundary's bar the next thing: 0 is its beginning, then come its moments.
    var nextInner = 0
    /// The bar of that boundary.
    var bar: BarAtHand?
    /// Where live music waits for the player; it may not have come there yet.
    public internal(set) var held: HeldMusic?
    /// What the page has made of the drone, as it sounds.
    var droneOfPage: DroneChange?
    /// The drone that was handed out last: when it falls silent it is to be told so.
    private var droneLeft: Score.Drone?
    /// Clicks that have been handed out and may still be taken back, in the order of their frames.
    var handed: [HandedClick] = []
    /// When the music begins behind a count-in, and with which boundary; the last one, where no count-in is under way.
    var count = (zero: Duration.zero, target: 0)
    /// Whether `count` leads to the music as it goes on now.
    var isCounted: Bool
    /// The drone's next change that no boundary brings.
    var droneChange: (sounding: Bool, frame: Int64)?
    var droneEnded = false
    /// Whether the player has ended the music: the drone goes soon.
    var isStopping = false
    /// The deviation that the sounding drone is tuned by; nil while it is silent.
    private var tuning: Double?
    var hasJumped = false
    var cues = CueQueue()
    /// From where on signals are to be drawn up anew.
    var cuesBegin: Int64?
    /// Whether the event that found no room is a signal.
    var isCueWaiting = false
    /// Nothing more is handed out while the music stands still.
    var pausedAt: (frame: Int64, time: Duration)?
    /// No event lies before this frame: it has been rendered.
    var earliest: Int64
    /// No event lies before the one that was handed out last.
    var last: FramePosition
    /// The event that found no room.
    var waiting: Event?

    /// How late a click may still sound; a later one is lost.
    private static let lateness = Duration.milliseconds(30)

    /// A scheduler at the beginning, at the nominal rate: the count-in starts at frame 0.
    public init(_ performance: Performance, rate: Int) {
        self.init(performance, mapping: NominalMapping(rate: rate, zero: performance.zeroFrame(rate: rate)), from: 0)
    }

    /// A scheduler at the beginning, by any clock. Nothing sounds before the start of the count-in or `frame`.
    public init(_ performance: Performance, mapping: some FrameMapping, from frame: Int64) {
        self.performance = performance
        self.mapping = mapping
        firstFrame = max(mapping.position(at: .zero - performance.countIn).frame, frame)
        earliestStart = frame
        earliest = firstFrame
        last = FramePosition(frame: firstFrame)
        droneChange = (true, firstFrame)
        droneOfPage = performance.walk.bar(of: performance.first).drone
        anchor = Anchor(position: performance.walk.position(of: performance.first), speed: performance.speed)
        count.target = performance.first
        cues.restart(at: performance.first)
        isCounted = performance.countIn > .zero
        nextClick = isCounted ? Scheduler.counts(performance.countIn) : performance.first
    }

    /// How many clicks count in, below zero: whole seconds; a count-in below a second is one click.
    static func counts(_ countIn: Duration) -> Int {
        countIn > .zero ? -max(Int(countIn.components.seconds), 1) : 0
    }

    /// The frame at which the last bar ends, as things stand; nil without end, or as long as a player decides it.
    public var endFrame: Int64? {
        guard !isWaitAhead else { return nil }
        let tail = performance.cues.end ? CueSettings.endSignal : .zero
        return performance.walk.total.map { mapping.frame(atOrAfter: anchor.time(of: $0) + tail) }
    }

    /// When the music comes behind its count-in; nil where there is none, or a jump has broken it off.
    public var countsTo: Duration? { isCounted ? count.zero : nil }

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
            last = event.position
            waiting = nil
            isCueWaiting = false
        }
    }

    /// The frame before which every event has been handed out, when that was to be `frame`.
    public func horizon(upTo frame: Int64) -> Int64 { min(waiting?.position.frame ?? frame, frame) }

    // MARK: - What comes next

    private mutating func next(before horizon: Int64) -> Event? {
        while horizon > earliest {
            if let change = droneChange {
                guard change.frame < horizon else { return nil }
                droneChange = nil
                if let event = drone(sounding: change.sounding, at: change.frame, within: fadeFrames) { return event }
            }
            guard pausedAt == nil else { return nil }
            if let event = retuned(before: horizon) { return event }
            guard held == nil else { return nil }
            takeUpBar()
            let hasClick = nextClick < 0 || performance.walk.has(boundary: nextClick)
            let position = hasClick ? nextPosition : nil
            if let event = nextCue(before: position, horizon) { return event }
            if let fade, fade.frame < horizon, position.map({ FramePosition(frame: fade.frame) <= $0 }) ?? true {
                droneEnded = true
                if let event = drone(sounding: false, at: fade.frame, within: fade.frames) { return event }
                continue
            }
            guard let position, position.frame < horizon else { return nil }
            if let event = handOut(at: position) { return event }
        }
        return nil
    }

    /// Where the next click is handed out: never before another, whatever its time was rounded to.
    private var nextPosition: FramePosition {
        max(mapping.position(at: nextTime), last, FramePosition(frame: earliest))
    }

    private var nextTime: Duration {
        nextClick < 0
            ? count.zero - min(.seconds(-nextClick), performance.countIn)
            : anchor.time(of: performance.walk.position(of: nextClick) + (nextMoment?.offset ?? .zero))
    }

    /// What comes next inside the bar; nil for its beginning.
    private var nextMoment: InnerMoment? { nextInner > 0 ? bar?.moments[nextInner - 1] : nil }

    /// Has the bar of the next boundary at hand; behind the last of its moments, goes to the next one.
    private mutating func takeUpBar() {
        guard nextClick >= 0 else { return }
        if bar?.boundary != nextClick, performance.walk.has(boundary: nextClick) {
            bar = BarAtHand(nextClick, performance)
        }
        guard let bar, bar.boundary == nextClick, nextInner > bar.moments.count else { return }
        nextInner = 0
        nextClick += 1
        if performance.walk.has(boundary: nextClick) { self.bar = BarAtHand(nextClick, performance) }
    }

    /// Whether music that is not handed out yet waits for the player.
    private var isWaitAhead: Bool {
        guard performance.waits, let last = performance.walk.lastWait else { return false }
        guard held == nil, nextClick >= last else { return true }
        guard nextClick == last else { return false }
        let bar = bar?.boundary == last ? bar : BarAtHand(last, performance)
        return bar?.moments.dropFirst(max(nextInner - 1, 0)).contains(where: \.isWait) ?? false
    }

    /// The next click goes out; nil where it is silent, comes too late, or is no click.
    private mutating func handOut(at position: FramePosition) -> Event? {
        if nextClick >= 0, nextInner == 0, let event = turnDrone(at: position) { return event }
        let due = nextTime
        let behind = Int64(position.frame) - mapping.position(at: due).frame
        var click = HandedClick(click: nextClick, inner: nextInner, time: due, position: position)
        if nextClick >= 0, let bar { click.bar = bar.bar.index }
        let sound = nextClick < 0 ? (sound: .countIn, decibels: 0) : bar?.sound(ofInner: nextInner)
        if let moment = nextMoment, case .wait(let length) = moment.kind {
            if performance.waits {
                held = HeldMusic(
                    boundary: nextClick, position: performance.walk.position(of: nextClick) + moment.offset,
                    length: length)
            }
        } else if sound != nil || nextInner == 0 {
            click.isLost = behind > NominalMapping(rate: mapping.rate, zero: 0).frame(atOrAfter: Scheduler.lateness)
            // One frame is rounding.
            click.isLate = behind > 1
        }
        handed.append(click)
        if nextClick < 0 {
            nextClick = nextClick == -1 ? count.target : nextClick + 1
        } else {
            nextInner += 1
        }
        guard let sound, !click.isLost else { return nil }
        return self.click(sound, at: position)
    }

    /// The drone as the page has it from the bar at hand on; nil where that is no change.
    private mutating func turnDrone(at position: FramePosition) -> Event? {
        guard let bar, bar.bar.drone != droneOfPage else { return nil }
        droneOfPage = bar.bar.drone
        guard performance.followsDroneChanges, !droneEnded else { return nil }
        let frame = FramePosition(frame: position.frame) < last ? position.frame + 1 : position.frame
        return drone(sounding: true, at: frame, within: fadeFrames)
    }

    /// The drone tuned to the card's rate as it is known by now; nil where that would change nothing.
    private mutating func retuned(before horizon: Int64) -> Event? {
        let frame = max(last.fraction > 0 ? last.frame + 1 : last.frame, earliest)
        // 0.2 ppm are a three-thousandth of a cent.
        guard let tuning, abs(mapping.deviation - tuning) > 0.2e-6, !droneEnded, frame < horizon else { return nil }
        return drone(sounding: true, at: frame, within: fadeFrames)
    }

    /// Where and how fast the drone goes, so that it is gone at the end; nil once that has been handed out.
    var fade: (frame: Int64, frames: Int)? {
        guard !droneEnded, let end = endFrame else { return nil }
        // What has been handed out may have changed how long a fade takes.
        let soonest = max(earliest, last.fraction > 0 ? last.frame + 1 : last.frame)
        let frame = firstDroneFrame(from: max(end - Int64(fadeFrames), soonest))
        return (frame, Int(max(end - frame, 0)))
    }

    /// The drone comes with the count-in and no earlier unless a jump has broken that off.
    func firstDroneFrame(from frame: Int64) -> Int64 { hasJumped ? frame : max(frame, firstFrame) }

    private func click(_ sound: (sound: Event.Sound, decibels: Double), at position: FramePosition) -> Event? {
        guard !performance.isClickMuted, !performance.clickLevel.isSilent else { return nil }
        let level = Level(decibels: performance.clickLevel.decibels + sound.decibels)
        return Event(position, .click(sound.sound, amplitude: level.amplitude))
    }

    /// How long the drone takes to come and to go, as the page has it by now.
    var fadeFrames: Int {
        let ofPage = performance.followsDroneChanges ? droneOfPage?.fade : nil
        let fade = ofPage ?? performance.drone?.fade ?? Score.Drone.standardFade
        let held = isStopping ? min(fade, Performance.longestEnd) : fade
        return Int(NominalMapping(rate: mapping.rate, zero: 0).frame(atOrAfter: held))
    }

    /// The drone that sounds by what the page has made of it; nil for none.
    private var soundingDrone: Score.Drone? {
        guard !performance.isDroneMuted else { return nil }
        guard performance.followsDroneChanges, let droneOfPage else { return performance.drone }
        return performance.drone(after: droneOfPage)
    }

    /// The drone coming or going; nil where there is none, and has been none.
    private mutating func drone(sounding: Bool, at frame: Int64, within rampFrames: Int) -> Event? {
        let here = soundingDrone.flatMap { $0.level.isSilent ? nil : $0 }
        guard let drone = here ?? droneLeft else { return nil }
        let isHeard = sounding && here != nil
        // Other notes come while those before them go.
        let crossfades = droneLeft.map { !performance.glides(from: $0, to: drone) } ?? false
        if isHeard { droneLeft = drone }
        tuning = isHeard ? mapping.deviation : nil
        return Event(
            FramePosition(frame: frame),
            .drone(
                DroneSound(
                    drone, tuning: performance.tuning, a4: performance.a4, deviation: mapping.deviation,
                    isSounding: isHeard, crossfades: crossfades), rampFrames: rampFrames))
    }
}
