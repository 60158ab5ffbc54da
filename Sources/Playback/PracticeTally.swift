package import Scores
package import Timing

/// What was practiced in a performance, and for how long.
package struct PracticeTally: Sendable {
    /// The range from the first to the last bar that was heard.
    package private(set) var bars: ClosedRange<Int>?
    package private(set) var played = Duration.zero
    /// Since when the music has been playing, CLOCK_MONOTONIC in ns; nil while it stands still.
    private var since: Int64?
    /// The speed at which the last bar sounded; nil if none has. What was set in a pause has not sounded.
    package private(set) var speed: Speed?
    /// The speed that the program which was played last was to reach; nil if it had only one.
    package private(set) var target: Speed?
    /// The newest status in which the music goes on.
    private var last: Status?
    /// The program and the silent bars that were played together last, as they are typed; either may be empty.
    private var practice = (program: "", silence: "")
    /// The taps and the boundaries around them, in the order in which they came.
    private var rows: [TimingRow] = []
    private var hasTapped = false

    /// More rows than this are not kept, and so many before the first tap.
    private static let (mostRows, rowsBefore) = (100_000, 16)

    /// The program and the silent bars that were played last; both if they were played at the same time.
    package var programs: [String] { [practice.program, practice.silence].filter { !$0.isEmpty } }

    /// The taps and the boundaries around them; empty without a tap.
    package var tapped: [TimingRow] { hasTapped ? rows : [] }

    package init() {}

    /// Takes a row of the timing log.
    mutating func take(_ row: TimingRow) {
        keep(row)
        guard row.heard != nil, !row.isTap else { return }
        let bar = row.index - 1
        bars = bars.map { min($0.lowerBound, bar)...max($0.upperBound, bar) } ?? bar...bar
    }

    private mutating func keep(_ row: TimingRow) {
        hasTapped = hasTapped || row.isTap
        guard rows.count < PracticeTally.mostRows else { return }
        if !hasTapped, rows.count >= PracticeTally.rowsBefore { rows.removeFirst() }
        rows.append(row)
    }

    /// Takes a status at the moment at which it is new (CLOCK_MONOTONIC, ns).
    package mutating func take(_ status: Status, at now: Int64) {
        if let since, let last, now > since {
            played += .nanoseconds(now - since)
            // At an end, the newest status knows what was heard last.
            let boundary = (status.ending == nil ? last : status).boundary(at: now)
            speed = last.speed(of: boundary)
            let hasProgram = !last.performance.passage.stretch(of: boundary).program.isEmpty
            target = last.targetSpeed ?? (hasProgram ? nil : target)
        }
        // Waiting for the start does not count as practice.
        let begins = status.begins.map { status.zeroHeard + Int64($0 / .nanoseconds(1)) }
        let goesOn = status.ending == nil && status.pause == nil
        since = goesOn ? max(now, begins ?? now) : nil
        guard goesOn else { return }
        last = status
        let program = status.performance.passage.stretch(of: status.boundary(at: now)).program
        let silence = status.performance.silence.map { "silent \($0.text)" } ?? ""
        // If one of two has ended, both have been played.
        if ![practice.program, ""].contains(program) || ![practice.silence, ""].contains(silence) {
            practice = (program, silence)
        }
    }
}
