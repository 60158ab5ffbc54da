public import Scores

/// A beat of a bar, heard or not, a part of a beat, or a click of the practice grid.
public struct PlayedBeat: Sendable, Equatable {
    /// The time after the beginning of the bar.
    public var offset: Duration
    /// The number of whole notes after the beginning of the bar; nil at the beginning, and in a bar of seconds.
    public var position: Fraction?
    /// Its stress.
    public var stress: Beat.Stress
    /// The number of the beat in its bar, from 1; nil for a part of a beat, and for a click of a grid between beats.
    public var number: Int?
    /// Whether it is heard: the beats of a meter are listed even if they are off.
    public var isHeard: Bool

    package init(offset: Duration, position: Fraction?, stress: Beat.Stress, number: Int? = nil, isHeard: Bool) {
        self.offset = offset
        self.position = position
        self.stress = stress
        self.number = number
        self.isHeard = isHeard
    }
}
