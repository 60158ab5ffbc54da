/// A click that a scheduler has handed out.
public struct HandedClick: Sendable, Equatable {
    /// What it is.
    public var origin: Origin
    /// When it was due.
    public var time: Duration
    /// Where it was put; of a lost one, the last frame before those that could be changed.
    public var position: FramePosition
    /// Whether it makes no sound: muted, in a silent bar, or no click at all, such as a hold.
    public var isSilent = false
    /// Whether what was due could not be changed any more: it sounds late, by at most 30 ms.
    public var isLate = false
    /// Whether it came too late to sound at all.
    public var isLost = false

    /// Where a click comes from.
    public enum Origin: Sendable, Equatable {
        /// The count-in; so many clicks, itself included, are left.
        case count(left: Int)
        /// Bar `index` of the piece, which a boundary begins: 0 its beginning, then come its inner moments.
        case bar(boundary: Int, index: Int, inner: Int)
    }

    /// Makes a click.
    public init(_ origin: Origin, time: Duration, position: FramePosition) {
        self.origin = origin
        self.time = time
        self.position = position
    }
}
