// The state of a scheduler's music, as types that cannot contradict each other.

/// What the player has decided about the music.
enum SchedulerPhase: Sendable {
    /// Nothing has sounded: the count-in or the first bar begins at its time, but not before frame `earliest`.
    case waiting(earliest: Int64, next: SchedulerCursor)
    /// The music goes on: it counts in, plays, or holds.
    case going(next: SchedulerCursor)
    /// The music stands still.
    case paused(SchedulerStop, next: SchedulerCursor)
    /// The music has ended, and only the drone's fade is left.
    case ending(SchedulerStop)
}

/// The next part to be handed out.
package enum SchedulerCursor: Sendable, Equatable {
    /// A click of the count-in, with `left` clicks to go.
    case count(left: Int)
    /// The bar of a boundary: `inner` is 0 for its beginning, then counts its inner moments.
    case bar(Int, inner: Int)
    /// Nothing: live music waits for the player, and then goes on inside bar `bar`.
    case hold(HeldMusic, bar: Int, inner: Int)
}

/// Where the music was stopped.
struct SchedulerStop: Sendable, Equatable {
    /// The first frame that is not played.
    var frame: Int64
    /// The time of that frame.
    var time: Duration
    /// The frame before which the music could not have begun; nil if it had begun.
    var earliestBegin: Int64?
}

/// A hold at which live music waits for the player.
public struct HeldMusic: Sendable, Equatable {
    /// The boundary whose bar the hold is in.
    public var boundary: Int
    /// The position at which the music stands.
    public var position: Duration
    /// The nominal length of the hold, as score time: the music goes on after it.
    public var length: Duration

    package init(boundary: Int, position: Duration, length: Duration) {
        (self.boundary, self.position, self.length) = (boundary, position, length)
    }
}

/// The state of the music at one moment.
package enum MusicState: Sendable, Equatable {
    /// Nothing has sounded yet.
    case waiting
    /// The count-in.
    case countingIn
    /// A bar sounds.
    case playing
    /// The music waits until the player goes on.
    case holding(HeldMusic)
    /// The player has paused it.
    case paused
    /// The player has ended it.
    case ending
}
