public import Scores

/// A score laid out in time. The start of each bar is an exact sum, never added up while playing.
///
/// Repeats cost nothing: a pass is found by multiplication. One sum is kept for every 16 written bars.
public struct Timeline: Sendable {
    /// The page, with the duration of each written bar.
    let layout: Layout
    let order: PlayOrder
    private let firstNumber: Int
    /// Whether the author gave numbers to bars, so that they are shown and spoken as places.
    package let isNumbered: Bool
    /// Who plays it, if several voices sound at the same time.
    public let voice: Score.VoiceMark
    /// The other voices, which begin with this leading one. It ends with a silent bar if others are longer.
    public let companions: [Timeline]
    /// All voices, the leading one first; empty if there is only one, without a channel of its own.
    public var voices: [Score.VoiceMark] {
        companions.isEmpty && voice.channel == nil ? [] : [voice] + companions.map(\.voice)
    }
    private let pickup: Int
    /// The timecode at which the score starts; nil if it has none.
    let timecode: Timecode?
    /// The texts that a voice says at times and distances of the piece.
    let remarks: [Remark]
    /// Whether these count on from one pass to the next, because the piece starts again at its end until stopped.
    let remarksContinue: Bool
    /// The hit points in their order; empty if the score has none, or has some that cannot be met.
    public var hits: [HitPoint] { layout.hits }
    /// The labels to which a jump goes that is not taken, because the order leaves out the section with this label.
    package var missedJumps: [String] { order.missed }
    /// The number of bars that are played, including repeats and jumps.
    public var barCount: Int { order.barCount }
    /// The number of lines that are played. Each pass of a line counts, and each line that a jump goes into.
    public var lineCount: Int { order.lineCount }
    /// The total duration, as written.
    public var total: Duration { order.total }

    /// Lays out a score in its playing order. Linear in its written bars.
    ///
    /// A score that was read has been checked. In a score that a program has made, values are clamped only so far that no
    /// sum overflows: a bar or a hold lasts at most 10⁹ s, a bar of seconds at least an attosecond, and a line or group has
    /// at most as many passes as make 10¹⁰ bars or 10⁶ hours. A score without bars becomes one bar of a second.
    public init(_ score: Score) {
        self.init(score, Layout(score))
    }

    /// The same for a score whose page has been laid out.
    package init(_ score: Score, _ layout: Layout) {
        let companions = score.companions.prefix(Score.voiceLimit - 1)
        self.init(
            score, layout, score.voice, companions.map { Timeline($0.music, Layout($0.music), $0.voice, []) })
    }

    private init(_ score: Score, _ layout: Layout, _ voice: Score.VoiceMark, _ companions: [Timeline]) {
        var layout = layout
        var order = PlayOrder(layout, sections: score.playedSections)
        if order.barCount == 0 {
            layout = Layout(Score(lines: [Score.Line(bars: [Score.Bar(.seconds(1))])]))
            order = PlayOrder(layout, sections: [0])
        } else if let longest = companions.map(\.total).max(), longest > order.total + SameMoment.tolerance,
            score.brackets.isEmpty
        {
            var padded = score
            padded.sections.append(Score.Section(rest: longest - order.total))
            layout = Layout(padded)
            order = PlayOrder(layout, sections: score.playedSections, rest: score.sections.count)
        }
        (self.layout, self.order) = (layout, order)
        firstNumber = score.firstBar &- score.pickup
        pickup = score.pickup
        isNumbered =
            score.firstBar != 1 || score.pickup != 0 || layout.sections.contains { layout.nodes[$0.node].hasNumbers }
        timecode = score.timecode
        (remarks, remarksContinue) = (score.remarks, score.isEndless)
        (self.voice, self.companions) = (voice, companions)
    }

    /// The start of bar `index`, counted from the start of the piece; `barCount` and above give the end.
    public func start(ofBar index: Int) -> Duration {
        guard index < barCount else { return total }
        let index = max(index, 0)
        let excerpt = excerpt(index)
        return excerpt.start + (layout.start(ofBar: excerpt.page.lowerBound + index - excerpt.bar) - excerpt.pageStart)
    }

    /// Bar `index`, clamped to 0 ..< barCount, with its place, start, duration and details.
    public subscript(index: Int) -> TimedBar {
        let index = min(max(index, 0), barCount - 1)
        let excerpt = excerpt(index)
        let page = pageBar(index)
        let section = layout.sections[page.section]
        let written = layout.written(page)
        let number = layout.number(page, first: firstNumber)
        // A count of the bars says nothing more than the place does.
        let isCount = number == .counted(page.bar + 1) || !isNumbered && number == .counted(index + 1)
        return TimedBar(
            index: index, heading: section.heading, isSectionStart: page.index == section.bars.lowerBound,
            line: excerpt.line + page.line - excerpt.pageLine + 1, bar: page.bar + 1,
            barsInLine: layout.barsInLine(page), number: number,
            printedNumber: isCount ? nil : number, start: excerpt.start + (page.start - excerpt.pageStart),
            duration: layout.duration(page),
            label: Timeline.label(written, in: page), drone: layout.drone(page),
            written: written)
    }

    /// The labels that begin with a bar, from the outermost to its own, each once.
    private static func label(_ written: Score.Bar, in page: PageBar) -> String {
        guard let last = page.outerLabels.last else { return written.label }
        guard page.outerLabels.count > 1 || !written.label.isEmpty && written.label != last else { return last }
        var labels: [String] = []
        for label in page.outerLabels + [written.label] where !label.isEmpty && !labels.contains(label) {
            labels.append(label)
        }
        return labels.joined(separator: ", ").cutToTextLimit
    }

    /// The hit points in bar `index`.
    package func hits(inBar index: Int) -> [HitPoint] {
        guard !layout.hits.isEmpty else { return [] }
        let page = pageBar(index).index
        let last = layout.hits.lastIndexByHalving { $0.bar < page }
        let first = layout.hits[last].bar < page ? last + 1 : last
        return Array(layout.hits[first...].prefix { $0.bar == page })
    }

    /// The hit points in a span of time, in order.
    package func hits(during span: Range<Duration>) -> ArraySlice<HitPoint> {
        guard !layout.hits.isEmpty else { return [] }
        let last = layout.hits.lastIndexByHalving { $0.time < span.lowerBound }
        let first = layout.hits[last].time < span.lowerBound ? last + 1 : last
        return layout.hits[first...].prefix { $0.time < span.upperBound }
    }

    /// The bar that `position`, from the start of the piece, lies in; the first or last if it lies outside.
    public func bar(at position: Duration) -> Int {
        guard position > .zero else { return 0 }
        guard position < total else { return barCount - 1 }
        let excerpt = order.excerpts[order.excerpts.lastIndexByHalving { $0.start <= position }]
        return excerpt.bar - excerpt.page.lowerBound + layout.bar(at: excerpt.pageStart + (position - excerpt.start))
    }

    /// The bars of line `line` (1 ... lineCount), and the number of the first of them within the line: above 1 if a
    /// jump goes into the line; nil if there is no such line.
    public func line(_ line: Int) -> (bars: Range<Int>, firstNumber: Int)? {
        guard line >= 1, line <= lineCount else { return nil }
        let excerpt = order.excerpts[order.excerpts.lastIndexByHalving { $0.line < line }]
        let whole = layout.bars(ofLine: excerpt.pageLine + line - 1 - excerpt.line)
        let played = whole.clamped(to: excerpt.page)
        let shift = excerpt.bar - excerpt.page.lowerBound
        return (played.lowerBound + shift..<played.upperBound + shift, played.lowerBound - whole.lowerBound + 1)
    }

    /// The bars of line `line` (1 ... lineCount); nil if there is no such line.
    public func bars(ofLine line: Int) -> Range<Int>? { self.line(line)?.bars }

    /// The bars that a label names, where they are first played from their beginning: a bar, a pass of a line, or a section,
    /// group or fragment, cut at the first jump out of it. Several labels as a bar shows them, `A, B`, stand for the last of
    /// them. Nil if no bar that is played shows this label.
    public func bars(labeled label: String) -> Range<Int>? {
        guard !label.isEmpty else { return nil }
        for excerpt in order.excerpts {
            for section in layout.sections(in: excerpt.page) {
                guard let found = layout.bars(labeled: label, in: section, among: excerpt.page) else { continue }
                return found.clamped(to: excerpt.page).shifted(by: excerpt.bar - excerpt.page.lowerBound)
            }
        }
        guard label.contains(", ") else { return nil }
        return label.split(separator: ", ").reversed().lazy.compactMap { bars(labeled: String($0)) }
            .first { self[$0.lowerBound].label == label }
    }

    /// The bar in which a number of the page is played for the nth time, from 1; nil if there is none.
    package func bar(numbered number: BarNumber, pass: Int = 1) -> Int? {
        guard pass >= 1 else { return nil }
        var left = pass
        for excerpt in order.excerpts {
            let range = excerpt.page
            let before = layout.bars(numbered: number, before: range.lowerBound, first: firstNumber)
            let count = layout.bars(numbered: number, before: range.upperBound, first: firstNumber) - before
            guard count < left else {
                // The first bar of the page before whose end there are as many.
                var (low, high) = (range.lowerBound, range.upperBound - 1)
                while low < high {
                    let middle = low + (high - low) / 2
                    let found = layout.bars(numbered: number, before: middle + 1, first: firstNumber) - before
                    if found >= left { high = middle } else { low = middle + 1 }
                }
                return excerpt.bar + low - range.lowerBound
            }
            left -= count
        }
        return nil
    }

    /// How many times a number of the page is played.
    package func passes(ofNumber number: BarNumber) -> Int {
        order.excerpts.reduce(0) { sum, excerpt in
            let (from, to) = (excerpt.page.lowerBound, excerpt.page.upperBound)
            return sum + layout.bars(numbered: number, before: to, first: firstNumber)
                - layout.bars(numbered: number, before: from, first: firstNumber)
        }
    }

    /// Every label in the order of the page, for suggestions. Linear.
    package var labels: [String] { layout.labels }

    /// The parts of labels that are several, such as `V` of `vn, V`, with the whole label; without those that several have.
    package var partsOfLabels: [String: String] {
        var found: [String: String?] = [:]
        for label in labels where label.contains(", ") {
            for part in label.split(separator: ", ").map(String.init) {
                found[part] = .some(found[part, default: label] == label ? label : nil)
            }
        }
        return found.compactMapValues(\.self)
    }

    /// The tempo from the beginning of bar `index` on; nil if the bar has no meter.
    package func tempo(ofBar index: Int) -> TempoCurve? {
        let page = pageBar(index)
        return layout.written(page).meter == nil ? nil : layout.curve(page)
    }

    /// The note value that the tempo of bar `index` counts on the page; nil if the bar has no meter.
    package func tempoUnit(ofBar index: Int) -> Fraction? {
        let page = pageBar(index)
        return layout.written(page).meter == nil ? nil : layout.unit(page)
    }

    func pageBar(_ index: Int) -> PageBar {
        let index = min(max(index, 0), barCount - 1)
        let excerpt = excerpt(index)
        return layout.bar(excerpt.page.lowerBound + index - excerpt.bar)
    }

    /// Whether bar `index` belongs to the pickup.
    func isPickup(_ index: Int) -> Bool { pageBar(index).count.written < pickup }

    private func excerpt(_ index: Int) -> PlayOrder.Excerpt {
        order.excerpts[order.excerpts.lastIndexByHalving { $0.bar <= index }]
    }
}

/// A bar of a timeline: its place in the score, and its time.
public struct TimedBar: Sendable, Equatable {
    /// 0 for the first bar that is played.
    public var index: Int
    /// What stands above its section.
    public var heading: Score.Section.Heading
    /// Whether it is the first bar of its section.
    public var isSectionStart: Bool
    /// The number of its line, from 1; each pass of a repeated line counts.
    public var line: Int
    /// Its number within the line, from 1.
    public var bar: Int
    /// The number of bars in its line.
    public var barsInLine: Int
    /// Its number on the page, as in printed music: every pass has the same, and a pickup counts up to the first bar.
    public var number: BarNumber
    /// The same where it says more than the place: nil if it is only the bar's count in its line or in the piece.
    public var printedNumber: BarNumber?
    /// Its start, as written, counted from the start of the piece.
    public var start: Duration
    /// Its duration as written, including its holds.
    public var duration: Duration
    /// Its label; empty for none. The first bar of a line, group or fragment takes the label of that.
    public var label: String
    /// The changes of the drone on the page up to here; nil if there are none.
    public var drone: DroneChange?
    /// The bar as written, with all its details.
    public var written: Score.Bar

    /// The label of its section; empty for none.
    @inlinable public var section: String { heading.label }
    /// The word for the player; empty for none.
    public var cue: String { written.cue }
    /// Its number on the page, `no. 57`; empty where that is only the count of bars that its place tells.
    package var saidNumber: String { printedNumber?.said ?? "" }
}
