/// A text of its own that a voice says at a place of a plan.
package struct Remark: Sendable, Equatable {
    /// The place, counted from the start of the plan or of a bar at its written speed.
    package enum Place: Sendable, Equatable {
        /// A time.
        case time(Duration)
        /// A distance in meters.
        case meters(Double)
    }

    /// The place.
    package var place: Place
    /// Whether it is repeated, each time after the same time or distance.
    package var isRepeated: Bool
    /// The words.
    package var text: String
    /// The bars, by index, in each of which the place counts from their start; nil to count from the start of the plan.
    package var bars: Set<Int>?

    /// Makes a remark.
    package init(_ text: String, at place: Place, isRepeated: Bool = false, in bars: Set<Int>? = nil) {
        (self.text, self.place, self.isRepeated, self.bars) = (text, place, isRepeated, bars)
    }
}
