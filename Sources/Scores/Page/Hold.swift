/// A hold (fermata): the music stands still while the drone continues.
public struct Hold: Sendable, Hashable {
    /// Where in the bar it is.
    public var place: Place
    /// Its length at 100 % speed. For a hold until a cue, its length where no cue can be given; may be zero.
    public var length: Duration
    /// Whether live music waits until the player continues, however long that takes.
    public var waits: Bool

    /// The place of a hold, not counting the holds before it.
    public enum Place: Sendable, Hashable {
        /// At the end of the bar.
        case end
        /// This long after the beginning of the bar.
        case offset(Duration)
        /// At a beat of the bar, from 1.
        case beat(Int)
    }

    /// Makes a hold.
    public init(_ length: Duration, at place: Place = .end, waits: Bool = false) {
        (self.place, self.length, self.waits) = (place, length, waits)
    }
}
