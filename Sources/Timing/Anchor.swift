public import Scores

/// Where the music stood at some time, and how fast it goes from there: time is a closed form of position.
///
/// T = A + (S - S_A) / speed. Times count from time zero, the first boundary; positions are a passage's.
public struct Anchor: Sendable, Equatable {
    /// The time A.
    public package(set) var time: Duration
    /// The position S_A.
    public package(set) var position: Duration
    /// The speed from there on.
    public package(set) var speed: Speed

    /// Makes an anchor; by default the start of the passage at time zero.
    package init(time: Duration = .zero, position: Duration = .zero, speed: Speed) {
        self.time = time
        self.position = position
        self.speed = speed
    }

    /// When `position` is played.
    public func time(of position: Duration) -> Duration {
        time + speed.realDuration(of: Anchor.held(position) - self.position)
    }

    /// What is played at `time`.
    public func position(at time: Duration) -> Duration {
        position + speed.scoreDuration(of: Anchor.held(time) - self.time)
    }

    /// Within 30 000 years, as all positions of a passage are.
    private static func held(_ duration: Duration) -> Duration {
        min(max(duration, .seconds(-1_000_000_000_000)), .seconds(1_000_000_000_000))
    }
}
