// What the music of a scheduler is doing: states that cannot contradict each other.

/// What the player has decided about the music.
enum SchedulerPhase: Sendable {
    /// Nothing has sounded: the count-in or the first bar comes at its time, though not before a frame.
    case waiting(earliest: Int64, next: SchedulerCursor)
    /// The music goes on: it counts in, plays, or holds.
    case going(next: SchedulerCursor)
    /// The music stands still.
    case paused(SchedulerStop, next: SchedulerCursor)
    /// The music has ended, and only the drone's fade is left.
    case ending(SchedulerStop)
}

/// What is handed out next.
enum SchedulerCursor: Sendable, Equatable {
    /// A click of the count-in; so many are left.
    case count(left: Int)
    /// A boundary's bar: 0 its beginning, then come its inner moments.
    case bar(Int, inner: Int)
    /// Nothing: live music waits for the player, and then goes on inside a bar.
    case hold(HeldMusic, bar: Int, inner: Int)
}

/// Where the music was stopped.
struct SchedulerStop: Sendable, Equatable {
    /// The first frame that it left out.
    var frame: Int64
    /// The time of that frame.
    var time: Duration
    /// Where nothing had sounded yet: the frame before which it could not have begun.
    var earliestBegin: Int64?
}

/// What leads to the anchor: clicks that count to a boundary, or nothing.
struct CountIn: Sendable, Equatable {
    /// How long it takes; zero for none.
    var length: Duration
    /// The boundary that it leads to.
    var target: Int

    /// How many clicks count: whole seconds, and one for a count-in below a second.
    private var clicks: Int { length > .zero ? max(Int(length.components.seconds), 1) : 0 }

    /// What is handed out first.
    var cursor: SchedulerCursor { clicks > 0 ? .count(left: clicks) : .bar(target, inner: 0) }

    /// How long before its end the click sounds after which so many, itself included, are left.
    func lead(left: Int) -> Duration { min(.seconds(left), length) }
}

/// Where live music waits for the player.
public struct HeldMusic: Sendable, Equatable {
    /// The boundary whose bar it is.
    public var boundary: Int
    /// The position at which it stands.
    public var position: Duration
    /// How much of the score the hold takes: the music goes on after it.
    public var length: Duration

    /// Makes one.
    package init(boundary: Int, position: Duration, length: Duration) {
        self.boundary = boundary
        self.position = position
        self.length = length
    }
}

/// What the music does at one moment.
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
