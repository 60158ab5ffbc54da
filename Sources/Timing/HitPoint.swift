public import Scores

/// A hit point of a score in its place, and the tempo that meets it.
public struct HitPoint: Sendable {
    /// The hit as written.
    public var hit: Hit
    /// The index of its bar as it is first played.
    public var bar: Int
    /// The time from the beginning of its bar to it.
    public var offset: Duration
    /// The distance from the beginning of its bar in whole notes; nil at the beginning.
    public var position: Fraction?
    /// The time of the hit from the start of the score, at 100 % speed.
    public var time: Duration
    /// The tempi from the hit before up to this one; nil if no bar between them has a tempo.
    public var tempi: Tempi?

    /// The tempi of a stretch.
    public struct Tempi: Sendable {
        /// The tempi at the beginning and at the end as written; nil if the score has none.
        public var wished: (first: Tempo, last: Tempo)?
        /// The tempo that sounds at the beginning.
        public var first: Tempo
        /// The tempo that sounds at the end.
        public var last: Tempo

        /// How much faster the tempo sounds than written where they differ most: 0.02 is 2%; nil if none is written.
        public var change: Double? {
            guard wished != nil else { return nil }
            let (wished, fitted) = farthest
            return fitted.wholeNotes.value / wished.wholeNotes.value - 1
        }

        /// The end at which the tempi differ most: as it is written, and as it sounds.
        package var farthest: (wished: Tempo, fitted: Tempo) {
            let wished = wished ?? (first, last)
            func distance(_ one: Tempo, _ two: Tempo) -> Double {
                let ratio = one.wholeNotes.value / two.wholeNotes.value
                return max(ratio, 1 / ratio)
            }
            return distance(wished.last, last) >= distance(wished.first, first)
                ? (wished.last, last) : (wished.first, first)
        }
    }
}

extension Tempo {
    /// The tempo for people, to two decimals: `1/4 = 96.35`.
    package var shown: String { "\(value.noteText) = \(rate.value.roundedText)" }
}
