internal import Languages
public import Scores

/// A run in splits: equal distances, each with a time that can be changed on its own.
public struct Splits: Sendable, Equatable {
    /// The splits in order; the last one may be shorter.
    public private(set) var rows: [Row] = []
    /// Whether the finish follows from times that were given, and not from paces.
    private let isFinishGiven: Bool

    /// One split.
    public struct Row: Sendable, Equatable {
        /// Its number, from 1.
        public var number: Int
        /// Its distance.
        public var distance: Distance
        /// Its time.
        public var time: Duration
        /// The distance from the start of the run to its end.
        public var totalDistance: Distance
        /// The time from the start of the run to its end.
        public var totalTime: Duration

        /// Its pace.
        public var pace: Pace { Pace(distance, in: time) }
    }

    /// The largest number of splits in a run.
    public static let limit = 100_000

    /// Makes even splits of a run, one for every `length`, and one for the rest. Errors: an invalid length, or more
    /// than 100 000 splits.
    public init(_ run: Run, every length: Distance) throws(TextError) {
        try self.init(run.distance, isGiven: run.result != .time, every: length) {
            $0 == run.distance ? run.time : run.pace.time(for: $0)
        }
    }

    /// Makes the splits of a plan: the time at which each multiple of `length` is reached, and at last its whole distance, each
    /// before a rest there. Nil if it has no end, or if a time or distance in it is unknown. Errors: an invalid length, or more
    /// than 100 000 splits.
    package init?(_ table: PlanTable, every length: Distance) throws(TextError) {
        guard length.isValid else { throw .length }
        guard !table.isEndless, let distance = table.total.distance, table.total.time != nil, distance > .zero
        else { return nil }
        var index = 0
        try self.init(distance, isGiven: table.isTimeGiven, every: length) { end in
            // Sums of many distances are rounded.
            while index < table.rows.count - 1, let there = table.rows[index].total.distance,
                there.meters < end.meters - 1e-6
            {
                index += 1
            }
            return table.rows[index].time(at: end)
        }
    }

    /// Makes splits of a distance; `reached` gives the time at which each multiple of `length` is reached, and the distance.
    private init(
        _ distance: Distance, isGiven: Bool, every length: Distance, _ reached: (Distance) -> Duration
    ) throws(TextError) {
        isFinishGiven = isGiven
        guard length.isValid else { throw .length }
        let count = (distance / length - 1e-9).rounded(.up)
        guard count <= Double(Splits.limit) else {
            throw TextError(localized("a run has at most 100 000 splits; make them longer"))
        }
        let last = max(Int(count), 1)
        var before = (distance: Distance.zero, time: Duration.zero)
        for number in 1...last {
            let end = number == last ? distance : length * Double(number)
            let total = reached(end)
            rows.append(
                Row(
                    number: number, distance: end - before.distance, time: total - before.time, totalDistance: end,
                    totalTime: total))
            before = (end, total)
        }
    }

    /// The total distance.
    public var distance: Distance { rows.last?.totalDistance ?? .zero }

    /// The total time: the predicted finish.
    public var finish: Duration { rows.last?.totalTime ?? .zero }

    /// How many decimals the finish has, in the column of total times and wherever else it is told.
    package var decimals: Int { finish.finishDecimals(isGiven: isFinishGiven) }

    /// Makes one split slower by `change`, or faster if it is negative; all others stay, the finish moves. Errors:
    /// there is no such split, or it would take less than a millisecond; then nothing changes.
    public mutating func change(_ number: Int, by change: Duration) throws(TextError) {
        guard number >= 1, number <= rows.count else { throw .noSplit(number, of: rows.count) }
        let change = Splits.clamped(change)
        try setTimes(rows.map { $0.number == number ? $0.time + change : $0.time })
    }

    /// Gives one split this time; all others stay, the finish moves. Errors: as above.
    public mutating func change(_ number: Int, to time: Duration) throws(TextError) {
        guard number >= 1, number <= rows.count else { throw .noSplit(number, of: rows.count) }
        try change(number, by: Splits.clamped(time) - rows[number - 1].time)
    }

    /// Adds `change` to the difference between each split and the one before it: a positive value makes later splits
    /// slower. A shorter last split changes in proportion. The finish stays. Errors: a split would take less than a
    /// millisecond; then nothing changes.
    public mutating func progress(by change: Duration) throws(TextError) {
        guard let first = rows.first, rows.count > 1 else { return }
        // Split n changes by w_n (n - m) times `change`, with w_n its distance relative to a whole split, and m such
        // that the sum is 0.
        let weights = rows.map { $0.distance / first.distance }
        let sum = weights.reduce(0, +)
        let middle = zip(weights, rows).reduce(0) { $0 + $1.0 * Double($1.1.number) } / sum
        let finish = finish
        var times = zip(weights, rows).map { weight, row in
            row.time + Duration(inSeconds: Splits.clamped(change).inSeconds * weight * (Double(row.number) - middle))
        }
        let rounding = finish - times.reduce(.zero, +)
        times[times.count - 1] += rounding
        try setTimes(times)
    }

    /// Clamped to the longest run: no split can change by more.
    private static func clamped(_ change: Duration) -> Duration {
        min(max(change, .zero - Run.timeRange.upperBound), Run.timeRange.upperBound)
    }

    private mutating func setTimes(_ times: [Duration]) throws(TextError) {
        if let index = times.firstIndex(where: { $0 < .milliseconds(1) }) {
            throw TextError(localized("split \(index + 1) would take no time; use a smaller change"))
        }
        guard times.reduce(.zero, +) <= Run.timeRange.upperBound else {
            throw TextError(localized("with this change, the run would take more than 10 000 h"))
        }
        var total = Duration.zero
        for index in rows.indices {
            total += times[index]
            rows[index].time = times[index]
            rows[index].totalTime = total
        }
    }
}

extension PlanTable.Row {
    /// The time at which a distance is reached that ends in this row, all of whose measures are known.
    fileprivate func time(at distance: Distance) -> Duration {
        guard let start, let length = extent.distance, let time = extent.time, let end = total.distance,
            length > .zero
        else { return start ?? .zero }
        let share = min(max(1 - (end - distance) / length, 0), 1)
        return start + Duration(inSeconds: time.inSeconds * share)
    }
}

extension TextError {
    fileprivate static var length: TextError { TextError(localized("a split must be 1 mm to 100 000 km long")) }
    fileprivate static func noSplit(_ number: Int, of count: Int) -> TextError {
        TextError(localized("there is no split \(number); there are \(count)"))
    }
}
