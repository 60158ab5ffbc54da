public import Scores

/// The position of the music at one time, and its speed from there: time is a closed form of position.
///
/// T = A + (S - S_A) / speed. Times count from time zero, the first boundary; positions count in the passage.
public struct Anchor: Sendable, Equatable {
    /// The time A.
    public package(set) var time: Duration
    /// The position S_A.
    public package(set) var position: Duration
    /// The speed from there on.
    public package(set) var speed: Speed

    /// Makes an anchor; by default the start of the passage at time zero.
    package init(time: Duration = .zero, position: Duration = .zero, speed: Speed) {
        (self.time, self.position, self.speed) = (time, position, speed)
    }

    /// The time at which `position` is played.
    public func time(of position: Duration) -> Duration {
        time + speed.realDuration(of: Anchor.clamped(position) - self.position)
    }

    /// The position that is played at `time`.
    public func position(at time: Duration) -> Duration {
        position + speed.scoreDuration(of: Anchor.clamped(time) - self.time)
    }

    /// Clamped to 30 000 years, the range of all positions of a passage.
    private static func clamped(_ duration: Duration) -> Duration {
        min(max(duration, .seconds(-1_000_000_000_000)), .seconds(1_000_000_000_000))
    }
}
