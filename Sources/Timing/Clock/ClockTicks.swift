internal import Scores

/// The ticks of MIDI clock in a piece: 24 in each quarter note of a bar with a meter, and none in bars of seconds.
///
/// A bar has a whole number of them: in one that has 56.5, they are a little farther apart.
package struct ClockTicks: Sendable {
    private let timeline: Timeline
    private let inner: InnerSettings
    /// The ticks before each bar, as far as they have been counted.
    private var before = [0]

    /// Later bars of a piece have no ticks: they would have to be counted.
    private static let mostBars = 100_000
    /// Longer bars have no ticks.
    private static let mostInBar = 100_000

    package init(_ performance: Performance) {
        (timeline, inner) = (performance.passage.timeline, performance.inner)
    }

    private func count(inBar index: Int) -> Int {
        guard let meter = timeline.layout.written(timeline.pageBar(index)).meter else { return 0 }
        let ticks = (meter.length.value * 96).rounded()
        return ticks <= Double(ClockTicks.mostInBar) ? max(Int(ticks), 1) : 0
    }

    /// How many ticks there are in the bars before bar `index`; nil if they are too many bars.
    private mutating func count(before index: Int) -> Int? {
        guard index < ClockTicks.mostBars else { return nil }
        while before.count <= index { before.append(before[before.count - 1] + count(inBar: before.count - 1)) }
        return before[index]
    }

    /// The number of the first tick of bar `index`, counted from the beginning of the piece, and the time from the beginning
    /// of the bar to each of its ticks, as written, with the holds before it; nil if it has none.
    package mutating func ticks(inBar index: Int) -> (first: Int, offsets: [Duration])? {
        let count = count(inBar: index)
        guard count > 0, let first = self.count(before: index), let curve = timeline.tempo(ofBar: index),
            let (beats, details) = timeline.barBeats(index, inner), let meter = details.meter
        else { return nil }
        let holds = beats.placed(details.holds)
        let offsets = (0..<count).map { tick in
            guard tick > 0 else { return Duration.zero }
            let written = curve.duration(of: meter.length * Fraction(Int64(tick), Int64(count)))
            let offset = details.speed?.realDuration(of: written) ?? written
            return offset + timeline.held(holds, before: offset)
        }
        return (first, offsets)
    }
}
