/// A click that a scheduler has handed out.
public struct HandedClick: Sendable, Equatable {
    /// The boundary; below zero a count so many before the start.
    public var click: Int
    /// What of its bar: 0 is the beginning, then come its inner moments.
    public var inner = 0
    /// Which bar of the piece it is; 0 for a count.
    public var bar = 0
    /// When it was due.
    public var time: Duration
    /// Where it was put.
    public var position: FramePosition
    /// Whether what was due had been rendered already: it sounds late, by at most 30 ms.
    public var isLate = false
    /// Whether it came too late to sound at all.
    public var isLost = false
}
