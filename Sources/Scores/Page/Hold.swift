/// A hold (fermata): the music stands still, the drone goes on.
public struct Hold: Sendable, Hashable {
    /// Where in the bar.
    public var place: Place
    /// How long, at 100 % speed; of a hold until a cue, what it counts for where nobody gives the cue, or nothing.
    public var length: Duration
    /// Whether live music stands until the player goes on, however long that takes.
    public var waits: Bool

    /// Where a hold stands, counted without the holds before it.
    public enum Place: Sendable, Hashable {
        /// At the end of the bar.
        case end
        /// So long after the beginning of the bar.
        case offset(Duration)
        /// At a beat of the bar, from 1.
        case beat(Int)
    }

    /// Makes a hold.
    public init(_ length: Duration, at place: Place = .end, waits: Bool = false) {
        self.place = place
        self.length = length
        self.waits = waits
    }
}
