internal import Languages
package import Playback
internal import Scores
internal import Timing

/// The other voices of a piece, a row for each: `harp  1.3  ████····  0.8 s  cue`.
package enum CompanionRows {
    /// The rows for at most `most` voices, each at most `columns` wide: all but the leading one, or but the one that is shown
    /// in its place.
    package static func texts(
        _ status: Status, _ heard: Moment.Bar, columns: Int, most: Int, besides own: String? = nil
    ) -> [String] {
        let timeline = status.performance.passage.timeline
        let here = heard.place(in: timeline)
        let all = [timeline] + timeline.companions
        let others = own.map { name in all.filter { $0.voice.name != name } } ?? timeline.companions
        let width = others.map(\.voice.name.columns).max() ?? 0
        return others.prefix(max(most, 0)).map { companion in
            let name = companion.voice.name.padding(to: width)
            guard here < companion.total else { return name + "  " + localized("end") }
            let bar = companion[companion.bar(meantBy: here)]
            let share = bar.duration > .zero ? (here - bar.start) / bar.duration : 1
            let left = status.speed.realDuration(of: bar.start + bar.duration - here)
            let length = status.speed.realDuration(of: bar.duration)
            let place = "\(bar.line).\(bar.bar)".padding(to: 6)
            let time = Wording.left(left, of: length).padding(before: 6)
            return "\(name)  \(place) \(Gauge.text(share, 16)) \(time) s  \(StandWording.texts(bar))"
                .cutAtWord(toColumns: columns)
        }
    }
}

/// A progress bar that grows in eighths of a column.
package enum Gauge {
    /// A bar that is `width` columns wide and filled to a share of 0 ... 1.
    package static func text(_ share: Double, _ width: Int) -> String {
        let width = max(width, 1)
        let eighths = Int((min(max(share, 0), 1) * Double(width * 8)).rounded(.down))
        let part = eighths % 8
        let partial = part == 0 ? "" : String(UnicodeScalar(0x2590 - UInt32(part)).map(Character.init) ?? " ")
        let full = String(repeating: "█", count: eighths / 8) + partial
        return full + String(repeating: "·", count: width - full.count)
    }
}
