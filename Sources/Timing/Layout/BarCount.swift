internal import Scores

/// How many bars are written in a part of a page, and how they are numbered.
struct BarCount: Sendable, Equatable {
    /// The number of bars, each counted once.
    var written = 0
    /// The last whole number that a bar has of its own; nil if there is none.
    private var own: Int?
    /// How many bars count on from there; from the number at the beginning if there is none.
    private var counted = 0

    init() {}

    /// Bars without numbers of their own.
    init(plain count: Int) { (written, counted) = (count, count) }

    /// A bar.
    init(_ number: BarNumber?) {
        written = 1
        switch number {
        case nil: counted = 1
        case .counted(let number): (own, counted) = (number, 1)
        case .named: break
        }
    }

    static func + (a: BarCount, b: BarCount) -> BarCount {
        var sum = b
        sum.written += a.written
        if b.own == nil { (sum.own, sum.counted) = (a.own, a.counted &+ b.counted) }
        return sum
    }

    /// The number of the bar after these, where the first of the page has the number `first`.
    func next(first: Int) -> Int { (own ?? first) &+ counted }
}

extension Layout.Leaf {
    /// The bars of the line before a bar.
    func count(before bar: Int) -> BarCount {
        guard let last = numbers.entry(upTo: bar) else { return BarCount(plain: bar) }
        return last.value + BarCount(plain: bar - last.bar)
    }
}

// Where a number stands.
extension Layout {
    /// The number of a bar, where the first bar of the page has the number `first`.
    func number(_ bar: PageBar, first: Int) -> BarNumber {
        let written = written(bar)
        return (written.isPlain ? nil : written.details.number) ?? .counted(bar.count.next(first: first))
    }

    /// How many bars before bar `end` of the page, with repeats unfolded, have a number.
    func bars(numbered number: BarNumber, before end: Int, first: Int) -> Int {
        var sum = 0
        for section in sections where section.bars.lowerBound < end {
            let search = NumberSearch(layout: self, number: number, first: first)
            sum += search.bars(in: section.node, before: end - section.bars.lowerBound, section.count)
        }
        return sum
    }
}

/// Counts the bars with a number; a part is descended only where it can have the number.
private struct NumberSearch {
    let layout: Layout
    let number: BarNumber
    let first: Int

    func bars(in id: Int, before end: Int, _ count: BarCount) -> Int {
        let node = layout.nodes[id]
        guard end > 0, canBe(in: node, count) else { return 0 }
        switch node.content {
        case .passes(let inner, let passes):
            let (whole, rest) = end.quotientAndRemainder(dividingBy: max(layout.nodes[inner].bars, 1))
            let partial = whole < passes ? bars(in: inner, before: rest, count) : 0
            return min(whole, passes) * bars(in: inner, before: layout.nodes[inner].bars, count) + partial
        case .sequence(let children):
            return children.prefix { $0.bar < end }.reduce(0) { sum, child in
                sum + bars(in: child.node, before: end - child.bar, count + child.count)
            }
        case .line(let leaf): return bars(of: layout.leaves[leaf], before: min(end, node.bars), count)
        }
    }

    /// The bars of a line: each run after a number of its own, up to the next one.
    private func bars(of line: Layout.Leaf, before end: Int, _ count: BarCount) -> Int {
        var (sum, begin, here) = (0, 0, count)
        for entry in line.numbers {
            // The entry is after the bar that has the number.
            let bar = entry.bar - 1
            guard begin < end else { break }
            sum += isIn(begin..<min(bar, end), here) ? 1 : 0
            if bar < end, line.bars[bar].details.number == number { sum += 1 }
            (begin, here) = (entry.bar, count + entry.value)
        }
        return sum + (begin < end && isIn(begin..<end, here) ? 1 : 0)
    }

    private func isIn(_ bars: Range<Int>, _ count: BarCount) -> Bool {
        guard case .counted(let wanted) = number else { return false }
        let next = count.next(first: first)
        // The difference of two numbers of any size.
        return wanted >= next && UInt(bitPattern: wanted &- next) < UInt(bars.count)
    }

    private func canBe(in node: Layout.Node, _ count: BarCount) -> Bool {
        node.hasNumbers || isIn(0..<node.count.written, count)
    }
}
