internal import Scores

/// A beat as it is played, with its tempo and the holds on it.
package struct TimedBeat: Sendable, Equatable {
    /// Its number in the bar, from 1.
    package var number: Int
    /// Its position in the passage.
    package var position: Duration
    /// The position at which the next beat, or the next bar, begins.
    package var end: Duration
    /// The tempo in quarter notes per minute, with all speeds but the performance's; nil in a bar of seconds.
    package var quarters: Double?
    /// The holds before the next beat; nil if there are none.
    package var hold: Held?

    package init(number: Int, position: Duration, end: Duration, quarters: Double? = nil, hold: Held? = nil) {
        (self.number, self.position, self.end, self.quarters, self.hold) = (number, position, end, quarters, hold)
    }

    /// One hold, or several as one.
    package struct Held: Sendable, Equatable {
        /// The position at which the first begins.
        package var position: Duration
        /// How long they last together, as score time.
        package var length: Duration
        /// Whether one of them lasts until a cue.
        package var waits: Bool

        package init(position: Duration, length: Duration, waits: Bool) {
            (self.position, self.length, self.waits) = (position, length, waits)
        }
    }
}

extension Passage {
    /// The beats of the bar that boundary `n` begins, heard or not; in a bar with a grid of its own, the clicks of the grid.
    /// A bar without beats is one beat.
    package func timedBeats(of n: Int, _ settings: InnerSettings) -> [TimedBeat] {
        let bar = bar(of: n)
        let (start, end, speed) = (position(of: n), position(of: n + 1), stretch(of: n).speed)
        func place(_ offset: Duration) -> Duration { start + speed.realDuration(of: offset) }
        let curve = bar.written.meter == nil ? nil : timeline.layout.curve(timeline.pageBar(bar.index))
        let factor = [bar.written.details.speed ?? .asWritten, speed].reduce(1) { $0 * $1.factor }
        let hasGrid = curve != nil && (bar.written.details.grid ?? .off) != .off
        var clicks = timeline.beats(inBar: bar.index, settings)
        if hasGrid {
            clicks = clicks.filter(\.isHeard)
            for index in clicks.indices { clicks[index].number = index + 1 }
        }
        var beats = clicks.compactMap { beat in
            beat.number.map { number in
                TimedBeat(
                    number: number, position: place(beat.offset), end: end,
                    quarters: curve.map { $0.wholeNotes(after: beat.position) * 4 * factor })
            }
        }
        if beats.isEmpty { beats = [TimedBeat(number: 1, position: start, end: end)] }
        for index in beats.indices.dropLast() { beats[index].end = beats[index + 1].position }
        for held in timeline.heldTimes(inBar: bar.index, settings) {
            let (begin, length) = (place(held.begin), speed.realDuration(of: held.end - held.begin))
            let index = beats.lastIndexByHalving { $0.position <= begin }
            let before = beats[index].hold
            beats[index].hold = TimedBeat.Held(
                position: before?.position ?? begin, length: (before?.length ?? .zero) + length,
                waits: before?.waits ?? false || held.waits)
        }
        return beats
    }
}

extension TempoCurve {
    /// The tempo this many whole notes later, in whole notes per minute.
    fileprivate func wholeNotes(after position: Fraction?) -> Double {
        switch self {
        case .steady(let wholeNotes): wholeNotes.value
        case .ramp(let shape, let start): shape.wholeNotes(at: start + (position?.value ?? 0))
        case .changing(let steps):
            steps.reduce(wholeNotes) { tempo, step in
                guard let from = step.from else { return step.curve.wholeNotes(after: position) }
                guard let position, from <= position else { return tempo }
                return step.curve.wholeNotes(after: position - from)
            }
        }
    }
}
