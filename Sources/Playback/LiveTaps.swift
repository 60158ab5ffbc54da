internal import Scores
internal import Timing

// Taps, which say "now I begin a bar", and notes about the take. They are logged; the music does not change.
extension LivePerformance {
    /// Notes what the player thinks of the take, with the bar that is heard.
    mutating func mark(_ text: String) {
        guard isLive, marks.count < Status.mostMarks else { return }
        let reading = output.reading()
        let (scheduler, passage) = (music.scheduler, music.scheduler.performance.passage)
        let time = scheduler.timePaused ?? .nanoseconds(reading.now - zeroHeard(reading))
        let position = max(scheduler.anchor.position(at: time), scheduler.anchor.position, .zero)
        // At a hold that waits, the music goes no further, however long it waits.
        let held = scheduler.held.flatMap { position >= $0.position ? $0.boundary : nil }
        let bar = passage.bar(of: held ?? passage.boundary(at: position))
        marks.append(Status.Mark(bar: bar, text: text, arrived: reading.now))
        show(reading)
    }

    /// Logs a tap at a time of CLOCK_MONOTONIC in ns, with the boundary that is nearest to it.
    mutating func tap(at now: Int64) {
        let reading = output.reading()
        guard isLive, endedAt == nil, !music.isStanding(at: reading.heardFrame) else { return }
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
        lastTap = Status.Tap(number: (lastTap?.number ?? 0) + 1, bar: bar, late: time - nominal, arrived: now)
        show(reading)
    }
}
