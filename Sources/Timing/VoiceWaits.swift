internal import Scores

// Where voices wait for the player: all of them together, at the holds of each.

/// A hold until a cue of a voice.
struct VoiceWait {
    /// The time from the beginning of the piece.
    var time: Duration
    /// Whether it is at the end of its bar, so that it comes before what is heard at its time.
    var endsBar: Bool

    /// Whether it belongs to a span of the leading voice.
    func isIn(_ span: Range<Duration>) -> Bool {
        span.moments.contains(endsBar ? time - SameMoment.tolerance * 2 : time)
    }
}

extension Timeline {
    /// The holds until a cue in bar `index`.
    func waits(inBar index: Int, _ settings: InnerSettings) -> [VoiceWait] {
        let bar = self[index]
        guard !bar.written.isPlain, bar.written.details.holds.contains(where: \.waits) else { return [] }
        return moments(inBar: index, settings).compactMap { moment in
            guard case .wait = moment.kind else { return nil }
            return VoiceWait(time: bar.start + moment.offset, endsBar: moment.offset >= bar.duration)
        }
    }

    /// The last of some bars in which live music waits for the player, in whichever voice; nil if there is none.
    func lastWait(in bars: Range<Int>) -> Int? {
        let own = lastWait(below: bars.upperBound).flatMap { $0 >= bars.lowerBound ? $0 : nil }
        let span = start(ofBar: bars.lowerBound)..<start(ofBar: bars.upperBound)
        let others = companions.compactMap { voice in
            voice.lastWait(in: span).map { wait in
                let time = wait.endsBar ? wait.time - SameMoment.tolerance * 2 : wait.time
                return min(bar(meantBy: time), bars.upperBound - 1)
            }
        }
        return (others + [own].compactMap(\.self)).max()
    }

    /// The last hold until a cue in a span of the leading voice.
    private func lastWait(in span: Range<Duration>) -> VoiceWait? {
        // Where holds are does not depend on settings: a bar has the beats at which it holds.
        let settings = InnerSettings(Score(lines: []))
        var end = bars(during: span).upperBound
        while let bar = lastWait(below: end) {
            if let wait = waits(inBar: bar, settings).last(where: { $0.isIn(span) }) { return wait }
            guard start(ofBar: bar) > span.lowerBound else { return nil }
            end = bar
        }
        return nil
    }
}
