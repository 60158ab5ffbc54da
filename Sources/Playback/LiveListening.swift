package import Scores
package import Timing

/// A click of the music that can no longer be taken back, or a boundary without one, and when it is at the converter.
package struct DueClick: Sendable {
    /// CLOCK_MONOTONIC in ns.
    package var time: Double
    /// How it sounds; nil if it does not.
    package var sound: ClickSound?
    /// The bar that it begins; nil for a click within a bar or in a count-in.
    package var bar: DueBar?
}

/// A bar that begins.
package struct DueBar: Sendable, Equatable {
    package var boundary: Int
    package var bar: TimedBar
    /// How long it lasts, in real time.
    package var length: Duration

    package init(boundary: Int, bar: TimedBar, length: Duration) {
        (self.boundary, self.bar, self.length) = (boundary, bar, length)
    }

    /// Whether the music went on to this bar from another one, which began so many seconds before: without a jump or a pause.
    package func follows(_ other: DueBar, after seconds: Double) -> Bool {
        other.boundary + 1 == boundary && seconds < other.length / .seconds(1) + DueBar.leastPause
    }

    /// The shortest pause, in seconds: clocks that are learned move less.
    private static let leastPause = 0.05
}

extension Status {
    /// What a microphone has heard of a bar.
    package struct Heard: Sendable, Equatable {
        /// How many bars have been heard, this one included, sure or not.
        package var number: Int
        package var bar: TimedBar
        /// How much later than it should the player began it, negative if earlier; nil if that is unsure.
        package var late: Duration?
        /// The bars that are worth practicing by now, in the order of the piece: the farthest from the player's usual lateness.
        package var worth: [Worth]

        /// A bar by its index, and how far it is from the usual lateness.
        package struct Worth: Sendable, Equatable {
            package var bar: Int
            package var late: Duration

            package init(bar: Int, late: Duration) { (self.bar, self.late) = (bar, late) }
        }

        package init(number: Int, bar: TimedBar, late: Duration?, worth: [Worth] = []) {
            (self.number, self.bar, self.late, self.worth) = (number, bar, late, worth)
        }
    }
}

extension LivePerformance {
    /// Shows what a microphone has heard of a bar. Of the last bars that is known only after the end of the music.
    package mutating func hear(_ heard: Status.Heard) {
        lastHeard = (lastHeard + [heard]).suffix(LivePerformance.mostHeard)
        guard isOver, var status else { return show(output.reading()) }
        status.lastHeard = lastHeard
        tell(status)
    }

    /// So many bars are kept for screens that are not asked at once.
    private static let mostHeard = 8

    /// Tells a listener of clicks that are final, and of the frame before which all are.
    func tellDue(_ clicks: [ScheduledClick], before frame: Int64, _ reading: OutputReading) {
        guard let due = options.due, isLive || isOver else { return }
        let (scheduler, passage) = (music.scheduler, music.scheduler.performance.passage)
        let zero = Double(zeroHeard(reading) - options.latency.nanoseconds)
        func time(_ time: Duration) -> Double { zero + Double(time.nanoseconds) }
        let told = clicks.filter { !$0.isLost }.map { click in
            var due = DueClick(time: time(click.time), sound: click.sound)
            if case .bar(let boundary, _, 0) = click.origin, passage.has(boundary: boundary) {
                let bar = passage.bar(of: boundary)
                due.bar = DueBar(
                    boundary: boundary, bar: bar, length: scheduler.anchor.speed.realDuration(of: bar.duration))
            }
            return due
        }
        due(told, frame == .max ? .infinity : time(scheduler.mapping.time(of: frame)))
    }
}
