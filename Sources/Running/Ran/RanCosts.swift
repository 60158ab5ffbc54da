internal import Glibc
internal import Scores

/// How unlikely it is that cells of an activity are an interval of a plan: costs are negative logarithms of likelihoods.
struct RanCosts {
    private let cells: RanCells
    private var rows: [Row]
    private let noise: Double

    /// What is known of a planned interval.
    private struct Row {
        /// The activity and its label: intervals that are alike are run at about the same speed.
        var kind: Interval.Kind
        var label: String
        /// How it ends: after seconds, after meters, or nil if it is open.
        var seconds: Double?
        var meters: Double?
        /// The speed to expect in m/s, and how far it may be off, as a logarithm.
        var speed: Double
        var tolerance: Double
    }

    /// The cost of an interval that was not run, before others or at the end, of one that was not planned, and of a second
    /// lap in one interval.
    private static let missing = (inside: 4.5, atEnd: 1.5)
    private static let extra = 4.5
    private static let split = (automatic: 0.3, other: 2.0)
    /// What every second costs that was not planned, beyond its noise, in cells of equal times.
    private static let extraSecond = 0.06
    /// Positions err in the same direction for some seconds: so many cells count as one witness.
    private static let witnesses = 3.0
    /// The part of an interval beyond which nothing tells it from another one.
    private static let longest = 2.2
    private static let shortest = 0.25

    init(_ table: PlanTable, _ cells: RanCells) {
        self.cells = cells
        noise = cells.noise
        rows = table.rows.map { row in
            let usual = row.interval.kind.traits()
            var known = Row(
                kind: row.interval.kind, label: row.interval.label,
                speed: row.extent.pace?.metersPerSecond ?? usual.speed,
                tolerance: row.extent.pace == nil ? usual.tolerance : 0.15)
            switch row.interval.measure {
            case .time(let time): known.seconds = time.inSeconds
            case .distance(let distance): known.meters = distance.meters
            case .run(let run) where run.result == .distance: known.seconds = run.time.inSeconds
            case .run(let run): known.meters = run.distance.meters
            case .open: break
            }
            return known
        }
    }

    /// The costs for a runner whose speeds are those of a first pairing: whoever walks at 1.5 m/s once does not walk at 3 m/s
    /// the next time.
    func learning(from spans: [Range<Int>?]) -> RanCosts {
        guard cells.hasDistance else { return self }
        var learnt = self
        for (_, alike) in Dictionary(grouping: rows.indices, by: { Alike(rows[$0]) }) {
            let offs = alike.compactMap { row in
                spans[row].map { log(max(cells.way($0) / cells.time($0), 0.2) / max(rows[row].speed, 0.2)) }
            }.sorted()
            guard offs.count >= RanCosts.fewest else { continue }
            let middle = offs[offs.count / 2]
            let spread = offs.map { abs($0 - middle) }.sorted()[offs.count / 2] * 1.48
            for row in alike {
                let own = rows[row].tolerance
                learnt.rows[row].speed = rows[row].speed * exp(middle)
                learnt.rows[row].tolerance = min(
                    (max(spread, RanCosts.steadiest) * max(spread, RanCosts.steadiest) + own * own / Double(offs.count))
                        .squareRoot(), own)
            }
        }
        return learnt
    }

    /// Intervals that are alike.
    private struct Alike: Hashable {
        var kind: Interval.Kind
        var label: String
        var speed: Double

        init(_ row: Row) { (kind, label, speed) = (row.kind, row.label, row.speed) }
    }

    /// From so many intervals of a kind, its speed is learnt.
    private static let fewest = 3
    /// Nobody runs more steadily than that, as a logarithm.
    private static let steadiest = 0.06

    /// How long cells may take to be a row, in seconds.
    func times(_ row: Int) -> ClosedRange<Double> {
        let row = rows[row]
        guard let all = row.seconds ?? row.meters.map({ $0 / max(row.speed, 0.3) }) else { return 1...7200 }
        let slack = row.seconds == nil ? 1.6 : 1.0
        return all * RanCosts.shortest / slack...all * RanCosts.longest * slack
    }

    /// The cost of cells as a row.
    func cost(_ index: Int, _ range: Range<Int>) -> Double {
        let row = rows[index]
        let (time, way) = (cells.time(range), cells.way(range))
        var cost = 0.0
        if let seconds = row.seconds {
            cost += RanCosts.lengthCost(time / seconds)
        } else if let meters = row.meters {
            cost += cells.hasDistance ? RanCosts.lengthCost(max(way, 0.1) / meters) : 1
        } else {
            cost += 2
        }
        if cells.hasDistance {
            let off = log(max(way / time, 0.2) / max(row.speed, 0.2)) / row.tolerance
            cost += min(off * off / 2, 6)
        }
        if cells.areLaps {
            for cell in range.dropLast() {
                cost += cells.areAutomatic[cell] ? RanCosts.split.automatic : RanCosts.split.other
            }
        } else {
            let length = time / Double(range.count)
            cost += cells.spread(range) / length / (2 * noise * RanCosts.witnesses)
        }
        return cost
    }

    /// The cost of an interval that was not run, before a cell: many end a run early.
    func missingCost(_ cell: Int) -> Double {
        cell == cells.count ? RanCosts.missing.atEnd : RanCosts.missing.inside
    }

    /// The cost of one more cell that was not planned, after others like it or as the first.
    func extraCost(_ cell: Int, isFirst: Bool) -> Double {
        if cells.areLaps { return isFirst ? RanCosts.extra : RanCosts.extra * 0.7 }
        return (isFirst ? RanCosts.extra : 0) + 0.5 / RanCosts.witnesses
            + RanCosts.extraSecond * cells.time(cell..<cell + 1)
    }

    /// Watches measure lengths well, but an interval may be cut short by any part.
    private static func lengthCost(_ ratio: Double) -> Double {
        let off = abs(log(ratio))
        return min(off / 0.04, 2.2 + off * (ratio > 1 ? 2 : 1.2))
    }
}
