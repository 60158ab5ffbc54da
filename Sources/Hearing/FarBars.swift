/// Which bars a player begins farthest from the usual lateness: those are worth practicing.
package struct FarBars: Sendable {
    /// How late each bar began, each time it was played, in seconds.
    private var late: [Int: [Double]] = [:]
    private var all: [Double] = []

    /// So many bars are told, once so many have been heard; and how far from the usual they are at least, in seconds.
    private static let (most, fewest, least) = (5, 5, 0.02)

    package init() {}

    /// Takes how late a bar began, by its index.
    package mutating func add(_ bar: Int, late seconds: Double) {
        late[bar, default: []].append(seconds)
        all.insert(seconds, at: all.firstIndex { $0 > seconds } ?? all.count)
    }

    /// The farthest bars in the order of the piece, and how far each is from the usual lateness: medians in seconds.
    package var farthest: [(bar: Int, late: Double)] {
        guard all.count >= FarBars.fewest else { return [] }
        let usual = FarBars.median(all)
        let far = late.map { (bar: $0.key, late: FarBars.median($0.value.sorted()) - usual) }
            .filter { abs($0.late) >= FarBars.least }
        return far.sorted { (-abs($0.late), $0.bar) < (-abs($1.late), $1.bar) }.prefix(FarBars.most)
            .sorted { $0.bar < $1.bar }
    }

    private static func median(_ sorted: [Double]) -> Double {
        (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    }
}
