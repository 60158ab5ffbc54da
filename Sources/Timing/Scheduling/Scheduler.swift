internal import Scores

/// Turns boundaries into events, ahead of time and in the order of their frames.
///
/// Its state is where the music stands (an anchor), what the player has decided (a phase) and what has been handed out.
/// Events are computed one at a time from the closed form, so that a million bars need no more memory than one. It is a
/// value: the caller tries a command on a copy, and replaces the original once the sink has taken the events.
package struct Scheduler: Sendable {
    package internal(set) var performance: Performance
    package internal(set) var mapping: any FrameMapping
    /// Where the music stands or begins. A count-in ends at the anchor's time.
    package internal(set) var anchor: Anchor
    /// When the music last went on after a pause; until then, it stands where it stood. Nil before the first pause.
    package internal(set) var resumed: Duration?
    /// Whether the music begins later than it was to, because it was paused until then.
    package internal(set) var beginsLate = false
    /// The count-in that leads to the anchor.
    var countIn: CountIn
    var phase: SchedulerPhase
    var drone = DroneTrack()
    var timecode = TimecodeTrack()
    /// Clicks that have been handed out but can still be taken back, in the order of their frames.
    var handed: [ScheduledClick] = []
    /// The frame from which on clicks have sounded since the leader has jumped.
    var leap = Int64.min
    var cues = SignalQueue()
    /// The frame from which on signals must be prepared again; nil if they are up to date.
    var cuesBegin: Int64?
    /// The earliest position of the next event: up to it, all has been rendered or handed out.
    var floor: FramePosition
    /// The frame before which everything has been handed out.
    var known = Int64.min
    /// The bar that is being handed out.
    var bar: ScheduledBar?

    /// How late a click may still sound; a later one is lost.
    private static let lateness = Duration.milliseconds(30)

    /// Makes a scheduler at the beginning, at the nominal rate: the count-in starts at frame 0.
    package init(_ performance: Performance, rate: Int) {
        self.init(performance, mapping: NominalMapping(rate: rate, zero: performance.zeroFrame(rate: rate)), from: 0)
    }

    /// Makes a scheduler at the beginning, with any clock. Nothing sounds before the count-in or before `frame`.
    package init(_ performance: Performance, mapping: some FrameMapping, from frame: Int64) {
        self.performance = performance
        self.mapping = mapping
        let first = performance.first
        anchor = Anchor(position: performance.passage.position(of: first), speed: performance.speed)
        countIn = CountIn(performance, to: first, at: performance.speed)
        phase = .waiting(earliest: frame, next: countIn.cursor)
        floor = FramePosition(frame: frame)
        takeDrone(ofBar: first)
        cues.restart(at: first)
        placeBegin()
    }

    /// Moves the beginning to its frame by the current clock, before anything has been handed out.
    mutating func placeBegin() {
        guard let frame = beginFrame else { return }
        floor = FramePosition(frame: frame)
        beginDrone(at: frame)
        timecode.change = frame
    }

    /// The frame at which the count-in or the first bar begins; nil once it has sounded.
    package var beginFrame: Int64? {
        earliestBegin.map { max(mapping.position(at: anchor.time - countIn.length).frame, $0) }
    }

    /// The frame before which the music cannot begin; nil once it has begun.
    var earliestBegin: Int64? {
        switch phase {
        case .waiting(let earliest, _): earliest
        case .paused(let stop, _), .ending(let stop): stop.earliestBegin
        case .going: nil
        }
    }

    /// The frame at which the performance ends, as things stand; nil if it has no end, is paused, or has yet to wait.
    package var endFrame: Int64? {
        switch phase {
        case .paused: return nil
        case .ending(let stop): return stop.frame + (stop.earliestBegin == nil ? Int64(fadeFrames) : 0)
        case .waiting(_, let next), .going(let next):
            guard !isWaitAhead(next) else { return nil }
            let tail = performance.cues.tail
            return performance.passage.total.map { mapping.frame(atOrAfter: anchor.time(of: $0) + tail) }
        }
    }

    /// The times at which the count-in begins and ends; nil if there is none.
    package var countsTo: (begin: Duration, end: Duration)? {
        countIn.length > .zero ? (anchor.time - countIn.length, anchor.time) : nil
    }

    /// How long before the end of the count-in each of its beats sounds; empty for a count-in in seconds.
    package var countInBeats: [Duration] { countIn.beats }

    /// The clicks of the count-in that are heard.
    package var countInClicks: [CountInClick] { countIn.heard }

    /// The position in frames of boundary `n`, or of a place in its bar, as written.
    package func position(ofBoundary n: Int, offset: Duration = .zero) -> FramePosition {
        let passage = performance.passage
        let inner = offset == .zero ? offset : passage.stretch(of: n).speed.realDuration(of: offset)
        return position(at: passage.position(of: n) + inner)
    }

    /// The position in frames of a position in the passage.
    package func position(at position: Duration) -> FramePosition { mapping.position(at: anchor.time(of: position)) }

    /// The words for which there was no room among what has been handed out.
    package var missed: [MissedWord] { cues.missed }

    // MARK: - What the music does

    /// The hold at which the music waits for the player, once it has been handed out; nil before that.
    package var held: HeldMusic? {
        if case .hold(let held, _, _) = next { held } else { nil }
    }

    /// The hold at which the music waits next, also one that has not been handed out yet; nil if none of the next hundred
    /// bars has one.
    package var awaited: HeldMusic? {
        if let held { return held }
        let passage = performance.passage
        guard performance.waits, let last = passage.lastWait, let next else { return nil }
        var (first, inner) = (countIn.target, 0)
        if case .bar(let n, let part) = next { (first, inner) = (n, part) }
        for n in first..<first + 100 where n <= last && passage.has(boundary: n) {
            let moments = ScheduledBar(n, performance).moments.dropFirst(n == first ? max(inner - 1, 0) : 0)
            guard let moment = moments.first(where: { $0.wait != nil }), let length = moment.wait else { continue }
            return HeldMusic(boundary: n, position: passage.position(of: n) + moment.offset, length: length)
        }
        return nil
    }

    /// Whether the player has paused the music.
    package var isPaused: Bool { if case .paused = phase { true } else { false } }

    /// The time at which the player has paused the music; nil if it is not paused.
    package var timePaused: Duration? { if case .paused(let stop, _) = phase { stop.time } else { nil } }

    /// Whether the player has ended the music.
    var isEnding: Bool { if case .ending = phase { true } else { false } }

    /// The next part to be handed out; nil once the player has ended the music.
    var next: SchedulerCursor? {
        get {
            switch phase {
            case .waiting(_, let next), .going(let next), .paused(_, let next): next
            case .ending: nil
            }
        }
        set {
            guard let newValue else { return }
            switch phase {
            case .waiting(let earliest, _): phase = .waiting(earliest: earliest, next: newValue)
            case .going: phase = .going(next: newValue)
            case .paused(let stop, _): phase = .paused(stop, next: newValue)
            case .ending: break
            }
        }
    }

    /// The state of the music at `frame`.
    package func state(at frame: Int64) -> MusicState {
        switch phase {
        case .ending: return .ending
        case .paused: return .paused
        case .waiting where frame < beginFrame ?? frame: return .waiting
        case .waiting, .going: break
        }
        let time = mapping.time(of: frame)
        if countIn.length > .zero, time < anchor.time { return .countingIn }
        if let held, max(anchor.position(at: time), anchor.position) >= held.position { return .holding(held) }
        return .playing
    }

    /// The position of the music at `frame`: never after a hold at which it waits for the player, and in the bar of that hold.
    package func position(at frame: Int64) -> Duration {
        let reached = reached(at: frame)
        guard let held, reached >= held.position else { return reached }
        // At a hold at the very end of a bar, the music has not left that bar yet, wherever rounding has put the hold.
        return min(reached, performance.passage.position(of: held.boundary + 1) - Duration(attoseconds: 1))
    }

    /// How far the music has come at `frame`: at a hold at which it waits, exactly the place of the hold.
    func reached(at frame: Int64) -> Duration {
        var time = mapping.time(of: frame)
        if case .paused(let stop, _) = phase { time = stop.time }
        if case .ending(let stop) = phase { time = stop.time }
        // Before the anchor there is a count-in, or nothing.
        let position = max(anchor.position(at: time), anchor.position)
        return held.map { min(position, $0.position) } ?? position
    }

    // MARK: - Handing out

    /// Hands out events before frame `horizon` while the sink has room. Returns the frame before which it has all.
    package mutating func schedule<Sink: EventSink & ~Copyable>(before horizon: Int64, into sink: inout Sink) -> Int64 {
        while sink.hasRoom {
            let count = handed.count
            guard let event = nextEvent(before: horizon) else {
                known = max(known, horizon)
                return horizon
            }
            let isTaken = sink.push(event)
            // A signal is refused without a trace: nothing counts it as heard.
            if !isTaken, handed.count > count, let click = handed.last, !click.isSilent {
                handed[handed.count - 1].isLost = true
            }
            floor = event.position
        }
        known = max(known, min(floor.frame, horizon))
        return min(floor.frame, horizon)
    }

    /// The first frame for an event that must begin on a whole frame.
    var firstWholeFrame: Int64 { floor.fraction > 0 ? floor.frame + 1 : floor.frame }

    private mutating func nextEvent(before horizon: Int64) -> Event? {
        while horizon > floor.frame {
            if let event = changedTimecode(before: horizon) { return event }
            if let change = drone.change {
                guard change.frame < horizon else { return nil }
                drone.change = nil
                if let event = droneEvent(sounding: change.sounding, at: change.frame, within: fadeFrames) {
                    return event
                }
            }
            switch phase {
            case .paused, .ending: return nil
            case .waiting, .going: break
            }
            if let event = retuned(before: horizon) { return event }
            takeUpBar()
            guard held == nil else { return nil }
            let position = clickPosition
            if let event = nextCue(before: position, horizon) { return event }
            if let event = markedTimecode(upTo: position, before: horizon) { return event }
            if let event = endDrone(before: position, horizon) { return event }
            guard let position, position.frame < horizon else { return nil }
            if let event = handOut(at: position) { return event }
        }
        return nil
    }

    /// The position of the next click, never before an earlier event, whatever the rounding; nil after the last.
    private var clickPosition: FramePosition? { clickTime.map { max(mapping.position(at: $0), floor) } }

    /// The time of the next click; nil after the last, and at a hold.
    private var clickTime: Duration? {
        switch next {
        case .count(let left): return anchor.time - countIn.lead(left: left)
        case .bar(let n, let inner):
            guard performance.passage.has(boundary: n) else { return nil }
            let offset = inner > 0 ? bar?.moments[inner - 1].offset ?? .zero : .zero
            return anchor.time(of: performance.passage.position(of: n) + offset)
        case .hold, nil: return nil
        }
    }

    /// Loads the bar of the next boundary; after its last moment, moves on to the next bar.
    private mutating func takeUpBar() {
        guard case .bar(let n, let inner) = next else { return }
        if bar?.boundary != n, performance.passage.has(boundary: n) { bar = ScheduledBar(n, performance) }
        guard let bar, bar.boundary == n, inner > bar.moments.count else { return }
        next = .bar(n + 1, inner: 0)
        if performance.passage.has(boundary: n + 1) { self.bar = ScheduledBar(n + 1, performance) }
    }

    /// Whether any music that has not been handed out has to wait for the player.
    private func isWaitAhead(_ next: SchedulerCursor) -> Bool {
        guard performance.waits, let last = performance.passage.lastWait else { return false }
        guard case .bar(let n, let inner) = next, n >= last else { return true }
        guard n == last else { return false }
        let bar = bar?.boundary == last ? bar : ScheduledBar(last, performance)
        return bar?.moments.dropFirst(max(inner - 1, 0)).contains { $0.wait != nil } ?? false
    }

    /// Hands out the next click; nil if it is silent, too late, or not a click.
    private mutating func handOut(at position: FramePosition) -> Event? {
        guard let next, let due = clickTime else { return nil }
        switch next {
        case .count(let left):
            self.next = left > 1 ? .count(left: left - 1) : .bar(countIn.target, inner: 0)
            return hand(.count(left: left), due, at: position, click: countIn.click(left: left))
        case .bar(let n, let inner):
            guard let bar else { return nil }
            if inner == 0, let event = turnDrone(at: position) { return event }
            let origin = ScheduledClick.Origin.bar(boundary: n, index: bar.bar.index, inner: inner)
            self.next = .bar(n, inner: inner + 1)
            if inner > 0, let length = bar.moments[inner - 1].wait {
                if performance.waits {
                    let place = performance.passage.position(of: n) + bar.moments[inner - 1].offset
                    let held = HeldMusic(boundary: n, position: place, length: length)
                    self.next = .hold(held, bar: n, inner: inner + 1)
                    timecode.change = position.fraction > 0 ? position.frame + 1 : position.frame
                }
                return hand(origin, due, at: position, click: nil)
            }
            return hand(origin, due, at: position, click: inner == 0 ? bar.first : bar.moments[inner - 1].click)
        case .hold: return nil
        }
    }

    /// Records a click as handed out, and makes its event; nil if it makes no sound.
    private mutating func hand(
        _ origin: ScheduledClick.Origin, _ due: Duration, at position: FramePosition,
        click sound: VoiceClick?
    ) -> Event? {
        let behind = position.frame - mapping.position(at: due).frame
        var click = ScheduledClick(origin: origin, time: due, position: position)
        let audible = performance.clicksAreOff ? nil : sound
        click.isSilent = audible == nil
        click.sound = audible?.sound
        var isBoundary = true
        if case .bar(_, _, let inner) = origin { isBoundary = inner == 0 }
        if sound != nil || isBoundary {
            click.isLost = behind > NominalMapping(rate: mapping.rate, zero: 0).frame(atOrAfter: Scheduler.lateness)
            // A difference of one frame is rounding.
            if behind > 1 { click.late = mapping.time(of: position.frame) - due }
            // So that no later command takes it back: it was due before that.
            if click.isLost { click.position = FramePosition(frame: position.frame - 1) }
        }
        handed.append(click)
        guard let audible, !click.isLost else { return nil }
        let level = Level(decibels: performance.clickLevel.decibels + audible.decibels)
        return Event(position, .click(audible.sound, amplitude: level.amplitude, voice: audible.voice))
    }
}
