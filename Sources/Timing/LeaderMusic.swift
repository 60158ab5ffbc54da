package import Scores

/// Where the music of a leader is and how it goes on: all that a follower needs besides the score.
package struct LeaderMusic: Sendable, Equatable {
    /// When time zero is heard, by the leader's CLOCK_MONOTONIC, in ns.
    package var zero: Int64
    /// Where the music stood, and how fast it goes from there.
    package var anchor: Anchor
    /// The position at which the music stands still; nil while it goes on.
    package var paused: Duration?
    /// Where the music waits for the player; nil if no such place is known yet.
    package var held: HeldMusic?
    /// Whether a count-in leads to the anchor.
    package var countsIn = false
    package var countIn = Score.Lead.off
    /// Whether the music waits at holds.
    package var waits = false
    /// The stretches that are played, and how many times; nil for until stopped.
    package var stretches: [Passage.Stretch]
    package var passes: Int?
    /// Whether the leader has ended the music.
    package var hasEnded = false

    package init(zero: Int64, anchor: Anchor, stretches: [Passage.Stretch], passes: Int?) {
        (self.zero, self.anchor, self.stretches, self.passes) = (zero, anchor, stretches, passes)
    }

    /// Whether the music goes on as in another lead. A follower comes to a hold by itself.
    package func goesOn(like other: LeaderMusic) -> Bool {
        var mine = self
        mine.held = other.held
        return mine == other
    }
}
