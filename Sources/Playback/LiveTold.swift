internal import Scores
internal import Timing

// Keeps the player's taps, notes and messages, and logs the taps. The music does not change.
extension LivePerformance {
    /// Takes a tap, a note or a message, once the music has begun.
    mutating func tell(_ word: Told.Word) {
        guard isLive else { return }
        let reading = output.reading()
        var new = Told(number: (told?.number ?? 0) + 1, word, barHeard(reading), arrived: reading.now)
        if case .tap(let time) = word {
            guard let tapped = tap(at: time, reading) else { return }
            (new.bar, new.late, new.arrived) = (tapped.bar, tapped.late, time)
        }
        if case .mark = word {
            guard marks.count < Status.mostMarks else { return }
            marks.append(new)
        }
        told = new
        show(reading)
    }

    private func barHeard(_ reading: OutputReading) -> TimedBar {
        let (scheduler, passage) = (music.scheduler, music.scheduler.performance.passage)
        let time = scheduler.timePaused ?? .nanoseconds(reading.now - zeroHeard(reading))
        let position = max(scheduler.anchor.position(at: time), scheduler.anchor.position, .zero)
        // At a hold that waits, the music goes no further, however long it waits.
        let held = scheduler.held.flatMap { position >= $0.position ? $0.boundary : nil }
        return passage.bar(of: held ?? passage.boundary(at: position))
    }

    /// Logs a tap at a time of CLOCK_MONOTONIC in ns; returns the bar that begins nearest to it and how late it was, or nil if
    /// the music stands still.
    private mutating func tap(at now: Int64, _ reading: OutputReading) -> (bar: TimedBar, late: Duration)? {
        guard endedAt == nil, !music.isStanding(at: reading.heardFrame) else { return nil }
        let time = Duration.nanoseconds(now) - .nanoseconds(zeroHeard(reading)) - options.tapDelay
        let (scheduler, passage) = (music.scheduler, music.scheduler.performance.passage)
        let position = max(scheduler.anchor.position(at: time), scheduler.anchor.position, .zero)
        let here = passage.boundary(at: position)
        func due(_ boundary: Int) -> Duration { scheduler.anchor.time(of: passage.position(of: boundary)) }
        var nearest = here
        if passage.has(boundary: here + 1), due(here + 1) - time < time - due(here) { nearest = here + 1 }
        let (bar, nominal) = (passage.bar(of: nearest), due(nearest))
        log.write(
            TimingRow(
                index: bar.index + 1, label: bar.label, nominal: nominal, heard: time,
                position: scheduler.mapping.position(at: time), flags: .tap, line: bar.line, bar: bar.bar))
        return (bar, time - nominal)
    }
}
