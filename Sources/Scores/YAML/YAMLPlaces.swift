/// Where a text says what only the page laid out in time shows to be wrong: bars, repeats, labels and the total.
package struct YAMLPlaces {
    private let tree: YAMLTree
    /// The lists of bars, by what their lines are written in, in the order of the page.
    private var lines: [Score.Container: [YAMLTree.ID]] = [:]
    /// How often lines, groups and fragments' uses are played, each after what is in it.
    private var repeats: [Score.Container: [Repeat]] = [:]
    /// The labels that jumps name, and where.
    package internal(set) var labels: [(label: String, place: Range<Int>)] = []
    /// Where the declared total is written; nil for nowhere.
    package internal(set) var total: Range<Int>?

    private struct Repeat {
        /// How many lines the container has up to there, those of the part counted.
        var lines: Int
        var passes: Int
        var node: YAMLTree.ID
    }

    init(_ tree: YAMLTree) { self.tree = tree }

    /// Remembers where a line has its bars.
    mutating func noteLine(_ bars: YAMLTree.ID, in container: Score.Container) {
        lines[container, default: []].append(bars)
    }

    /// Remembers where it is written how often a part is played that ends here.
    mutating func noteRepeat(_ node: YAMLTree.ID, _ passes: Int, in container: Score.Container) {
        let count = lines[container]?.count ?? 0
        repeats[container, default: []].append(Repeat(lines: count, passes: passes, node: node))
    }

    /// The place of a bar of a line; so many lines of its container are written before that.
    package func place(ofBar bar: Int, inLine line: Int, of container: Score.Container) -> Range<Int> {
        guard let lines = lines[container], line < lines.count else { return tree.range(0) }
        return tree.range(node(ofBar: bar, in: lines[line]))
    }

    /// The place that says how often a part is played, after so many lines of its container; the nearest one before where
    /// none there says `passes`.
    package func place(ofPasses passes: Int?, afterLines line: Int, of container: Score.Container) -> Range<Int> {
        let parts = repeats[container] ?? []
        let part =
            parts.first { $0.lines == line && $0.passes == passes } ?? parts.last { $0.lines <= line } ?? parts.last
        return tree.range(part?.node ?? 0)
    }

    /// Where a bar of a list is written.
    private func node(ofBar bar: Int, in list: YAMLTree.ID) -> YAMLTree.ID {
        var left = bar
        for child in tree.children(list) {
            let times = tree.kind(child) == .scalar ? YAMLScore.times(tree.text(child))?.times ?? 1 : 1
            if left < times { return child }
            left -= times
        }
        return list
    }
}
