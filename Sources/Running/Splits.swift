/// A run in splits: equal pieces of way, each with its time, which can be changed one by one.
public struct Splits: Sendable, Equatable {
    /// The pieces in order; the last one may be shorter.
    public private(set) var rows: [Row] = []

    /// One split.
    public struct Row: Sendable, Equatable {
        /// Its number, from 1.
        public var number: Int
        /// How far it is.
        public var distance: Distance
        /// How long it takes.
        public var time: Duration
        /// How far one has come at its end.
        public var totalDistance: Distance
        /// How long one has run at its end.
        public var totalTime: Duration

        /// How fast it is.
        public var pace: Pace { Pace(distance, in: time) }
    }

    /// The most splits of a run.
    public static let limit = 100_000

    /// Even splits of a run, one for every `length` and the rest.
    ///
    /// Errors: no length, or more than 100 000 splits.
    public init(_ run: Run, every length: Distance) throws(SplitsError) {
        guard length.isValid else { throw .length }
        let count = (run.distance / length - 1e-9).rounded(.up)
        guard count <= Double(Splits.limit) else { throw .tooMany }
        var before = Duration.zero
        for number in 1...max(Int(count), 1) {
            let isLast = number == max(Int(count), 1)
            let start = length * Double(number - 1)
            let end = isLast ? run.distance : length * Double(number)
            let total = isLast ? run.time : run.pace.time(for: end)
            rows.append(
                Row(
                    number: number, distance: end - start, time: total - before, totalDistance: end, totalTime: total))
            before = total
        }
    }

    /// The way of all.
    public var distance: Distance { rows.last?.totalDistance ?? .zero }

    /// The time of all: the predicted finish.
    public var finish: Duration { rows.last?.totalTime ?? .zero }

    /// Makes one split so much slower, or faster where it is negative; all others stay, the finish moves.
    ///
    /// Errors: no such split, or it would take less than a millisecond; nothing changes then.
    public mutating func change(_ number: Int, by change: Duration) throws(SplitsError) {
        guard number >= 1, number <= rows.count else { throw .noSplit(number, of: rows.count) }
        let change = Splits.held(change)
        try setTimes(rows.map { $0.number == number ? $0.time + change : $0.time })
    }

    /// Makes every split so much slower than the one before, or faster where it is negative, by the length of a whole
    /// one; the finish stays.
    ///
    /// Errors: a split would take less than a millisecond; nothing changes then.
    public mutating func progress(by change: Duration) throws(SplitsError) {
        guard let first = rows.first, rows.count > 1 else { return }
        // Split n changes by w_n (n - m) of the step, with w its length in whole ones and m such that the sum is 0.
        let weights = rows.map { $0.distance / first.distance }
        let sum = weights.reduce(0, +)
        let middle = zip(weights, rows).reduce(0) { $0 + $1.0 * Double($1.1.number) } / sum
        let finish = finish
        var times = zip(weights, rows).map { weight, row in
            row.time + Duration(inSeconds: Splits.held(change).inSeconds * weight * (Double(row.number) - middle))
        }
        let rounding = finish - times.reduce(.zero, +)
        times[times.count - 1] += rounding
        try setTimes(times)
    }

    /// More than the longest run can be changed by.
    private static func held(_ change: Duration) -> Duration {
        min(max(change, .zero - Run.timeRange.upperBound), Run.timeRange.upperBound)
    }

    private mutating func setTimes(_ times: [Duration]) throws(SplitsError) {
        if let index = times.firstIndex(where: { $0 < .milliseconds(1) }) { throw .tooFast(index + 1) }
        guard times.reduce(.zero, +) <= Run.timeRange.upperBound else { throw .tooSlow }
        var total = Duration.zero
        for index in rows.indices {
            total += times[index]
            rows[index].time = times[index]
            rows[index].totalTime = total
        }
    }
}

/// Why a run has no such splits.
public enum SplitsError: Error, Equatable, CustomStringConvertible {
    /// The length of a split is not 1 mm to 100 000 km.
    case length
    /// There would be more than 100 000.
    case tooMany
    /// There is no split of that number.
    case noSplit(Int, of: Int)
    /// This split would take less than a millisecond.
    case tooFast(Int)
    /// All would take more than 10 000 h.
    case tooSlow

    /// The error as a phrase without a full stop.
    public var description: String {
        switch self {
        case .length: "a split is 1 mm to 100 000 km long"
        case .tooMany: "a run has at most 100 000 splits; make them longer"
        case .noSplit(let number, let count): "there is no split \(number); there are \(count)"
        case .tooFast(let number): "split \(number) would take no time at all; change it less"
        case .tooSlow: "with that the run would take more than 10 000 h"
        }
    }
}
