public import Scores

/// A score laid out in time: where each bar begins, by exact sums and never by adding up while playing.
///
/// Repeats cost nothing: a pass is found by multiplication. One sum is kept for every 16 written bars.
public struct Timeline: Sendable {
    /// The page: how long each written bar is.
    let layout: Layout
    let order: PlayOrder
    private let firstNumber: Int
    /// How many bars are played, repeats and jumps counted.
    public var barCount: Int { order.barCount }
    /// How many lines are played; each pass of a repeated line counts, and so does a line that a jump goes into.
    public var lineCount: Int { order.lineCount }
    /// The duration of the whole, as written.
    public var total: Duration { order.total }

    /// Lays out a score, in the order that it asks for. Linear in its written bars.
    ///
    /// Reading a score checks it. What is out of range in a score that a program has made is held within the limits that
    /// reading has, and a score without any bar is a bar of one second.
    public init(_ score: Score) {
        let layout = Layout(score)
        let order = PlayOrder(layout, sections: score.playedSections)
        firstNumber = score.firstBar &- score.pickup
        if order.barCount > 0 {
            (self.layout, self.order) = (layout, order)
        } else {
            self.layout = Layout(Score(lines: [Score.Line(bars: [Score.Bar(.seconds(1))])]))
            self.order = PlayOrder(self.layout, sections: [0])
        }
    }

    /// Where bar `index` begins, counted from the start of the piece; `barCount` and above give the end.
    public func start(ofBar index: Int) -> Duration {
        guard index < barCount else { return total }
        let index = max(index, 0)
        let stretch = stretch(index)
        return stretch.start + (layout.start(ofBar: stretch.page.lowerBound + index - stretch.bar) - stretch.pageStart)
    }

    /// Bar `index` (0 ..< barCount) with its place, start, duration and what is written about it; indices outside give the
    /// first or the last bar, as positions do.
    public subscript(index: Int) -> TimedBar {
        let index = min(max(index, 0), barCount - 1)
        let stretch = stretch(index)
        let page = pageBar(index)
        let section = layout.sections[page.section]
        let written = layout.written(page)
        return TimedBar(
            index: index, section: section.label, isSectionStart: page.index == section.bars.lowerBound,
            line: stretch.line + page.line - stretch.pageLine + 1, bar: page.bar + 1,
            barsInLine: layout.barsInLine(page), number: firstNumber &+ page.written,
            start: stretch.start + (page.start - stretch.pageStart), duration: layout.duration(page),
            label: written.label.isEmpty ? page.lineLabel : written.label, drone: layout.drone(page),
            written: written)
    }

    /// The bar that `position` (from the start of the piece) lies in; positions outside give the first or last.
    public func bar(at position: Duration) -> Int {
        guard position > .zero else { return 0 }
        guard position < total else { return barCount - 1 }
        let stretch = order.stretches[order.stretches.lastIndex { $0.start <= position }]
        return stretch.bar - stretch.page.lowerBound + layout.bar(at: stretch.pageStart + (position - stretch.start))
    }

    /// The bars of line `line` (1 ... lineCount), and the number that the first of them has in its line: above 1 where a
    /// jump goes into the line; nil for no such line.
    public func line(_ line: Int) -> (bars: Range<Int>, firstNumber: Int)? {
        guard line >= 1, line <= lineCount else { return nil }
        let stretch = order.stretches[order.stretches.lastIndex { $0.line < line }]
        let whole = layout.bars(ofLine: stretch.pageLine + line - 1 - stretch.line)
        let played = whole.clamped(to: stretch.page)
        let shift = stretch.bar - stretch.page.lowerBound
        return (
            played.lowerBound + shift..<played.upperBound + shift, played.lowerBound - whole.lowerBound + 1
        )
    }

    /// The bars of line `line` (1 ... lineCount); nil for no such line.
    public func bars(ofLine line: Int) -> Range<Int>? { self.line(line)?.bars }

    /// The bars that a label names, where they are first played: a bar, a line's first pass whole, or a section, group or
    /// fragment whole, as far as it is played in one go; nil for no such label.
    public func bars(labeled label: String) -> Range<Int>? {
        guard !label.isEmpty else { return nil }
        for stretch in order.stretches {
            for section in layout.sections(in: stretch.page) {
                guard let found = layout.bars(labeled: label, in: section), stretch.page.contains(found.lowerBound)
                else { continue }
                let shift = stretch.bar - stretch.page.lowerBound
                return found.lowerBound + shift..<min(found.upperBound, stretch.page.upperBound) + shift
            }
        }
        return nil
    }

    /// Every label in the order of the page, for suggesting one. Linear.
    package var labels: [String] { layout.labels }

    func pageBar(_ index: Int) -> PageBar {
        let index = min(max(index, 0), barCount - 1)
        let stretch = stretch(index)
        return layout.bar(stretch.page.lowerBound + index - stretch.bar)
    }

    private func stretch(_ index: Int) -> PlayOrder.Stretch {
        order.stretches[order.stretches.lastIndex { $0.bar <= index }]
    }
}

/// A bar of a timeline: where it stands, in the score and in time.
public struct TimedBar: Sendable, Equatable {
    /// 0 for the first bar that is played.
    public var index: Int
    /// The label of its section; empty for none.
    public var section: String
    /// Whether it is the first bar of its section.
    public var isSectionStart: Bool
    /// The line it stands in, from 1; each pass of a repeated line counts.
    public var line: Int
    /// Its number within the line, from 1.
    public var bar: Int
    /// How many bars its line has.
    public var barsInLine: Int
    /// Its number on the page, as printed music counts: repeats not counted, a pickup counted down to the first bar.
    public var number: Int
    /// Where it begins, counted from the start of the piece, as written.
    public var start: Duration
    /// How long it is, as written, its holds with it.
    public var duration: Duration
    /// Its label; the first bar of a line, group or fragment that has none takes that one's. Empty for none.
    public var label: String
    /// What has become of the drone on the page up to here; nil for nothing.
    public var drone: DroneChange?
    /// The bar as it is written, with all that is said about it.
    public var written: Score.Bar

    /// The word for the player; empty for none.
    public var cue: String { written.cue }
}
