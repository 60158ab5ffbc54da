internal import Languages
internal import Scores

/// The order in which a page is played: excerpts of it, by the order of sections and the jumps.
package struct PlayOrder: Sendable {
    /// Bars of the page that are played one after the other.
    struct Excerpt: Sendable {
        /// The bars of the page, with repeats unfolded.
        var page: Range<Int>
        /// The index of the first of them among all bars that are played.
        var bar = 0
        /// The number of lines that are played before.
        var line = 0
        /// The line of the page in which it begins.
        var pageLine = 0
        /// Its start, counted from the start of the piece, and from that of the page.
        var start = Duration.zero
        var pageStart = Duration.zero
    }

    private(set) var excerpts: [Excerpt] = []
    private(set) var barCount = 0
    private(set) var lineCount = 0
    package private(set) var total = Duration.zero
    /// The labels to which a jump goes that is not taken, because no section with this place is played.
    private(set) var missed: [String] = []
    /// Where the last jump is written that is taken or, if there are too many, the first that is not.
    private var lastJump: (section: Int, line: Int, bar: Int)?
    /// Whether more jumps would be taken than may be: those are left out.
    private(set) var isCut = false

    /// Makes the order of a page. `sections` are the indices of sections in their playing order; section `rest` comes
    /// after the end of the music, wherever on the page that is.
    package init(_ layout: Layout, sections: [Int], rest: Int? = nil) {
        play(sections, layout)
        if let rest { append(layout.sections[rest].bars, layout) }
    }

    private mutating func play(_ sections: [Int], _ layout: Layout) {
        var arrivals: [Int: Int] = [:]
        var (turn, taken) = (0, 0)
        var begin: Int?
        while turn < sections.count {
            let section = layout.sections[sections[turn]]
            let first = begin ?? section.bars.lowerBound
            begin = nil
            var next = !isCut ? PlayOrder.next(section, from: first, &arrivals) : nil
            var goal: (turn: Int, bar: Int?)?
            while let jump = next {
                switch jump.jump.target {
                case .start: goal = (0, nil)
                case .end: return append(first..<jump.bar + 1, layout)
                case .label(let label):
                    if let place = layout.bars(labeled: label)?.lowerBound,
                        let turn = PlayOrder.turn(of: place, layout, sections, now: turn)
                    {
                        goal = (turn, place)
                    } else if !missed.contains(label) {
                        missed.append(label)
                    }
                }
                guard goal == nil else { break }
                next = PlayOrder.next(section, from: jump.bar + 1, &arrivals)
            }
            if goal != nil, let next {
                lastJump = (sections[turn], next.written.line, next.written.bar)
                if taken == Jump.limit { (isCut, goal) = (true, nil) }
            }
            guard let goal, let next else {
                append(first..<section.bars.upperBound, layout)
                turn += 1
                continue
            }
            append(first..<next.bar + 1, layout)
            taken += 1
            (turn, begin) = goal
        }
    }

    static var jumpsExcess: TextError { TextError(localized("more than 10 000 jumps are taken")) }

    /// What jumps make too large; nil if nothing is.
    package var excess: Layout.Problem? {
        guard let (section, line, bar) = lastJump, isCut || total > Passage.longest else { return nil }
        let error =
            isCut
            ? PlayOrder.jumpsExcess : TextError(localized("with this jump, the piece would last more than 100 000 h"))
        return Layout.Problem(error: error, line: line, bar: bar, container: .section(section))
    }

    /// The first jump of a section, at or after a bar, that is taken; counts an arrival at each jump on the way.
    private static func next(
        _ section: Layout.Section, from bar: Int, _ arrivals: inout [Int: Int]
    ) -> Layout.PlacedJump? {
        guard !section.jumps.isEmpty else { return nil }
        let first = section.jumps.lastIndexByHalving { $0.bar < bar }
        for jump in section.jumps[first...] where jump.bar >= bar {
            arrivals[jump.bar, default: 0] += 1
            if jump.jump.arrivals.contains(arrivals[jump.bar, default: 0]) { return jump }
        }
        return nil
    }

    /// The turn in which the section of a bar is played: this one if possible, else the first; nil if there is none.
    private static func turn(of bar: Int, _ layout: Layout, _ sections: [Int], now: Int) -> Int? {
        func holds(_ turn: Int) -> Bool { layout.sections[sections[turn]].bars.contains(bar) }
        return holds(now) ? now : sections.indices.first(where: holds)
    }

    /// The last played bar before bar `end` in which live music waits for the player; nil if there is none.
    func lastWait(below end: Int, _ layout: Layout) -> Int? {
        for excerpt in excerpts.reversed() where excerpt.bar < end {
            let shift = excerpt.bar - excerpt.page.lowerBound
            if let wait = layout.lastWait(below: min(excerpt.page.upperBound, end - shift)),
                wait >= excerpt.page.lowerBound
            {
                return wait + shift
            }
        }
        return nil
    }

    private mutating func append(_ page: Range<Int>, _ layout: Layout) {
        guard !page.isEmpty else { return }
        let (first, last) = (layout.bar(page.lowerBound), layout.bar(page.upperBound - 1))
        if let before = excerpts.last, before.page.upperBound == page.lowerBound, first.bar == 0 {
            excerpts[excerpts.count - 1].page = before.page.lowerBound..<page.upperBound
        } else {
            excerpts.append(
                Excerpt(
                    page: page, bar: barCount, line: lineCount, pageLine: first.line, start: total,
                    pageStart: first.start))
        }
        barCount += page.count
        lineCount += last.line - first.line + 1
        total += layout.start(ofBar: page.upperBound) - first.start
    }
}
