internal import Glibc

/// Finds which cells of an activity are which interval of a plan, in order: some intervals may be missing, and some cells
/// may have been run besides.
///
/// Dynamic programming over intervals and cells: once for the likeliest pairing, and once forward and backward for all
/// pairings, weighted by their likelihoods, which tell how certain each pair is.
struct RanPairing {
    /// The cells of each interval; nil if it is missing.
    private(set) var spans: [Range<Int>?]
    /// The probability that this is right, 0 to 1.
    private(set) var certainty: [Double]

    /// The steps to a node: intervals and cells that are paired, inside of cells that were not planned or not.
    private enum Step {
        case none, missing, row(from: Int), extra(isFirst: Bool), close
    }

    private let cells: RanCells
    private var costs: RanCosts
    private let rows: Int
    private let width: Int

    init(_ table: PlanTable, _ cells: RanCells) {
        self.cells = cells
        costs = RanCosts(table, cells)
        rows = table.rows.count
        width = cells.count + 1
        (spans, certainty) = ([], [])
        costs = costs.learning(from: best(allCosts))
        let prices = allCosts
        spans = best(prices)
        certainty = certainties(prices)
    }

    /// The costs of an interval from each cell to each of its ends.
    private typealias Prices = [[(ends: Range<Int>, costs: [Double])]]

    /// The costs of all pairs that can be, so that each is computed once.
    private var allCosts: Prices {
        (0..<rows).map { row in
            let times = costs.times(row)
            return (0..<width).map { start in
                let ends = start < cells.count ? ends(start, times) : start..<start
                return (ends, ends.map { costs.cost(row, start..<$0) })
            }
        }
    }

    private func ends(_ start: Int, _ times: ClosedRange<Double>) -> Range<Int> {
        guard cells.areLaps else { return cells.ends(from: start, times) }
        // A single lap can be cut short by any part.
        let ends = cells.ends(from: start, 0...times.upperBound)
        return ends.isEmpty ? start + 1..<start + 2 : ends
    }

    /// Whether intervals may follow cells that were not planned. Whoever ends a run early runs nothing after it: intervals that
    /// are missing at the end, which is likelier than elsewhere, come after planned ones.
    private func canClose(_ row: Int, _ cell: Int) -> Bool { cell < cells.count || row == rows }

    // MARK: - The likeliest pairing

    private func best(_ prices: Prices) -> [Range<Int>?] {
        // Two layers of nodes: outside of and inside of cells that were not planned.
        var outer = Array(repeating: Double.infinity, count: (rows + 1) * width)
        var inner = outer
        var outerStep = Array(repeating: Step.none, count: outer.count)
        var innerStep = outerStep
        outer[0] = 0
        func better(_ cost: Double, _ step: Step, _ costs: inout [Double], _ steps: inout [Step], _ node: Int) {
            if cost < costs[node] { (costs[node], steps[node]) = (cost, step) }
        }
        for row in 0...rows {
            for cell in 0..<width {
                let node = row * width + cell
                if canClose(row, cell), inner[node] < outer[node] {
                    (outer[node], outerStep[node]) = (inner[node], .close)
                }
                let here = outer[node]
                if row < rows, here.isFinite {
                    let (ends, prices) = prices[row][cell]
                    for (end, price) in zip(ends, prices) {
                        better(here + price, .row(from: cell), &outer, &outerStep, node + width + end - cell)
                    }
                    better(here + costs.missingCost(cell), .missing, &outer, &outerStep, node + width)
                }
                guard cell < cells.count else { continue }
                better(here + costs.extraCost(cell, isFirst: true), .extra(isFirst: true), &inner, &innerStep, node + 1)
                better(
                    inner[node] + costs.extraCost(cell, isFirst: false), .extra(isFirst: false), &inner, &innerStep,
                    node + 1)
            }
        }
        var spans = Array(repeating: Range<Int>?.none, count: rows)
        var (row, cell, isInner) = (rows, width - 1, false)
        while row > 0 || cell > 0 {
            let node = row * width + cell
            switch isInner ? innerStep[node] : outerStep[node] {
            case .row(let start):
                row -= 1
                spans[row] = start..<cell
                cell = start
            case .missing: row -= 1
            case .close: isInner = true
            case .extra(let isFirst):
                cell -= 1
                isInner = !isFirst
            case .none: return spans
            }
        }
        return spans
    }

    // MARK: - All pairings

    /// log(eᵃ + eᵇ).
    private static func sum(_ a: Double, _ b: Double) -> Double {
        let (low, high) = (min(a, b), max(a, b))
        return high == -.infinity ? high : high + log1p(exp(low - high))
    }

    /// The probability of each interval's span, give or take the cells within which a change of speed cannot be found.
    private func certainties(_ prices: Prices) -> [Double] {
        let (forward, all) = forward(prices)
        let backward = backward(prices)
        guard all.isFinite else { return spans.map { _ in 0 } }
        return (0..<rows).map { row in
            var total = -Double.infinity
            if let span = spans[row] {
                let slack = cells.areLaps ? 0 : max(3, span.count / 4)
                for start in max(span.lowerBound - slack, 0)...min(span.lowerBound + slack, cells.count) {
                    let (ends, prices) = prices[row][start]
                    let near = span.upperBound - slack...span.upperBound + slack
                    for (end, price) in zip(ends, prices) where near.contains(end) {
                        let log = forward[row * width + start] - price + backward[(row + 1) * width + end]
                        total = RanPairing.sum(total, log)
                    }
                }
            } else {
                for cell in 0..<width {
                    let log = forward[row * width + cell] - costs.missingCost(cell) + backward[(row + 1) * width + cell]
                    total = RanPairing.sum(total, log)
                }
            }
            return min(exp(total - all), 1)
        }
    }

    /// The logarithms of the likelihoods of all ways to each node outside of unplanned cells, and of all to the end.
    private func forward(_ prices: Prices) -> (nodes: [Double], all: Double) {
        var outer = Array(repeating: -Double.infinity, count: (rows + 1) * width)
        var inner = outer
        outer[0] = 0
        for row in 0...rows {
            for cell in 0..<width {
                let node = row * width + cell
                if canClose(row, cell) { outer[node] = RanPairing.sum(outer[node], inner[node]) }
                let here = outer[node]
                if row < rows, here.isFinite {
                    let (ends, prices) = prices[row][cell]
                    for (end, price) in zip(ends, prices) {
                        let next = node + width + end - cell
                        outer[next] = RanPairing.sum(outer[next], here - price)
                    }
                    outer[node + width] = RanPairing.sum(outer[node + width], here - costs.missingCost(cell))
                }
                guard cell < cells.count else { continue }
                inner[node + 1] = RanPairing.sum(
                    here - costs.extraCost(cell, isFirst: true), inner[node] - costs.extraCost(cell, isFirst: false))
            }
        }
        return (outer, outer[rows * width + width - 1])
    }

    /// The logarithms of the likelihoods of all ways from each node to the end.
    private func backward(_ prices: Prices) -> [Double] {
        var outer = Array(repeating: -Double.infinity, count: (rows + 1) * width)
        var inner = outer
        for row in (0...rows).reversed() {
            for cell in (0..<width).reversed() {
                let node = row * width + cell
                var here = row == rows && cell == cells.count ? 0 : -Double.infinity
                if row < rows {
                    let (ends, prices) = prices[row][cell]
                    for (end, price) in zip(ends, prices) {
                        here = RanPairing.sum(here, outer[node + width + end - cell] - price)
                    }
                    here = RanPairing.sum(here, outer[node + width] - costs.missingCost(cell))
                }
                if cell < cells.count {
                    here = RanPairing.sum(here, inner[node + 1] - costs.extraCost(cell, isFirst: true))
                }
                outer[node] = here
                inner[node] = canClose(row, cell) ? here : -.infinity
                if cell < cells.count {
                    inner[node] = RanPairing.sum(here, inner[node + 1] - costs.extraCost(cell, isFirst: false))
                }
            }
        }
        return outer
    }
}
