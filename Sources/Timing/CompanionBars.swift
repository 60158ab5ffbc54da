public import Scores

/// A bar of a companion that begins, or sounds, while a boundary's bar sounds.
public struct CompanionBar: Sendable {
    /// The companion.
    public var voice: Score.VoiceMark
    /// The bar, as in the companion's own timeline.
    public var bar: TimedBar
    /// Where it begins and ends in the passage.
    public var span: Range<Duration>
}

extension Passage {
    /// The bars of companions that begin while the bar of boundary `n` sounds, in the order of their times.
    public func companionBars(during n: Int) -> [CompanionBar] { companionBars(during: n, withEarlier: false) }

    /// The same; if `withEarlier`, after the bars that began before and still sound.
    package func companionBars(during n: Int, withEarlier: Bool) -> [CompanionBar] {
        guard !timeline.companions.isEmpty, has(boundary: n) else { return [] }
        let index = bar(of: n).index
        let span = timeline.start(ofBar: index)..<timeline.start(ofBar: index + 1)
        let (begin, speed) = (position(of: n), stretch(of: n).speed)
        var found: [CompanionBar] = []
        for companion in timeline.companions {
            let bars = companion.bars(during: span).lazy.map { companion[$0] }
            for bar in bars where withEarlier || span.moments.contains(bar.start) {
                let offset = bar.start - span.lowerBound
                // Voices that meet begin together.
                let start = offset.magnitude < SameMoment.tolerance ? begin : begin + speed.realDuration(of: offset)
                let end = begin + speed.realDuration(of: bar.start + bar.duration - span.lowerBound)
                found.append(CompanionBar(voice: companion.voice, bar: bar, span: start..<end))
            }
        }
        return found.sorted { $0.span.lowerBound < $1.span.lowerBound }
    }
}
