public import Scores

/// A beat of a bar's meter, heard or not, or a click of the practice grid.
public struct PlayedBeat: Sendable, Equatable {
    /// The time after the beginning of the bar.
    public var offset: Duration
    /// The number of whole notes after the beginning of the bar; nil at the beginning, and in a bar of seconds.
    public var position: Fraction?
    /// Its stress.
    public var stress: Beat.Stress
    /// Whether it is heard: the beats of a meter are listed even if they are off.
    public var isHeard: Bool

    /// Makes a beat.
    package init(offset: Duration, position: Fraction?, stress: Beat.Stress, isHeard: Bool) {
        self.offset = offset
        self.position = position
        self.stress = stress
        self.isHeard = isHeard
    }
}
