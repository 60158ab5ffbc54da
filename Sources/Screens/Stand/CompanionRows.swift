internal import Languages
internal import Playback
internal import Scores
internal import Timing

/// The other voices of a piece, a row for each: `harp  1.3  ████····  0.8 s  cue`.
enum CompanionRows {
    /// The rows for at most `most` voices, each at most `columns` wide.
    static func texts(_ status: Status, _ heard: Moment.Bar, columns: Int, most: Int) -> [String] {
        let timeline = status.performance.passage.timeline
        let here = heard.place(in: timeline)
        let width = timeline.companions.map(\.voice.name.columns).max() ?? 0
        return timeline.companions.prefix(max(most, 0)).map { companion in
            let name = companion.voice.name.padding(to: width)
            guard here < companion.total else { return name + "  " + localized("end") }
            let bar = companion[companion.bar(at: here)]
            let share = bar.duration > .zero ? (here - bar.start) / bar.duration : 1
            let left = status.speed.realDuration(of: bar.start + bar.duration - here)
            let place = "\(bar.line).\(bar.bar)".padding(to: 6)
            let texts = [bar.label, bar.cue].filter { !$0.isEmpty }.joined(separator: "  ")
            let row = "\(name)  \(place) \(Gauge.text(share, 16)) \(Wording.left(left).padding(before: 6)) s  \(texts)"
            return row.cut(toColumns: columns)
        }
    }
}
