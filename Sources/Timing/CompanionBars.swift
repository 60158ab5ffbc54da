public import Scores

/// A bar of a companion that begins while a boundary's bar sounds.
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
    public func companionBars(during n: Int) -> [CompanionBar] {
        guard !timeline.companions.isEmpty, has(boundary: n) else { return [] }
        let index = bar(of: n).index
        let span = timeline.start(ofBar: index)..<timeline.start(ofBar: index + 1)
        let (begin, speed) = (position(of: n), stretch(of: n).speed)
        var found: [CompanionBar] = []
        for companion in timeline.companions {
            for bar in companion.bars(during: span).lazy.map({ companion[$0] }) where bar.start >= span.lowerBound {
                let start = begin + speed.realDuration(of: bar.start - span.lowerBound)
                let end = begin + speed.realDuration(of: bar.start + bar.duration - span.lowerBound)
                found.append(CompanionBar(voice: companion.voice, bar: bar, span: start..<end))
            }
        }
        return found.sorted { $0.span.lowerBound < $1.span.lowerBound }
    }
}

extension Timeline {
    /// The bars that sound at some time within a span that is not empty.
    package func bars(during span: Range<Duration>) -> Range<Int> {
        guard span.lowerBound < total else { return barCount..<barCount }
        let last = bar(at: span.upperBound)
        // A bar that begins where the span ends is not part of it.
        return bar(at: span.lowerBound)..<(start(ofBar: last) < span.upperBound ? last + 1 : last)
    }
}
