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
        let timeline = performance.passage.timeline
        let intervals = IntervalNames(performance)
        var markers: [Marker] = []
        for n in performance.first..<count {
            let bar = performance.passage.bar(of: n)
            if let name = intervals.name(of: n)
                ?? name(of: bar, choice, isFirst: n == performance.first, in: timeline)
            {
                markers.append(Marker(at: scheduler.position(ofBoundary: n), name: name))
            }
            let span = bar.start..<max(bar.start, timeline.start(ofBar: bar.index + 1))
            for voice in [timeline] + timeline.companions {
                for hit in voice.hits(during: span) where hit.offset > .zero && !hit.hit.label.isEmpty {
                    let bar = voice[voice.bar(at: hit.time)]
                    let name = [voice.voice.name, "\(bar.line).\(bar.bar)", hit.hit.label].filter { !$0.isEmpty }
                    let position = scheduler.position(ofBoundary: n, offset: hit.time - span.lowerBound)
                    markers.append(Marker(at: position, name: name.joined(separator: " ")))
                }
            }
            for companion in performance.passage.companionBars(during: n) {
                let voice = timeline.companions.first { $0.voice == companion.voice } ?? timeline
                guard let name = name(of: companion.bar, choice, in: voice) else { continue }
                markers.append(Marker(at: scheduler.position(at: companion.span.lowerBound), name: name))
            }
            guard markers.count <= limit else { return nil }
        }
        // Within a bar, those of the other voices come after its own hits.
        return markers.enumerated().sorted { ($0.element.frame, $0.offset) < ($1.element.frame, $1.offset) }.map(
            \.element)
    }

    /// Fewer markers, for a file that cannot hold all: those of the first bars of lines, which are the rounds of the
    /// groups of a plan; if these are too many, too, every second, third ... of them. `step` is 1 for all lines.
    public static func groups(of performance: Performance, rate: Int, limit: Int) -> (markers: [Marker], step: Int) {
        guard limit > 0, SoundFormat(rate: rate).isValid, let count = performance.passage.count else { return ([], 1) }
        let scheduler = Scheduler(performance, rate: rate)
        let timeline = performance.passage.timeline
        let intervals = IntervalNames(performance)
        let first = performance.first
        let starts = (first..<count).filter { $0 == first || performance.passage.bar(of: $0).bar == 1 }
        // Rounded up.
        let step = max(starts.count / limit + (starts.count % limit > 0 ? 1 : 0), 1)
        let markers = stride(from: 0, to: starts.count, by: step).compactMap { index -> Marker? in
            let bar = performance.passage.bar(of: starts[index])
            let start = scheduler.position(ofBoundary: starts[index])
            let next = index + step < starts.count ? starts[index + step] : count
            let time = Duration.seconds(scheduler.position(ofBoundary: next).frame - start.frame) / rate
            let rounds = min(step, starts.count - index)
            guard
                let name = intervals.name(ofRounds: rounds, from: starts[index], lasting: time)
                    ?? name(of: bar, .lines, isFirst: true, in: timeline)
            else { return nil }
            return Marker(at: start, name: name)
        }
        return (markers, step)
    }

    private init(at position: FramePosition, name: String) {
        self.init(frame: max(position.frame + (position.fraction >= 0.5 ? 1 : 0), 0), name: name)
    }

    /// The name of a bar's marker: voice (if there are several), place, section, label, and the labels of hits at its
    /// beginning; nil if it has none.
    private static func name(
        of bar: TimedBar, _ choice: Choice, isFirst: Bool = false, in timeline: Timeline
    ) -> String? {
        let texts = timeline.hits(inBar: bar.index).filter { $0.offset == .zero }.map(\.hit.label)
        let isMarked = isFirst || bar.bar == 1 || !bar.label.isEmpty || !texts.allSatisfy(\.isEmpty)
        guard choice == .bars || isMarked else { return nil }
        let section = bar.isSectionStart && bar.section != bar.label ? bar.section : ""
        let number = bar.printedNumber?.written ?? ""
        let all = [timeline.voice.name, "\(bar.line).\(bar.bar)", number, section, bar.label] + texts
        return all.filter { !$0.isEmpty }.joined(separator: " ")
    }
}
