internal import Languages
public import Scores

/// A plan laid out: all intervals in the order in which they are done, with running totals.
public struct PlanTable: Sendable, Equatable {
    /// The intervals, with repeats unfolded.
    public private(set) var rows: [Row] = []
    /// Their sum.
    public private(set) var total = Extent(time: .zero, distance: .zero)
    /// Whether it repeats from the start until stopped.
    public private(set) var isEndless = false

    /// One interval of the table.
    public struct Row: Sendable, Equatable {
        /// Its number, from 1.
        public var number: Int
        /// The number of its set, from 1: a round of a group, or of the whole.
        public var set: Int
        /// The interval.
        public var interval: Interval
        /// The index of the written interval that it comes from, from 0.
        public var written: Int
        /// Its known measures.
        public var extent: Extent
        /// The time when it begins; nil if unknown.
        public var start: Duration?
        /// The total up to its end.
        public var total: Extent
        /// The distance where it begins; nil if unknown.
        package var before: Distance?
        /// Whether the total time follows from times that were given, and not from paces.
        package fileprivate(set) var isTimeGiven: Bool
    }

    /// Lays out a plan. Errors: too many intervals; a length in time or distance when that is unknown for an interval;
    /// a length that is used up by warm-up and cool-down; nothing to repeat.
    public init(_ plan: Plan) throws(PlanError) {
        guard !plan.parts.isEmpty else { throw .empty }
        let (head, body, tail) = plan.frame
        let offsets = (head.flatMap(\.written).count, (head + body).flatMap(\.written).count)
        switch plan.length {
        case .once, .forever:
            isEndless = plan.length == .forever
            try append(plan.parts, written: 0, of: plan)
        case .time, .distance:
            try append(head, written: 0, of: plan)
            let rest = try plan.length.left(after: plan.extent(head) + plan.extent(tail), in: plan)
            try append(body, written: offsets.0, until: rest, of: plan)
            try append(tail, written: offsets.1, of: plan)
        }
        if let time = total.time, time > Score.durationLimit { throw .tooLong }
    }

    private mutating func append(_ parts: [Plan.Part], written: Int, of plan: Plan) throws(PlanError) {
        guard rows.count + parts.rowCount <= Plan.rowLimit else { throw .tooManyRows }
        // A round of a top-level group is a set, and so are the intervals between two groups.
        var written = written
        var isLoose = false
        for part in parts {
            switch part {
            case .interval(let interval):
                append(interval, written, newSet: !isLoose, plan)
                isLoose = true
                written += 1
            case .group(let count, let parts):
                for _ in parts.rounds(count) {
                    var isFirst = true
                    Plan.unfold(parts, written) { interval, index in
                        append(interval, index, newSet: isFirst, plan)
                        isFirst = false
                    }
                }
                isLoose = false
                written += part.written.count
            }
        }
    }

    /// Repeats the parts until `rest` is used up, and cuts the last interval there. Each round is a set.
    private mutating func append(
        _ parts: [Plan.Part], written: Int, until rest: Plan.Length, of plan: Plan
    ) throws(PlanError) {
        var round: [(Interval, Int)] = []
        guard parts.rowCount <= Plan.rowLimit else { throw .tooManyRows }
        Plan.unfold(parts, written) { round.append(($0, $1)) }
        guard !round.isEmpty else { throw .nothingRepeats }
        var left = rest
        while true {
            var hasProgress = false
            for (place, (interval, index)) in round.enumerated() {
                guard let piece = plan.piece(of: interval, within: &left) else { return }
                guard rows.count < Plan.rowLimit else { throw .tooManyRows }
                hasProgress = hasProgress || piece.isProgress
                append(piece.interval, index, newSet: place == 0, plan)
            }
            guard hasProgress else { throw .nothingRepeats }
        }
    }

    private mutating func append(_ interval: Interval, _ written: Int, newSet: Bool, _ plan: Plan) {
        let extent = plan.extent(interval)
        let (start, before) = (total.time, total.distance)
        total = total + extent
        // A length in distance is full at a time that follows from paces, also if that cuts an interval for a time.
        let isGiven = rows.last?.isTimeGiven ?? !plan.length.isDistance
        rows.append(
            Row(
                number: rows.count + 1, set: (rows.last?.set ?? 0) + (newSet ? 1 : 0), interval: interval,
                written: written, extent: extent, start: start, total: total, before: before,
                isTimeGiven: isGiven && interval.measure.isTimeGiven))
    }

    /// Whether the total time was given, and does not follow from paces.
    package var isTimeGiven: Bool { rows.last?.isTimeGiven ?? false }

    /// Takes the total time as given: it is the goal from which the paces follow.
    package mutating func takeTimeAsGiven() {
        if !rows.isEmpty { rows[rows.count - 1].isTimeGiven = true }
    }
}

extension Plan {
    /// The plan in three pieces: warm-ups at the start, the parts that repeat, and cool-downs at the end.
    var frame: (head: [Part], body: [Part], tail: [Part]) {
        let head = parts.prefix { $0.isAll(.warmUp) }
        let rest = parts[head.endIndex...]
        let tail = rest.reversed().prefix { $0.isAll(.coolDown) }.reversed()
        return (Array(head), Array(rest.dropLast(tail.count)), Array(tail))
    }

    /// Calls `body` with every interval in order, with repeats unfolded, and its index among the written ones.
    static func unfold(_ parts: [Part], _ written: Int, _ body: (Interval, Int) -> Void) {
        var written = written
        for part in parts {
            switch part {
            case .interval(let interval): body(interval, written)
            case .group(let count, let parts): for _ in parts.rounds(count) { unfold(parts, written, body) }
            }
            written += part.written.count
        }
    }

    /// Takes an interval, or the part of it that fits, out of `left`; nil if nothing is left.
    fileprivate func piece(
        of interval: Interval, within left: inout Length
    ) -> (interval: Interval, isProgress: Bool)? {
        let extent = extent(interval)
        switch left {
        case .time(let rest):
            guard rest >= Run.timeRange.lowerBound, let time = extent.time else { return nil }
            left = .time(rest - time)
            return (time <= rest ? interval : interval.cut(to: rest, at: extent.pace), true)
        case .distance(let rest):
            // A remainder this small is the rounding of a sum of many distances.
            guard rest.meters > 1e-6, let distance = extent.distance else { return nil }
            // As with a time, what takes less than a millisecond is left out.
            if let pace = extent.pace, pace.time(for: rest) < Run.timeRange.lowerBound { return nil }
            left = .distance(rest - distance)
            let fits = distance.meters <= rest.meters + 1e-6
            return (fits ? interval : interval.cut(to: rest, at: extent.pace), distance > .zero)
        case .once, .forever:
            return nil
        }
    }
}

extension Interval.Measure {
    /// Whether its time was given, and does not follow from a pace.
    var isTimeGiven: Bool {
        switch self {
        case .time: true
        case .distance, .open: false
        case .run(let run): run.result != .time
        }
    }

    /// Whether the interval ends after a distance: of distance and time, the one that is given decides.
    package var endsByDistance: Bool {
        switch self {
        case .time, .open: false
        case .distance: true
        case .run(let run): run.result != .distance
        }
    }
}

extension Interval {
    fileprivate func cut(to time: Duration, at pace: Pace?) -> Interval {
        var cut = self
        let own: Pace? =
            switch measure {
            case .time: nil
            case .open(let end): end.pace
            case .distance, .run: effort?.isPace ?? false ? nil : pace
            }
        cut.measure = own.flatMap { try? Run(time, at: $0) }.map { .run($0) } ?? .time(time)
        return cut
    }

    fileprivate func cut(to distance: Distance, at pace: Pace?) -> Interval {
        var cut = self
        let isForTime =
            switch measure {
            case .time: true
            case .open(let end): end.pace == nil
            case .distance, .run: false
            }
        if isForTime, let pace {
            // An interval for a time stays one, so that it is announced as such. A whole number of microseconds is
            // exact to some micrometers.
            cut.measure = .time(.microseconds((pace.time(for: distance).inSeconds * 1e6).rounded()))
        } else {
            let own = effort?.isPace ?? false ? nil : pace
            cut.measure = own.flatMap { try? Run(distance, at: $0) }.map { .run($0) } ?? .distance(distance)
        }
        return cut
    }
}

extension Plan.Length {
    fileprivate var isDistance: Bool { if case .distance = self { true } else { false } }

    /// The length minus `fixed`. The measure must be known for every interval of the plan.
    fileprivate func left(after fixed: Extent, in plan: Plan) throws(PlanError) -> Plan.Length {
        switch self {
        case .time(let all):
            try plan.checkTimes()
            guard let fixed = fixed.time, fixed < all else { throw .lengthUsedUp }
            return .time(all - fixed)
        case .distance(let all):
            try plan.checkDistances()
            guard let fixed = fixed.distance, fixed < all else { throw .lengthUsedUp }
            return .distance(all - fixed)
        case .once, .forever: return self
        }
    }
}

/// The error for a plan that cannot be laid out, filled or played.
public enum PlanError: Error, Equatable, CustomStringConvertible {
    /// There is no interval.
    case empty
    /// Repeats make more than `Plan.rowLimit` intervals.
    case tooManyRows
    /// It lasts more than 10 000 h.
    case tooLong
    /// The time of this written interval is unknown: a distance without a pace.
    case noTime(Int)
    /// The distance of this written interval is unknown: a time without a pace.
    case noDistance(Int)
    /// The pace of this written interval is a share of a threshold that the plan does not have.
    case noThreshold(Int)
    /// This written interval lasts until the lap button, and nobody said how long that is about.
    case open(Int)
    /// Warm-up and cool-down alone use up the length of the plan.
    case lengthUsedUp
    /// There is nothing to repeat.
    case nothingRepeats
    /// No pace solves it; with the reason.
    case noPace(String)
    /// It repeats until stopped.
    case endless

    /// The index of the written interval with the error, from 0; nil for the whole plan.
    public var written: Int? {
        switch self {
        case .noTime(let index), .noDistance(let index), .noThreshold(let index), .open(let index): index
        default: nil
        }
    }

    /// The error as a text for people.
    public var textError: TextError {
        switch self {
        case .empty:
            TextError(localized("the plan has no interval"), hint: localized("for example 10x(run 0:30, walk 0:30)"))
        case .tooManyRows: TextError(localized("a plan has at most 100 000 intervals with its repeats"))
        case .tooLong: TextError(localized("the plan lasts more than 10 000 h"))
        case .noTime:
            TextError(
                localized("the time of this interval is unknown"),
                hint: localized("give it a pace, as in 400m @ 5:00/km, or set one for its kind, as in run: 5:00/km"))
        case .noDistance:
            TextError(
                localized("the distance of this interval is unknown"),
                hint: localized("give it a pace, as in 0:30 @ 5:00/km, or set one for its kind, as in run: 5:00/km"))
        case .noThreshold:
            TextError(
                localized("the pace of this interval is a share of a threshold that is unknown"),
                hint: localized("write threshold: 5:00/km in the plan, or give it with --threshold"))
        case .open:
            TextError(
                localized("this interval lasts until the lap button, so its time is unknown"),
                hint: localized(
                    "say how long it takes about, as in rest until lap about 2:00, or for all with --open 2:00"))
        case .lengthUsedUp: TextError(localized("warm-up and cool-down alone fill the length of the plan"))
        case .nothingRepeats: TextError(localized("there is nothing to repeat between warm-up and cool-down"))
        case .noPace(let why): TextError(why)
        case .endless:
            TextError(localized("the plan goes on forever"), hint: localized("give a length, as in for 2:00:00"))
        }
    }

    /// The error as a phrase without a full stop.
    public var description: String { textError.description }
}
