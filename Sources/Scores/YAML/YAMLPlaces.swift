/// The places in a text whose errors show only after layout in time: bars, repeats, labels and the total.
package struct YAMLPlaces {
    private let tree: YAMLTree
    /// The lists of bars by the container of their lines, in the order of the page.
    private var lines: [Score.Container: [YAMLTree.ID]] = [:]
    /// The numbers of passes of lines, groups and uses of fragments; each part comes after its contents.
    private var repeats: [Score.Container: [Repeat]] = [:]
    /// The labels that jumps name, and where they name them.
    package internal(set) var labels: [(label: String, place: Range<Int>)] = []
    /// Where the orders of sections are named.
    package internal(set) var orders: [String: Range<Int>] = [:]
    /// Where the declared total is written; nil if it is not.
    package internal(set) var total: Range<Int>?

    private struct Repeat {
        /// The number of lines in the container up to the end of this part.
        var lines: Int
        var passes: Int
        var node: YAMLTree.ID
    }

    init(_ tree: YAMLTree) { self.tree = tree }

    /// Remembers where the bars of a line are written.
    mutating func noteLine(_ bars: YAMLTree.ID, in container: Score.Container) {
        lines[container, default: []].append(bars)
    }

    /// Remembers where the number of passes is written for a part that ends here.
    mutating func noteRepeat(_ node: YAMLTree.ID, _ passes: Int, in container: Score.Container) {
        let count = lines[container]?.count ?? 0
        repeats[container, default: []].append(Repeat(lines: count, passes: passes, node: node))
    }

    /// The place of a bar; `line` is the number of lines written in the container before the bar's line.
    package func place(ofBar bar: Int, inLine line: Int, of container: Score.Container) -> Range<Int> {
        guard let lines = lines[container], line < lines.count else { return tree.range(0) }
        var left = bar
        for child in tree.children(lines[line]) {
            let times = YAMLScore.times(of: child, in: tree)
            if left < times { return tree.range(child) }
            left -= times
        }
        return tree.range(lines[line])
    }

    /// The place of the number of passes of a part that ends after `line` lines of its container, or the last before.
    package func place(ofPasses passes: Int?, afterLines line: Int, of container: Score.Container) -> Range<Int> {
        let parts = repeats[container] ?? []
        let part =
            parts.first { $0.lines == line && $0.passes == passes } ?? parts.last { $0.lines <= line } ?? parts.last
        return tree.range(part?.node ?? 0)
    }
}
