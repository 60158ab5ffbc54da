internal import Scores

/// Turns boundaries into events, ahead of time and in the order of their frames.
///
/// It holds where the music stands (an anchor), what the player has decided (a phase) and what it has handed out; events
/// are made from the closed form, one at a time, so that a million bars need no more memory than one. It is a value: what
/// a command would do is tried on a copy, which takes the original's place once the events have taken theirs.
package struct Scheduler: Sendable {
    /// What is played.
    package internal(set) var performance: Performance
    /// Times to frames.
    package internal(set) var mapping: any FrameMapping
    /// Where the music stands, or begins: the count-in, where there is one, ends at the anchor's time.
    package internal(set) var anchor: Anchor
    /// What leads to the anchor.
    var countIn: CountIn
    var phase: SchedulerPhase
    var drone = DroneTrack()
    /// Clicks that have been handed out and may still be taken back, in the order of their frames.
    var handed: [ScheduledClick] = []
    var cues = CueQueue()
    /// From where on signals are to be drawn up anew.
    var cuesBegin: Int64?
    /// No event lies before: it has been rendered, or another has been handed out there.
    var floor: FramePosition
    /// The frame before which everything has been handed out, as far as it is known by now.
    var known = Int64.min
    /// The bar that is being handed out.
    var bar: ScheduledBar?

    /// How late a click may still sound; a later one is lost.
    private static let lateness = Duration.milliseconds(30)

    /// A scheduler at the beginning, at the nominal rate: the count-in starts at frame 0.
    package init(_ performance: Performance, rate: Int) {
        self.init(performance, mapping: NominalMapping(rate: rate, zero: performance.zeroFrame(rate: rate)), from: 0)
    }

    /// A scheduler at the beginning, by any clock. Nothing sounds before the start of the count-in or `frame`.
    package init(_ performance: Performance, mapping: some FrameMapping, from frame: Int64) {
        self.performance = performance
        self.mapping = mapping
        let first = performance.first
        anchor = Anchor(position: performance.passage.position(of: first), speed: performance.speed)
        countIn = CountIn(length: performance.countIn, target: first)
        phase = .waiting(earliest: frame, next: countIn.cursor)
        floor = FramePosition(frame: frame)
        drone.ofPage = performance.passage.bar(of: first).drone
        cues.restart(at: first)
        placeBegin()
    }

    /// Puts the beginning where the clock has it now; nothing has been handed out yet.
    mutating func placeBegin() {
        guard let frame = beginFrame else { return }
        floor = FramePosition(frame: frame)
        drone.change = (true, frame)
    }

    /// The frame at which the count-in or the first bar begins; nil once it has sounded.
    package var beginFrame: Int64? {
        let earliest: Int64
        switch phase {
        case .waiting(let frame, _): earliest = frame
        case .paused(let stop, _), .ending(let stop):
            guard let frame = stop.earliestBegin else { return nil }
            earliest = frame
        case .going: return nil
        }
        return max(mapping.position(at: anchor.time - countIn.length).frame, earliest)
    }

    /// The frame at which the last bar ends, as things stand; nil without end, while the music stands still, or as long as
    /// a player decides it.
    package var endFrame: Int64? {
        switch phase {
        case .paused: return nil
        case .ending(let stop): return stop.frame + (stop.earliestBegin == nil ? Int64(fadeFrames) : 0)
        case .waiting(_, let next), .going(let next):
            guard !isWaitAhead(next) else { return nil }
            let tail = performance.cues.end ? CueSettings.endSignal : .zero
            return performance.passage.total.map { mapping.frame(atOrAfter: anchor.time(of: $0) + tail) }
        }
    }

    /// When the count-in begins and the music comes after it; nil where there is none.
    package var countsTo: (begin: Duration, end: Duration)? {
        countIn.length > .zero ? (anchor.time - countIn.length, anchor.time) : nil
    }

    /// When boundary `n` sounds.
    package func position(ofBoundary n: Int) -> FramePosition {
        mapping.position(at: anchor.time(of: performance.passage.position(of: n)))
    }

    // MARK: - What the music does

    /// Where the music waits for the player once it comes there; nil as long as nothing has been handed out up to a hold.
    package var held: HeldMusic? {
        if case .hold(let held, _, _) = next { held } else { nil }
    }

    /// Whether the player has paused the music.
    package var isPaused: Bool { if case .paused = phase { true } else { false } }

    /// Whether the player has ended the music.
    var isEnding: Bool { if case .ending = phase { true } else { false } }

    /// What is handed out next; nil once the player has ended the music.
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

    /// What the music does at `frame`.
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

    /// Where the music stands at `frame`: no further than where it waits for the player.
    package func position(at frame: Int64) -> Duration {
        var time = mapping.time(of: frame)
        if case .paused(let stop, _) = phase { time = stop.time }
        if case .ending(let stop) = phase { time = stop.time }
        // Before the anchor lies a count-in, or nothing.
        let position = max(anchor.position(at: time), anchor.position)
        guard let held, position >= held.position else { return position }
        // At the very end of its bar the music has not left it yet.
        let isBeyond = performance.passage.boundary(at: held.position) != held.boundary
        return isBeyond ? held.position - Duration(attoseconds: 1) : held.position
    }

    // MARK: - Handing out

    /// Hands out every event before frame `horizon`, as far as the sink has room. Returns the frame before which all has
    /// been handed out.
    package mutating func schedule<Sink: EventSink & ~Copyable>(before horizon: Int64, into sink: inout Sink) -> Int64 {
        while sink.hasRoom {
            guard let event = nextEvent(before: horizon) else {
                known = max(known, horizon)
                return horizon
            }
            sink.push(event)
            floor = event.position
        }
        known = max(known, min(floor.frame, horizon))
        return min(floor.frame, horizon)
    }

    /// The first frame at which something that begins on whole frames can be put.
    var firstWholeFrame: Int64 { floor.fraction > 0 ? floor.frame + 1 : floor.frame }

    private mutating func nextEvent(before horizon: Int64) -> Event? {
        while horizon > floor.frame {
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
            if let fade, fade.frame < horizon, position.map({ FramePosition(frame: fade.frame) <= $0 }) ?? true {
                drone.hasEnded = true
                if let event = droneEvent(sounding: false, at: fade.frame, within: fade.frames) { return event }
                continue
            }
            guard let position, position.frame < horizon else { return nil }
            if let event = handOut(at: position) { return event }
        }
        return nil
    }

    /// Where the next click is handed out: never before another, whatever its time was rounded to; nil after the last.
    private var clickPosition: FramePosition? { clickTime.map { max(mapping.position(at: $0), floor) } }

    /// When the next click is due; nil after the last, and at a hold.
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

    /// Has the bar of the next boundary at hand; after the last of its moments, goes to the next one.
    private mutating func takeUpBar() {
        guard case .bar(let n, let inner) = next else { return }
        if bar?.boundary != n, performance.passage.has(boundary: n) { bar = ScheduledBar(n, performance) }
        guard let bar, bar.boundary == n, inner > bar.moments.count else { return }
        next = .bar(n + 1, inner: 0)
        if performance.passage.has(boundary: n + 1) { self.bar = ScheduledBar(n + 1, performance) }
    }

    /// Whether music that is not handed out yet waits for the player.
    private func isWaitAhead(_ next: SchedulerCursor) -> Bool {
        guard performance.waits, let last = performance.passage.lastWait else { return false }
        guard case .bar(let n, let inner) = next, n >= last else { return true }
        guard n == last else { return false }
        let bar = bar?.boundary == last ? bar : ScheduledBar(last, performance)
        return bar?.moments.dropFirst(max(inner - 1, 0)).contains(where: \.isWait) ?? false
    }

    /// The next click goes out; nil where it is silent, comes too late, or is no click.
    private mutating func handOut(at position: FramePosition) -> Event? {
        guard let next, let due = clickTime else { return nil }
        switch next {
        case .count(let left):
            self.next = left > 1 ? .count(left: left - 1) : .bar(countIn.target, inner: 0)
            return hand(.count(left: left), due, at: position, sound: (.countIn, 0))
        case .bar(let n, let inner):
            guard let bar else { return nil }
            if inner == 0, let event = turnDrone(at: position) { return event }
            let origin = ScheduledClick.Origin.bar(boundary: n, index: bar.bar.index, inner: inner)
            self.next = .bar(n, inner: inner + 1)
            if inner > 0, case .wait(let length) = bar.moments[inner - 1].kind {
                if performance.waits {
                    let place = performance.passage.position(of: n) + bar.moments[inner - 1].offset
                    let held = HeldMusic(boundary: n, position: place, length: length)
                    self.next = .hold(held, bar: n, inner: inner + 1)
                }
                return hand(origin, due, at: position, sound: nil)
            }
            return hand(origin, due, at: position, sound: bar.sound(ofInner: inner))
        case .hold: return nil
        }
    }

    /// Notes a click as handed out, and makes its sound; nil where it has none.
    private mutating func hand(
        _ origin: ScheduledClick.Origin, _ due: Duration, at position: FramePosition,
        sound: (sound: ClickSound, decibels: Double)?
    ) -> Event? {
        let behind = position.frame - mapping.position(at: due).frame
        var click = ScheduledClick(origin, time: due, position: position)
        let audible = performance.isClickMuted || performance.clickLevel.isSilent ? nil : sound
        click.isSilent = audible == nil
        var isBoundary = true
        if case .bar(_, _, let inner) = origin { isBoundary = inner == 0 }
        if sound != nil || isBoundary {
            click.isLost = behind > NominalMapping(rate: mapping.rate, zero: 0).frame(atOrAfter: Scheduler.lateness)
            // One frame is rounding.
            click.isLate = behind > 1
            // Whatever the player does now, it was due before.
            if click.isLost { click.position = FramePosition(frame: position.frame - 1) }
        }
        handed.append(click)
        guard let audible, !click.isLost else { return nil }
        let level = Level(decibels: performance.clickLevel.decibels + audible.decibels)
        return Event(position, .click(audible.sound, amplitude: level.amplitude))
    }
}
