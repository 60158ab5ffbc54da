package import Scores

/// What the signals around a bar depend on, besides the settings, for those who give them by themselves.
package struct BarCues: Sendable {
    /// Whether it is an interval of a plan.
    package var isPlan: Bool
    /// Whether a section begins with it.
    package var isSectionStart: Bool
    /// Whether all its clicks are off.
    package var isRest: Bool
    /// How much louder than others its own clicks are, in dB.
    package var decibels: Double
    /// Its own warning; nil for the usual one.
    package var warning: Score.Lead?
    /// Its holds that have a length, those at one place as one.
    package var holds: [Hold]
    /// The beats by which entries are warned of; empty without any.
    package var beats: [Duration]

    /// A hold, by times after the beginning of its bar.
    package struct Hold: Sendable {
        package var begin, end: Duration
        /// Whether the next bar is heard at its end.
        package var endsBar: Bool
        /// Whether it lasts until a cue, where one can be given.
        package var waits: Bool
    }
}

extension Timeline {
    /// What the signals around bar `index` depend on; its beats only where there can be warnings of entries.
    package func cues(ofBar index: Int, _ performance: Performance) -> BarCues {
        let bar = self[index]
        let details = bar.written.isPlain ? nil : bar.written.details
        let holds = heldTimes(inBar: index, performance.inner).filter { $0.end > $0.begin }
        return BarCues(
            isPlan: bar.announcement != nil, isSectionStart: bar.isSectionStart,
            isRest: details?.click?.isSilent ?? false, decibels: details?.click?.decibels ?? 0,
            warning: details?.warning?.clamped,
            holds: holds.map { BarCues.Hold(begin: $0.begin, end: $0.end, endsBar: $0.endsBar, waits: $0.waits) },
            beats: performance.warns ? countedBeats(inBar: index, performance.inner).map(\.offset) : [])
    }
}

extension Performance {
    /// The holds of the bar of boundary `n` at which live music waits for the player: how long after the beginning of the
    /// bar, and how long they are nominally.
    package func waits(inBar n: Int) -> [(offset: Duration, length: Duration)] {
        ScheduledBar(n, self).moments.compactMap { moment in moment.wait.map { (moment.offset, $0) } }
    }
}
