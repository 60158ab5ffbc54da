package import Scores

/// A click that a scheduler has handed out.
package struct ScheduledClick: Sendable, Equatable {
    package var origin: Origin
    /// When it was due.
    package var time: Duration
    /// Its place in frames; for a click that was too late, the last frame before the ones that could still be changed.
    package var position: FramePosition
    /// How it sounds; nil if it makes no sound.
    package var sound: ClickSound?
    /// Whether it makes no sound: it is muted, in a silent bar, or a moment without a click, such as a hold.
    package var isSilent = false
    /// How late it comes, because its frame could no longer be changed; one that comes more than 30 ms late is lost.
    package var late = Duration.zero
    /// Whether it does not sound: it was too late, or the sink refused it.
    package var isLost = false

    package init(
        origin: Origin, time: Duration, position: FramePosition, isSilent: Bool = false, isLost: Bool = false
    ) {
        (self.origin, self.time, self.position) = (origin, time, position)
        (self.isSilent, self.isLost) = (isSilent, isLost)
    }

    /// The part of the music that a click belongs to.
    package enum Origin: Sendable, Equatable {
        /// The count-in, with `left` clicks to go, this one included.
        case count(left: Int)
        /// Bar `index`, which boundary `boundary` begins. `inner` is 0 for its beginning, then counts inner moments.
        case bar(boundary: Int, index: Int, inner: Int)
    }
}
