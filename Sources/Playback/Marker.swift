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
        /// The first bars of lines, bars with labels, and hit points with labels.
        case lines
        /// Every bar, and hit points with labels.
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
            let hits = performance.passage.timeline.hits(inBar: bar.index).filter { !$0.hit.label.isEmpty }
            guard choice == .bars || isFirst || !bar.label.isEmpty || !hits.isEmpty else { continue }
            func add(_ name: String, at offset: Duration = .zero) {
                let position = scheduler.position(ofBoundary: n, offset: offset)
                markers.append(Marker(frame: max(position.frame + (position.fraction >= 0.5 ? 1 : 0), 0), name: name))
            }
            let place = "\(bar.line).\(bar.bar)"
            var name = place
            if bar.isSectionStart, !bar.section.isEmpty, bar.section != bar.label { name += " \(bar.section)" }
            if !bar.label.isEmpty { name += " \(bar.label)" }
            for hit in hits where hit.offset == .zero { name += " \(hit.hit.label)" }
            if choice == .bars || isFirst || name != place { add(name) }
            for hit in hits where hit.offset > .zero { add("\(place) \(hit.hit.label)", at: hit.offset) }
            guard markers.count <= limit else { return nil }
        }
        return markers
    }
}
