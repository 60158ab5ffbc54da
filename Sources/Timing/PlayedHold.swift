package import Scores

/// A hold in a bar, as it is played.
public struct PlayedHold: Sendable, Equatable {
    /// From where the music stands still to where it goes on: positions, or times after the beginning of the bar.
    public var span: Range<Duration>
    /// Whether it lasts until the player goes on; otherwise it ends by itself.
    public var waits: Bool

    package init(span: Range<Duration>, waits: Bool) {
        (self.span, self.waits) = (span, waits)
    }
}

extension Performance {
    /// The holds in the bar of boundary `n`, by positions in the passage. Holds that follow each other at one place are
    /// one, unless the player ends one of them.
    package func holds(inBar n: Int) -> [PlayedHold] {
        holds(
            of: passage.bar(of: n), in: passage.timeline, from: passage.position(of: n),
            at: passage.stretch(of: n).speed)
    }

    /// The holds in a bar of a voice that begins at a position and sounds at a speed.
    package func holds(of bar: TimedBar, in voice: Timeline, from start: Duration, at speed: Speed) -> [PlayedHold] {
        guard !bar.written.isPlain, !bar.written.details.holds.isEmpty else { return [] }
        func position(_ offset: Duration) -> Duration { start + speed.realDuration(of: offset) }
        var found: [PlayedHold] = []
        for hold in voice.holds(inBar: bar.index, inner) {
            let span = position(hold.span.lowerBound)..<position(hold.span.upperBound)
            if hold.waits && waits {
                found.append(PlayedHold(span: span, waits: true))
            } else if let last = found.last, !last.waits, last.span.upperBound == span.lowerBound {
                found[found.count - 1].span = last.span.lowerBound..<span.upperBound
            } else if !span.isEmpty {
                found.append(PlayedHold(span: span, waits: false))
            }
        }
        return found
    }
}

extension Timeline {
    /// The holds of bar `index` as written, by times after its beginning, in order.
    package func holds(inBar index: Int, _ settings: InnerSettings) -> [PlayedHold] {
        guard layout.hasHolds, let (beats, details) = barBeats(index, settings) else { return [] }
        return beats.placed(details.holds).map { _, begin, hold in
            PlayedHold(span: begin..<begin + hold.length, waits: hold.waits)
        }
    }
}
