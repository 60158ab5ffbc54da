/// A click that a scheduler has handed out.
package struct ScheduledClick: Sendable, Equatable {
    /// What it is.
    package var origin: Origin
    /// When it was due.
    package var time: Duration
    /// Where it was put; of a lost one, the last frame before those that could be changed.
    package var position: FramePosition
    /// Whether it makes no sound: muted, in a silent bar, or no click at all, such as a hold.
    package var isSilent = false
    /// Whether what was due could not be changed any more: it sounds late, by at most 30 ms.
    package var isLate = false
    /// Whether it came too late to sound at all.
    package var isLost = false

    /// Where a click comes from.
    package enum Origin: Sendable, Equatable {
        /// The count-in; so many clicks, itself included, are left.
        case count(left: Int)
        /// Bar `index` of the piece, which a boundary begins: 0 its beginning, then come its inner moments.
        case bar(boundary: Int, index: Int, inner: Int)
    }

    /// Makes a click.
    package init(_ origin: Origin, time: Duration, position: FramePosition) {
        self.origin = origin
        self.time = time
        self.position = position
    }
}
