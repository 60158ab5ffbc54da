package import Scores

/// The state of the timecode that goes out: what still has to be handed out.
struct TimecodeTrack: Sendable {
    /// The frame at which the timecode must be handed out anew, because what is played has changed.
    var change: Int64?
    /// The next mark; nil if there is none.
    var next: Mark?

    /// A moment at which timecode is handed out although nothing has changed. Between two marks it runs at a steady rate,
    /// and at each mark it is put right by what is then known of the card's clock.
    enum Mark: Sendable, Equatable {
        /// It begins to run, before the music does.
        case preroll
        /// A position in the passage: the beginning of a bar, or a whole second of the film.
        case position(Duration)
    }
}

extension Scheduler {
    /// The timecode after a change; nil if there is none before `horizon`.
    mutating func changedTimecode(before horizon: Int64) -> Event? {
        guard let change = timecode.change, let settings = performance.linearTimecode else { return nil }
        let position = max(FramePosition(frame: change), floor)
        guard position.frame < horizon else { return nil }
        timecode.change = nil
        let time = mapping.time(of: position.frame)
        let (running, next) = timecode(at: time, settings)
        timecode.next = next
        return Event(position, .timecode(running, amplitude: settings.level.amplitude))
    }

    /// The timecode at the next mark; nil if there is none up to `limit`, or before frame `horizon`.
    mutating func markedTimecode(upTo limit: FramePosition?, before horizon: Int64) -> Event? {
        guard let mark = timecode.next, let settings = performance.linearTimecode else { return nil }
        let due =
            switch mark {
            case .preroll: anchor.time - settings.preroll
            case .position(let place): anchor.time(of: place)
            }
        let exact = mapping.position(at: due)
        let position = max(exact, floor)
        guard position.frame < horizon, limit.map({ position <= $0 }) ?? true else { return nil }
        let running: RunningTimecode
        switch mark {
        case .preroll:
            running = film(at: anchor.position, settings, before: settings.preroll, from: due)
            timecode.next = .position(anchor.position)
        case .position(let place):
            guard isInPassage(place) else {
                timecode.next = nil
                return Event(position, .timecode(.silence(settings.start.rate), amplitude: 0))
            }
            running = film(at: place, settings, from: due)
            timecode.next = .position(nextMark(after: place))
        }
        let late = Double(position.frame - exact.frame) + (position.fraction - exact.fraction)
        return Event(position, .timecode(running.advanced(by: late), amplitude: settings.level.amplitude))
    }

    /// The timecode at a time, as things stand, and the next mark after it.
    private func timecode(
        at time: Duration, _ settings: LinearTimecode
    ) -> (running: RunningTimecode, next: TimecodeTrack.Mark?) {
        let silence = RunningTimecode.silence(settings.start.rate)
        switch phase {
        case .ending: return (silence, nil)
        case .paused(let stop, _):
            guard stop.earliestBegin == nil else { return (silence, nil) }
            let early = min(max(anchor.time - stop.time, .zero), settings.preroll)
            let place = held.map { min(anchor.position(at: stop.time), $0.position) } ?? anchor.position(at: stop.time)
            return (standing(at: max(place, anchor.position), settings, before: early, since: stop.time, time), nil)
        case .waiting, .going: break
        }
        if time < anchor.time {
            let left = anchor.time - time
            guard left <= settings.preroll else {
                return (silence, settings.preroll > .zero ? .preroll : .position(anchor.position))
            }
            return (film(at: anchor.position, settings, before: left, from: time), .position(anchor.position))
        }
        let place = anchor.position(at: time)
        // Rounding may put the frame of a hold just before it.
        if let held, place + .microseconds(1) >= held.position {
            return (standing(at: held.position, settings, since: anchor.time(of: held.position), time), nil)
        }
        guard isInPassage(place) else { return (silence, nil) }
        return (film(at: place, settings, from: time), .position(nextMark(after: place)))
    }

    private func isInPassage(_ place: Duration) -> Bool { performance.passage.total.map { place < $0 } ?? true }

    /// The timecode while the music stands: the same frame again and again, as fast as before, or nothing.
    private func standing(
        at place: Duration, _ settings: LinearTimecode, before early: Duration = .zero, since begin: Duration,
        _ time: Duration
    ) -> RunningTimecode {
        guard settings.holds else { return .silence(settings.start.rate) }
        var running = film(at: place, settings, before: early, from: time)
        running.isHeld = true
        // The words follow each other from where the music came to a stand.
        let (first, now) = (mapping.position(at: begin), mapping.position(at: time))
        return running.advanced(by: Double(now.frame - first.frame) + (now.fraction - first.fraction))
    }

    /// The film at a position, or a time before it, and how fast it runs from a time on.
    private func film(
        at place: Duration, _ settings: LinearTimecode, before early: Duration = .zero, from time: Duration
    ) -> RunningTimecode {
        let passage = performance.passage
        let n = passage.boundary(at: place)
        let own = performance.filmSpeed(inBarOf: n)
        let rate = settings.start.rate
        let second = mapping.position(at: time + .seconds(1)), now = mapping.position(at: time)
        var frames = Double(second.frame - now.frame) + (second.fraction - now.fraction)
        frames *= Double(rate.perSecond.denominator) / Double(rate.perSecond.numerator)
        var moment = performance.film(at: place, inBarOf: n, at: anchor.speed, settings)
        if settings.isScaled {
            moment -= own.scoreDuration(of: anchor.speed.scoreDuration(of: early))
            frames *= 1 / (anchor.speed.factor * own.factor)
        } else {
            moment -= early
        }
        return RunningTimecode(moment, rate, frames: frames)
    }

    /// The position of the next mark: the next whole second of the score in the bar, or the next bar.
    private func nextMark(after place: Duration) -> Duration {
        let passage = performance.passage
        let n = passage.boundary(at: place)
        let (begin, end) = (passage.position(of: n), passage.position(of: n + 1))
        let speed = passage.stretch(of: n).speed
        let into = speed.scoreDuration(of: place - begin)
        let next = begin + speed.realDuration(of: .seconds(into.components.seconds + 1))
        return next > place && next < end ? next : end
    }
}

extension Performance {
    /// The speed of the stretch of boundary `n` where the timecode counts the time of the score.
    package func filmSpeed(inBarOf n: Int) -> Speed { countsPasses ? .asWritten : passage.stretch(of: n).speed }

    /// The time since midnight on the film at which boundary `n` is played, at the initial speed.
    package func film(atBoundary n: Int, _ settings: LinearTimecode) -> Duration {
        film(at: passage.position(of: n), inBarOf: n, at: speed, settings)
    }

    /// The time since midnight on the film at a position in the bar of boundary `n`, at a speed of the performance.
    package func film(at place: Duration, inBarOf n: Int, at speed: Speed, _ settings: LinearTimecode) -> Duration {
        let written = clock(at: place, inBarOf: n)
        if settings.isScaled { return settings.start.duration + written }
        return settings.start.duration + speed.realDuration(of: filmSpeed(inBarOf: n).realDuration(of: written))
    }
}
