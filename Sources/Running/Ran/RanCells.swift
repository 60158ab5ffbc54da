/// The pieces of an activity from which intervals are put together: its laps, or short equal times.
struct RanCells {
    /// The seconds and meters before each cell, and at last those of all.
    private(set) var seconds: [Double] = [0]
    private(set) var meters: [Double] = [0]
    /// Σ of seconds × speed² before each cell, from which the spread of speeds follows.
    private var squares: [Double] = [0]
    /// Whether the distance is known.
    let hasDistance: Bool
    /// Whether each cell is a lap.
    let areLaps: Bool
    /// For each cell, whether it ended by itself.
    let areAutomatic: [Bool]

    /// The most cells of equal times.
    private static let limit = 1800.0
    /// The shortest time of such a cell, in seconds: positions are not exact enough for less.
    private static let shortest = 2.0

    var count: Int { seconds.count - 1 }

    init(_ activity: Activity) {
        let known = activity.laps.allSatisfy { $0.meters != nil }
        if activity.hasOwnLaps || activity.track.count < 2 {
            (areLaps, hasDistance, areAutomatic) = (true, known, activity.laps.map(\.isAutomatic))
            for lap in activity.laps { add(max(lap.seconds, 0.001), max(lap.meters ?? 0, 0)) }
            return
        }
        let all = activity.track.last?.seconds ?? 0
        let length = max(all / RanCells.limit, RanCells.shortest)
        let count = Int((all / length).rounded(.up))
        (areLaps, hasDistance, areAutomatic) = (false, true, Array(repeating: false, count: count))
        var before = activity.meters(at: 0)
        for n in 0..<count {
            let end = min(Double(n + 1) * length, all)
            let there = activity.meters(at: end)
            add(max(end - (seconds.last ?? 0), 0.001), max(there - before, 0))
            before = there
        }
    }

    private mutating func add(_ time: Double, _ way: Double) {
        seconds.append(seconds[seconds.count - 1] + time)
        meters.append(meters[meters.count - 1] + way)
        squares.append(squares[squares.count - 1] + way * way / time)
    }

    func time(_ cells: Range<Int>) -> Double { seconds[cells.upperBound] - seconds[cells.lowerBound] }
    func way(_ cells: Range<Int>) -> Double { meters[cells.upperBound] - meters[cells.lowerBound] }

    /// The integral over time of the squared difference between the speed and its mean, in m²/s.
    func spread(_ cells: Range<Int>) -> Double {
        let (time, way) = (time(cells), way(cells))
        return max(squares[cells.upperBound] - squares[cells.lowerBound] - way * way / time, 0)
    }

    /// The variance of the speed of one cell around that of its neighbors, in m²/s²: how exact the recording is. Changes of
    /// speed are rare, so that the median does not see them.
    var noise: Double {
        guard count > 1 else { return RanCells.leastNoise }
        let speeds = (0..<count).map { way($0..<$0 + 1) / time($0..<$0 + 1) }
        let steps = zip(speeds, speeds.dropFirst()).map { abs($1 - $0) }.sorted()
        // The median of the difference of two normal errors is 0.954 of their deviation.
        let deviation = steps[steps.count / 2] / 0.954
        return max(deviation * deviation, RanCells.leastNoise)
    }

    private static let leastNoise = 0.02

    /// The cells that end between two times after a cell's start; empty if there are none.
    func ends(from start: Int, _ times: ClosedRange<Double>) -> Range<Int> {
        func first(_ time: Double) -> Int {
            var (low, high) = (start + 1, seconds.count)
            while low < high {
                let middle = (low + high) / 2
                if seconds[middle] - seconds[start] < time { low = middle + 1 } else { high = middle }
            }
            return low
        }
        let (low, high) = (first(times.lowerBound), first(times.upperBound))
        return low..<max(min(high + 1, seconds.count), low)
    }
}
