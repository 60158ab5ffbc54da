/// The order in which boundaries are played: some bars of a timeline, once, a number of times, or until stopped.
///
/// Boundary n begins the n-th bar that is played. Positions count score time (before any speed) from the walk's
/// own start, passes laid end to end: a closed form of n, so that seeking equals playing through.
public struct Walk: Sendable {
    /// The piece.
    public let timeline: Timeline
    /// The bars of one pass.
    public let bars: Range<Int>
    /// How many passes; nil for until stopped.
    public let passes: Int?
    /// Where the first bar begins in the piece.
    public let start: Duration
    /// The duration of one pass.
    public let pass: Duration
    /// The last boundary of a pass whose bar waits for the player in live music; nil for none.
    private let waitInPass: Int?

    /// A walk through some bars of a piece, not none. `passes` is 1 or more, or nil for until stopped.
    public init(_ timeline: Timeline, bars: Range<Int>? = nil, passes: Int? = 1) {
        self.timeline = timeline
        self.bars = bars ?? 0..<timeline.barCount
        precondition(!self.bars.isEmpty && (passes ?? 1) > 0, "a walk goes somewhere")
        self.passes = passes
        start = timeline.start(ofBar: self.bars.lowerBound)
        pass = timeline.start(ofBar: self.bars.upperBound) - start
        let first = self.bars.lowerBound
        waitInPass = timeline.lastWait(below: self.bars.upperBound).flatMap { $0 >= first ? $0 - first : nil }
    }

    /// How many boundaries there are; nil without end.
    public var count: Int? { passes.map { $0 * bars.count } }

    /// The duration of all passes; nil without end.
    public var total: Duration? { passes.map { pass * $0 } }

    /// The last boundary whose bar waits for the player in live music; nil for none.
    public var lastWait: Int? {
        guard let waitInPass else { return nil }
        return passes.map { ($0 - 1) * bars.count + waitInPass } ?? .max
    }

    /// Whether boundary `n` exists.
    public func has(boundary n: Int) -> Bool { n >= 0 && count.map { n < $0 } ?? true }

    /// Where boundary `n` lies; `count` gives the end.
    public func position(of n: Int) -> Duration {
        let (whole, rest) = n.quotientAndRemainder(dividingBy: bars.count)
        return pass * whole + (timeline.start(ofBar: bars.lowerBound + rest) - start)
    }

    /// The bar that boundary `n` begins.
    public func bar(of n: Int) -> TimedBar { timeline[bars.lowerBound + n % bars.count] }

    /// Which pass boundary `n` belongs to, from 1.
    public func passNumber(of n: Int) -> Int { n / bars.count + 1 }

    /// The boundary whose bar `position` lies in: the last one at or before it; 0 before the first.
    public func boundary(at position: Duration) -> Int {
        guard position > .zero else { return 0 }
        let (whole, rest) = position.attoseconds.quotientAndRemainder(dividingBy: pass.attoseconds)
        let bar = timeline.bar(at: start + Duration(attoseconds: rest))
        let n = Int(whole) * bars.count + bar - bars.lowerBound
        return count.map { min(n, $0 - 1) } ?? n
    }
}
