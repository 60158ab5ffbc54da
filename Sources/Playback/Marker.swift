internal import Scores
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
        let intervals = IntervalNames(performance)
        var markers: [Marker] = []
        for n in performance.first..<count {
            let bar = performance.passage.bar(of: n)
            let hits = performance.passage.timeline.hits(inBar: bar.index).filter { !$0.hit.label.isEmpty }
            let voice = performance.passage.timeline.voice
            let texts = hits.filter { $0.offset == .zero }.map(\.hit.label)
            if let name = intervals.name(of: n)
                ?? name(of: bar, choice, isFirst: n == performance.first, voice: voice, texts: texts)
            {
                markers.append(Marker(at: scheduler.position(ofBoundary: n), name: name))
            }
            for hit in hits where hit.offset > .zero {
                let name = [voice.name, "\(bar.line).\(bar.bar)", hit.hit.label].filter { !$0.isEmpty }
                let position = scheduler.position(ofBoundary: n, offset: hit.offset)
                markers.append(Marker(at: position, name: name.joined(separator: " ")))
            }
            for companion in performance.passage.companionBars(during: n) {
                guard let name = name(of: companion.bar, choice, voice: companion.voice) else { continue }
                markers.append(Marker(at: scheduler.position(at: companion.span.lowerBound), name: name))
            }
            guard markers.count <= limit else { return nil }
        }
        return markers
    }

    /// Fewer markers, for a file that cannot hold all: those of the first bars of lines, which are the rounds of the
    /// groups of a plan; if these are too many, too, every second, third ... of them. `step` is 1 for all lines.
    public static func groups(of performance: Performance, rate: Int, limit: Int) -> (markers: [Marker], step: Int) {
        guard limit > 0, SoundFormat(rate: rate).isValid, let count = performance.passage.count else { return ([], 1) }
        let scheduler = Scheduler(performance, rate: rate)
        let voice = performance.passage.timeline.voice
        let intervals = IntervalNames(performance)
        let first = performance.first
        let starts = (first..<count).filter { $0 == first || performance.passage.bar(of: $0).bar == 1 }
        // Rounded up.
        let step = max(starts.count / limit + (starts.count % limit > 0 ? 1 : 0), 1)
        let markers = stride(from: 0, to: starts.count, by: step).compactMap { index -> Marker? in
            let bar = performance.passage.bar(of: starts[index])
            guard
                let name = intervals.name(of: starts[index]) ?? name(of: bar, .lines, isFirst: true, voice: voice)
            else { return nil }
            return Marker(at: scheduler.position(ofBoundary: starts[index]), name: name)
        }
        return (markers, step)
    }

    private init(at position: FramePosition, name: String) {
        self.init(frame: max(position.frame + (position.fraction >= 0.5 ? 1 : 0), 0), name: name)
    }

    /// The name of a bar's marker: voice (if there are several), place, section, label, `texts`; nil if it has none.
    private static func name(
        of bar: TimedBar, _ choice: Choice, isFirst: Bool = false, voice: Score.VoiceMark, texts: [String] = []
    ) -> String? {
        guard choice == .bars || isFirst || bar.bar == 1 || !bar.label.isEmpty || !texts.isEmpty else { return nil }
        let section = bar.isSectionStart && bar.section != bar.label ? bar.section : ""
        let number = bar.printedNumber?.written ?? ""
        let all = [voice.name, "\(bar.line).\(bar.bar)", number, section, bar.label] + texts
        return all.filter { !$0.isEmpty }.joined(separator: " ")
    }
}
