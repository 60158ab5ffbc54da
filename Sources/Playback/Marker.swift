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
            if let name = name(of: bar, choice, isFirst: n == 0, voice: performance.passage.timeline.voice) {
                markers.append(Marker(at: scheduler.position(ofBoundary: n), name: name))
            }
            for companion in performance.passage.companionBars(during: n) {
                guard let name = name(of: companion.bar, choice, voice: companion.voice) else { continue }
                markers.append(Marker(at: scheduler.position(at: companion.span.lowerBound), name: name))
            }
            guard markers.count <= limit else { return nil }
        }
        return markers
    }

    private init(at position: FramePosition, name: String) {
        self.init(frame: max(position.frame + (position.fraction >= 0.5 ? 1 : 0), 0), name: name)
    }

    /// The name of a bar's marker: its voice if there are several, its place, section and label; nil if the bar is not
    /// marked.
    private static func name(
        of bar: TimedBar, _ choice: Choice, isFirst: Bool = false, voice: Score.VoiceMark
    ) -> String? {
        guard choice == .bars || isFirst || bar.bar == 1 || !bar.label.isEmpty else { return nil }
        let section = bar.isSectionStart && bar.section != bar.label ? bar.section : ""
        return [voice.name, "\(bar.line).\(bar.bar)", section, bar.label].filter { !$0.isEmpty }.joined(separator: " ")
    }
}
