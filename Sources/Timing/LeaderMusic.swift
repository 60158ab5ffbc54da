package import Scores

/// Where the music of a leader is and how it goes on: all that a follower needs besides the score.
package struct LeaderMusic: Sendable, Equatable {
    /// When time zero is heard, by the leader's CLOCK_MONOTONIC, in ns.
    package var zero: Int64
    /// Where the music stood, and how fast it goes from there.
    package var anchor: Anchor
    /// The position at which the music stands still; nil while it goes on.
    package var paused: Duration?
    /// How long before the anchor it stands still, because it was paused in the count-in or before; zero otherwise.
    package var pausedAhead = Duration.zero
    /// Whether the music begins at a time that was set, and waits for it.
    package var isTimed = false
    /// The boundary at which it began.
    package var first = 0
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
    /// When the newest command takes effect, after time zero: until then, the music is heard as before. Nil if nobody knows.
    package var effect: Duration?
    /// How often the leader has jumped so far: after a jump, a click that has just sounded sounds again.
    package var jumps = 0
    /// Whether the leader has ended the music.
    package var hasEnded = false

    package init(zero: Int64, anchor: Anchor, stretches: [Passage.Stretch], passes: Int?) {
        (self.zero, self.anchor, self.stretches, self.passes) = (zero, anchor, stretches, passes)
    }

    /// When it stands still, after time zero; nil while it goes on.
    package var timePaused: Duration? { paused.map { anchor.time(of: $0) - pausedAhead } }

    /// Whether the music goes on as in another lead. A follower comes to a hold by itself.
    package func goesOn(like other: LeaderMusic) -> Bool {
        var mine = self
        (mine.held, mine.effect) = (other.held, other.effect)
        return mine == other
    }
}

extension LeaderMusic {
    /// Whether its end is heard before a time of the leader's CLOCK_MONOTONIC, in ns.
    package func isOver(at time: Double, of timeline: Timeline) -> Bool {
        guard !hasEnded else { return true }
        guard paused == nil, let total = Passage(timeline, stretches, passes: passes).total else { return false }
        return Double(zero) + anchor.time(of: total) / .nanoseconds(1) < time
    }
}

extension Performance {
    /// Plays what the leader plays.
    package mutating func follow(_ lead: LeaderMusic) {
        passage = Passage(passage.timeline, lead.stretches, passes: lead.passes)
        (first, waits, countIn) = (lead.first, lead.waits, lead.countIn)
    }
}
