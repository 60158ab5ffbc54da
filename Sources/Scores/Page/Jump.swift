/// A jump at the end of a bar: D.C., D.S., to the coda, fine.
public struct Jump: Sendable, Hashable {
    /// Where the music continues.
    public var target: Target
    /// The arrivals at which the jump is taken, from 1; the repeats of a group count as one arrival, at the last pass.
    public var arrivals: Set<Int>

    /// Where a jump goes.
    public enum Target: Sendable, Hashable {
        /// To the first bar that is played (da capo).
        case start
        /// To the end of the piece (fine).
        case end
        /// To the first bar of the page with a label.
        case label(String)
    }

    /// Makes a jump, taken at the first arrival by default.
    public init(to target: Target, on arrivals: Set<Int> = [1]) {
        (self.target, self.arrivals) = (target, arrivals)
    }

    /// The maximum number of jumps taken in a piece.
    public static let limit = 10_000
    /// The valid arrivals.
    public static let arrivalRange = 1...1000
}
