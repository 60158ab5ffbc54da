internal import Scores

/// How much has been laid out: a fragment is laid out again wherever the tempo or the drone differs.
struct LaidSize {
    var describedBars = 0
    private var bars = 0
    private var lines = 0

    mutating func hasRoom(for count: Int) -> Bool {
        bars += count
        lines += 1
        return describedBars <= Score.describedBarLimit && bars <= Score.writtenBarLimit
            && lines <= Score.writtenLineLimit
    }
}

/// Nodes one after the other.
struct Joined {
    var children: [Layout.Child] = []
    var jumps: [Layout.PlacedJump] = []
    private var sums = Layout.Node(content: .sequence([]))

    mutating func append(_ id: Int, _ node: Layout.Node, _ jumps: [Layout.PlacedJump], count: BarCount? = nil) {
        // A node without bars counts as missing.
        guard node.bars > 0 else { return }
        children.append(
            Layout.Child(
                node: id, bar: sums.bars, line: sums.lines, count: count ?? sums.count,
                start: sums.duration))
        self.jumps += jumps.map { $0.moved(by: sums.bars) }
        if let wait = node.lastWait { sums.lastWait = sums.bars + wait }
        sums.bars += node.bars
        sums.lines += node.lines
        sums.count = sums.count + node.count
        sums.hasNumbers = sums.hasNumbers || node.hasNumbers
        sums.duration += node.duration
        sums.metered.add(node.metered)
    }

    var node: Layout.Node {
        var node = sums
        node.content = .sequence(children)
        return node
    }
}
