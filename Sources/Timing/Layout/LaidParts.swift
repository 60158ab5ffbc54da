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
    var jumps: [(bar: Int, jump: Jump)] = []
    private var (bars, lines, writtenBars) = (0, 0, 0)
    private var duration = Duration.zero
    private var lastWait: Int?
    private var metered = MeteredTime()

    mutating func append(_ id: Int, _ node: Layout.Node, _ jumps: [(bar: Int, jump: Jump)], writtenBars: Int? = nil) {
        // A node without bars counts as missing.
        guard node.bars > 0 else { return }
        children.append(
            Layout.Child(
                node: id, bar: bars, line: lines, writtenBars: writtenBars ?? self.writtenBars, start: duration))
        self.jumps += jumps.map { ($0.bar + bars, $0.jump) }
        if let wait = node.lastWait { lastWait = bars + wait }
        bars += node.bars
        lines += node.lines
        self.writtenBars += node.writtenBars
        duration += node.duration
        metered.add(node.metered)
    }

    var node: Layout.Node {
        Layout.Node(
            bars: bars, lines: lines, writtenBars: writtenBars, duration: duration, lastWait: lastWait,
            metered: metered,
            content: .sequence(children))
    }
}
