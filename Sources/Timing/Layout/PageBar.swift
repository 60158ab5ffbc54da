internal import Scores

/// A bar of a page, with its place.
package struct PageBar: Sendable {
    /// Its number among the bars of the page with repeats unfolded, from 0.
    package var index = 0
    /// The section, from 0.
    package var section: Int
    /// The number of lines that are played before its line on the page, each pass counted.
    package var line: Int
    /// Its place in its line, from 0.
    package var bar = 0
    /// The written bars before it on the page.
    var count: BarCount
    /// Its start, counted from the beginning of the page.
    package var start: Duration
    /// The labels of groups, fragments and the line that begin with it, the outermost first.
    package var outerLabels: [String] = []
    /// The index of its line among the leaves of the layout.
    package var leaf = 0

    fileprivate init(_ section: Layout.Section, number: Int) {
        self.section = number
        index = section.bars.lowerBound
        line = section.firstLine
        count = section.count
        start = section.start
    }

    fileprivate mutating func enter(_ child: Layout.Child) {
        index += child.bar
        line += child.line
        count = count + child.count
        start += child.start
    }

    fileprivate mutating func skip(_ passes: Int, of node: Layout.Node) {
        index += passes * node.bars
        line += passes * node.lines
        start += node.duration * passes
    }
}

extension Layout {
    /// Bar `index` of the page with repeats unfolded. The bar must exist; only `Timeline` asks for it.
    package func bar(_ index: Int) -> PageBar {
        var place = section { $0.bars.lowerBound <= index }
        var id = sections[place.section].node
        while true {
            if place.index == index, !nodes[id].label.isEmpty { place.outerLabels.append(nodes[id].label) }
            switch nodes[id].content {
            case .passes(let inner, _):
                id = inner
                place.skip((index - place.index) / nodes[id].bars, of: nodes[id])
            case .sequence(let children):
                let base = place.index
                let child = children[children.lastIndexByHalving { base + $0.bar <= index }]
                place.enter(child)
                id = child.node
            case .line(let leaf):
                place.leaf = leaf
                place.bar = index - place.index
                place.index = index
                place.count = place.count + leaves[leaf].count(before: place.bar)
                place.start += leaves[leaf].start(of: place.bar)
                return place
            }
        }
    }

    /// The bar of the page that `position` lies in; positions outside the page give the first or last bar.
    package func bar(at position: Duration) -> Int {
        guard position > .zero else { return 0 }
        guard position < total else { return barCount - 1 }
        var place = section { $0.start <= position }
        var id = sections[place.section].node
        while true {
            switch nodes[id].content {
            case .passes(let inner, let count):
                id = inner
                let whole = (position - place.start).attoseconds / max(nodes[id].duration.attoseconds, 1)
                place.skip(min(Int(whole), count - 1), of: nodes[id])
            case .sequence(let children):
                let base = place.start
                let child = children[children.lastIndexByHalving { base + $0.start <= position }]
                place.enter(child)
                id = child.node
            case .line(let leaf): return place.index + leaves[leaf].bar(at: position - place.start)
            }
        }
    }

    /// The bars of line `line` (from 0, each pass counted) of the page.
    package func bars(ofLine line: Int) -> Range<Int> {
        var place = section { $0.firstLine <= line }
        var id = sections[place.section].node
        while true {
            switch nodes[id].content {
            case .passes(let inner, _):
                id = inner
                place.skip((line - place.line) / nodes[id].lines, of: nodes[id])
            case .sequence(let children):
                let base = place.line
                let child = children[children.lastIndexByHalving { base + $0.line <= line }]
                place.enter(child)
                id = child.node
            case .line: return place.index..<place.index + nodes[id].bars
            }
        }
    }

    /// The start of bar `index` (0 ... barCount) of the page, counted from the beginning of the page.
    package func start(ofBar index: Int) -> Duration { index < barCount ? bar(index).start : total }

    /// The last bar of the page before bar `end` in which live music waits for the player; nil if there is none.
    func lastWait(below end: Int) -> Int? {
        for section in sections.reversed() where section.bars.lowerBound < end {
            let base = section.bars.lowerBound
            if let wait = lastWait(in: section.node, below: end - base) { return base + wait }
        }
        return nil
    }

    private func lastWait(in id: Int, below end: Int) -> Int? {
        guard let last = nodes[id].lastWait else { return nil }
        guard last >= end else { return last }
        switch nodes[id].content {
        case .passes(let inner, _):
            let (whole, rest) = end.quotientAndRemainder(dividingBy: nodes[inner].bars)
            if let wait = lastWait(in: inner, below: rest) { return whole * nodes[inner].bars + wait }
            return whole > 0 ? nodes[inner].lastWait.map { (whole - 1) * nodes[inner].bars + $0 } : nil
        case .sequence(let children):
            for child in children.reversed() where child.bar < end {
                if let wait = lastWait(in: child.node, below: end - child.bar) { return child.bar + wait }
            }
            return nil
        case .line(let leaf): return leaves[leaf].bars[..<end].lastIndex { $0.details.holds.contains(where: \.waits) }
        }
    }

    private func section(_ holds: (Section) -> Bool) -> PageBar {
        let number = sections.lastIndexByHalving(holds)
        return PageBar(sections[number], number: number)
    }
}

extension Layout {
    func written(_ bar: PageBar) -> Score.Bar { leaves[bar.leaf].bars[bar.bar] }

    func barsInLine(_ bar: PageBar) -> Int { leaves[bar.leaf].bars.count }

    /// The duration of a bar at 100 % speed, including its holds.
    package func duration(_ bar: PageBar) -> Duration { leaves[bar.leaf].duration(of: bar.bar) }

    /// The tempo from the beginning of the bar on; nil if its line has no bar with a meter up to it.
    package func curve(_ bar: PageBar) -> TempoCurve? { leaves[bar.leaf].curves.last(upTo: bar.bar) }

    /// The note value that the tempo of the bar counts; nil if its line has no bar with a meter up to it.
    func unit(_ bar: PageBar) -> Fraction? { leaves[bar.leaf].units.last(upTo: bar.bar) }

    /// The changes of the drone up to a bar; nil if there are none.
    func drone(_ bar: PageBar) -> DroneChange? { leaves[bar.leaf].drones.last(upTo: bar.bar) }
}

extension Layout.Leaf {
    /// The start of a bar within the line.
    func start(of bar: Int) -> Duration {
        let block = bar / Layout.stride
        var sum = sums[block]
        for i in block * Layout.stride..<bar { sum += duration(of: i) }
        return sum
    }

    func duration(of bar: Int) -> Duration { durations.isEmpty ? bars[bar].duration : durations[bar] }

    /// The bar that a position within the line lies in.
    func bar(at position: Duration) -> Int {
        let block = sums.lastIndexByHalving { $0 <= position }
        var bar = block * Layout.stride
        var end = sums[block] + duration(of: bar)
        while end <= position, bar + 1 < bars.count {
            bar += 1
            end += duration(of: bar)
        }
        return bar
    }
}

extension Array {
    /// The value that holds at a bar; nil if none does.
    fileprivate func last<Value>(upTo bar: Int) -> Value? where Element == Layout.At<Value> { entry(upTo: bar)?.value }

    /// The last entry at a bar or before it; nil if there is none.
    func entry<Value>(upTo bar: Int) -> Layout.At<Value>? where Element == Layout.At<Value> {
        guard let first, first.bar <= bar else { return nil }
        return self[lastIndexByHalving { $0.bar <= bar }]
    }
}
