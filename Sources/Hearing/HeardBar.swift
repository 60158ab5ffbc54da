/// A bar of a score in a take.
package struct HeardBar: Sendable, Equatable {
    /// Its index among the bars of the score, from 0.
    package var bar: Int
    /// When it begins, in seconds from the start of the take; nil if no note was heard at its beginning.
    package var seconds: Double?
    /// How probable it is that it begins there: 0 ... 1.
    package var confidence: Double
    /// Whether the player stopped before it and began again with it.
    package var isRestart: Bool

    /// Bars of at least this confidence are sure.
    package static let sure = 0.9

    package init(bar: Int, seconds: Double?, confidence: Double, isRestart: Bool = false) {
        (self.bar, self.seconds, self.confidence, self.isRestart) = (bar, seconds, confidence, isRestart)
    }

    /// Whether it was heard, and its place is sure.
    package var isSure: Bool { seconds != nil && confidence >= HeardBar.sure }
}

extension [HeardBar] {
    /// How long the bar at `index` was held: until the next bar begins. Nil if one of them was not heard, or if the player
    /// stopped in between.
    package func held(_ index: Int) -> Double? {
        guard index + 1 < count, !self[index + 1].isRestart, self[index + 1].bar == self[index].bar + 1,
            let start = self[index].seconds, let end = self[index + 1].seconds
        else { return nil }
        return end - start
    }

    /// Whether both ends of the bar at `index` are sure.
    package func isHeldSure(_ index: Int) -> Bool {
        held(index) != nil && self[index].isSure && self[index + 1].isSure
    }
}
