internal import Scores

/// A workout: intervals and repeated groups of them, the planned pace of each kind, and its overall length.
public struct Plan: Sendable, Hashable {
    /// The title; empty for none.
    public var title: String
    /// The parts in order.
    public var parts: [Part]
    /// The pace of each kind, for intervals without a pace.
    public var paces: [Interval.Kind: Pace]
    /// The pace of which intervals can be a share, such as that of a race of an hour; nil if it is not known.
    public var threshold: Pace?
    /// How the parts repeat.
    public var length: Length
    /// The length of the count-in before the first interval, during which a voice announces that interval; nil for
    /// `standardCountIn`.
    public var countIn: Duration?

    /// The default count-in: 5 s.
    public static let standardCountIn = Duration.seconds(5)
    /// The steps per minute that are clicked while running; nil = off.
    public var cadence: Int?
    /// The texts that a voice says at times and distances of the plan, in the order in which they are written.
    public var remarks: [Remark]

    /// The range of cadences, in steps per minute.
    public static let cadenceRange = 60...300
    /// The range of repeats of a group.
    public static let countRange = 1...10_000
    /// How deep groups can be nested.
    public static let depthLimit = 16
    /// The largest number of intervals of a plan, repeats included.
    public static let rowLimit = 100_000

    /// An interval, or a repeated group.
    public indirect enum Part: Sendable, Hashable {
        /// An interval.
        case interval(Interval)
        /// Parts that are repeated, 1 or more times.
        case group(Int, [Part])
    }

    /// The overall length of a plan.
    public enum Length: Sendable, Hashable {
        /// Once through.
        case once
        /// Everything but warm-up and cool-down is repeated until the whole plan has taken this time; the last round is
        /// cut there.
        case time(Duration)
        /// The same for a distance of the whole plan.
        case distance(Distance)
        /// The plan is repeated until stopped.
        case forever
    }

    /// Makes a plan.
    public init(
        title: String = "", _ parts: [Part] = [], paces: [Interval.Kind: Pace] = [:], length: Length = .once,
        countIn: Duration? = nil, cadence: Int? = nil, remarks: [Remark] = [], threshold: Pace? = nil
    ) {
        (self.title, self.parts, self.paces) = (title, parts, paces)
        (self.length, self.countIn, self.cadence) = (length, countIn, cadence)
        (self.remarks, self.threshold) = (remarks, threshold)
    }

    /// Makes a plan of one run.
    public init(_ run: Run) { self.init([.interval(Interval(.run, .run(run)))]) }

    /// The intervals as written, each once, in order.
    public var written: [Interval] { parts.flatMap(\.written) }

    /// The known measures of an interval, with the plan's paces.
    public func extent(_ interval: Interval) -> Extent { interval.known(at: pace(besides: interval)) }

    /// The known measures of the parts, once through, without unfolding them.
    public func extent(_ parts: [Part]) -> Extent {
        parts.reduce(Extent(time: .zero, distance: .zero)) { sum, part in
            switch part {
            case .interval(let interval): sum + extent(interval)
            case .group(let count, let parts): sum + extent(parts).times(count)
            }
        }
    }
}

extension Plan.Part {
    /// The intervals as written, each once, in order.
    public var written: [Interval] {
        switch self {
        case .interval(let interval): [interval]
        case .group(_, let parts): parts.flatMap(\.written)
        }
    }

    /// The number of intervals, repeats included; at most `Plan.rowLimit` + 1.
    var rowCount: Int {
        switch self {
        case .interval: return 1
        case .group(let count, let parts):
            return min(parts.rowCount * min(max(count, 0), Plan.rowLimit + 1), Plan.rowLimit + 1)
        }
    }

    /// Whether all its intervals are of one kind.
    func isAll(_ kind: Interval.Kind) -> Bool { written.allSatisfy { $0.kind == kind } }
}

extension [Plan.Part] {
    /// The number of intervals, repeats included; at most `Plan.rowLimit` + 1.
    var rowCount: Int { reduce(0) { Swift.min($0 + $1.rowCount, Plan.rowLimit + 1) } }

    /// The rounds of a group of these parts that is repeated `count` times; none if nothing is in them.
    func rounds(_ count: Int) -> Range<Int> { 0..<(rowCount > 0 ? Swift.max(count, 0) : 0) }

    /// The parts with each interval changed.
    func mapIntervals(_ change: (Interval) -> Interval) -> [Plan.Part] {
        map { part in
            switch part {
            case .interval(let interval): .interval(change(interval))
            case .group(let count, let parts): .group(count, parts.mapIntervals(change))
            }
        }
    }
}

extension Extent {
    /// The extent repeated `count` times.
    func times(_ count: Int) -> Extent {
        let count = min(max(count, 0), 1_000_000_000)
        return Extent(
            time: time.map { Extent.clamped($0 * count) }, distance: distance.map { $0 * Double(count) },
            pace: averagePace)
    }
}
