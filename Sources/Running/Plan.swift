internal import Scores

/// A workout: intervals and groups of them that repeat, the planned pace of each kind, and how long all of it goes on.
public struct Plan: Sendable, Hashable {
    /// The title; empty for none.
    public var title: String
    /// The parts in order.
    public var parts: [Part]
    /// The pace of each kind, for intervals that have none of their own.
    public var paces: [Interval.Kind: Pace]
    /// Whether and how the parts repeat.
    public var length: Length
    /// How long clicks count before the first interval; what that is is said meanwhile.
    public var countIn: Duration

    /// The count-in of a plan that says nothing: 5 s.
    public static let standardCountIn = Duration.seconds(5)
    /// Steps a minute to click in what is run; nil for none.
    public var cadence: Int?

    /// The steps a minute that can be asked for.
    public static let cadenceRange = 60...300
    /// How often a group can be played.
    public static let countRange = 1...10_000
    /// How deep groups can stand in each other.
    public static let depthLimit = 16
    /// The most intervals of a plan, repeats counted.
    public static let rowLimit = 100_000

    /// An interval, or a group that is repeated.
    public indirect enum Part: Sendable, Hashable {
        /// An interval.
        case interval(Interval)
        /// Parts that are done so many times, 1 or more.
        case group(Int, [Part])
    }

    /// How long a plan goes on.
    public enum Length: Sendable, Hashable {
        /// Once through.
        case once
        /// All but warm-up and cool-down again and again until everything has taken so long, the last round cut there.
        case time(Duration)
        /// The same for a distance.
        case distance(Distance)
        /// Again and again until stopped.
        case forever
    }

    /// Makes a plan.
    public init(
        title: String = "", _ parts: [Part] = [], paces: [Interval.Kind: Pace] = [:], length: Length = .once,
        countIn: Duration = standardCountIn, cadence: Int? = nil
    ) {
        (self.title, self.parts, self.paces) = (title, parts, paces)
        (self.length, self.countIn, self.cadence) = (length, countIn, cadence)
    }

    /// A plan of one run.
    public init(_ run: Run) { self.init([.interval(Interval(.run, .run(run)))]) }

    /// The intervals as written, each once, in order.
    public var written: [Interval] { parts.flatMap(\.written) }

    /// What is known of an interval with the plan's paces.
    public func extent(_ interval: Interval) -> Extent { interval.known(at: paces[interval.kind]) }

    /// What is known of the parts, once through, without laying them out.
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

    /// How many intervals it has, repeats counted; held at `Plan.rowLimit` + 1.
    var rowCount: Int {
        switch self {
        case .interval: return 1
        case .group(let count, let parts):
            let sum = parts.reduce(0) { min($0 + $1.rowCount, Plan.rowLimit + 1) }
            return min(sum * min(max(count, 0), Plan.rowLimit + 1), Plan.rowLimit + 1)
        }
    }

    /// Whether all of it is of one kind.
    func isAll(_ kind: Interval.Kind) -> Bool { written.allSatisfy { $0.kind == kind } }
}

extension Extent {
    /// The same so many times.
    func times(_ count: Int) -> Extent {
        let count = min(max(count, 0), 1_000_000_000)
        return Extent(
            time: time.map { Extent.held($0 * count) }, distance: distance.map { $0 * Double(count) }, pace: averagePace
        )
    }
}
