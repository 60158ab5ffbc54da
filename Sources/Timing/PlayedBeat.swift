public import Scores

/// Something inside a bar: a beat of its meter, heard or not, or a click of the practice grid.
public struct PlayedBeat: Sendable, Equatable {
    /// How long after the beginning of the bar.
    public var offset: Duration
    /// How many whole notes after the beginning of the bar; nil at its beginning, and in a bar of seconds.
    public var position: Fraction?
    /// How it is heard.
    public var stress: Beat.Stress
    /// Whether it is asked for: beats of a meter are there even when nobody wants to hear them.
    public var isHeard: Bool

    /// Makes a beat.
    package init(offset: Duration, position: Fraction?, stress: Beat.Stress, isHeard: Bool) {
        self.offset = offset
        self.position = position
        self.stress = stress
        self.isHeard = isHeard
    }
}
