public import Timing

/// A named place in a sound file: a cue point, a chapter.
public struct Marker: Sendable, Equatable {
    /// The frame nearest to it, from the start of the file.
    public var frame: Int64
    /// Its name.
    public var name: String

    /// Makes a marker.
    public init(frame: Int64, name: String) {
        self.frame = frame
        self.name = name
    }

    /// Which boundaries are marked.
    public enum Choice: String, Sendable, CaseIterable {
        /// None.
        case off
        /// The first bars of lines, and bars with labels.
        case lines
        /// Every bar.
        case bars
    }

    /// The markers of a performance that is rendered at a rate; nil if there are more than `limit`.
    public static func all(of performance: Performance, rate: Int, _ choice: Choice, limit: Int) -> [Marker]? {
        guard choice != .off, SoundFormat(rate: rate).isValid, let count = performance.passage.count else { return [] }
        let scheduler = Scheduler(performance, rate: rate)
        var markers: [Marker] = []
        for n in 0..<count {
            let bar = performance.passage.bar(of: n)
            let isFirst = bar.bar == 1 || n == 0
            guard choice == .bars || isFirst || !bar.label.isEmpty else { continue }
            guard markers.count < limit else { return nil }
            let position = scheduler.position(ofBoundary: n)
            let frame = position.frame + (position.fraction >= 0.5 ? 1 : 0)
            var name = "\(bar.line).\(bar.bar)"
            if bar.isSectionStart, !bar.section.isEmpty, bar.section != bar.label { name += " \(bar.section)" }
            if !bar.label.isEmpty { name += " \(bar.label)" }
            markers.append(Marker(frame: max(frame, 0), name: name))
        }
        return markers
    }
}
