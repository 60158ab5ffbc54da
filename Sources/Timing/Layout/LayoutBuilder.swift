internal import Languages
internal import Scores

/// Lays out a page: walks through the written score once, with the tempo and the drone at each place.
struct LayoutBuilder {
    let score: Score
    private var out = Layout()
    var state: PageState
    private(set) var container = Score.Container.section(0)
    /// The number of lines before this one in the container.
    private(set) var line = 0
    private(set) var depth = 0
    private var size = LaidSize()
    /// What is found of hits.
    var survey: HitSurvey
    /// How the tempo before each hit is fitted; empty if that is not known yet.
    let fits: [TempoFit]
    /// What has a tempo of the current line.
    private(set) var metered = MeteredTime()
    private var fragments: [String: Int] = [:]
    /// The fragments that have been laid out, by the tempo and drone where they are used.
    private var laidFragments: [FragmentUse: (node: Int, after: PageState)] = [:]

    private struct FragmentUse: Hashable {
        var fragment: Int
        var state: PageState
    }

    /// A node, and the jumps after its bars.
    private struct Laid {
        var node: Int
        var jumps: [Layout.PlacedJump] = []
    }

    /// The rest of the section or fragment after a part.
    private indirect enum Following {
        case nothing
        case parts(ArraySlice<Score.Part>, then: Following)
    }

    /// How deep fragments can be nested.
    static let depthLimit = 32

    init(_ score: Score, fits: [TempoFit] = []) {
        self.score = score
        self.fits = fits
        survey = HitSurvey(score)
        state = PageState(score.tempo)
        state.fit = fits.first ?? .asWritten
        for (number, fragment) in score.fragments.enumerated() where fragments[fragment.name] == nil {
            fragments[fragment.name] = number
        }
    }

    mutating func layout() -> Layout {
        var (bars, lines, count, start) = (0, 0, BarCount(), Duration.zero)
        let sections = score.brackets.isEmpty ? score.sections : [score.sectionOfBrackets]
        out.sections.reserveCapacity(sections.count)
        for (number, section) in sections.enumerated() {
            (container, line) = (.section(number), 0)
            take(section.tempo)
            let laid = sequence(section.parts, rest: .nothing)
            let node = out.nodes[laid.node]
            out.sections.append(
                Layout.Section(
                    heading: section.heading, bars: bars..<bars + node.bars, firstLine: lines, count: count,
                    start: start, node: laid.node, jumps: laid.jumps.map { $0.moved(by: bars) }))
            bars += node.bars
            lines += node.lines
            count = count + node.count
            start += node.duration
            checkSize(bars, start)
        }
        return out
    }

    // MARK: - Parts

    private mutating func sequence(_ parts: [Score.Part], rest: Following) -> Laid {
        var joined = Joined()
        joined.children.reserveCapacity(parts.count)
        for (i, part) in parts.enumerated() {
            let laid = lay(part, rest: .parts(parts[(i + 1)...], then: rest))
            joined.append(laid.node, out.nodes[laid.node], laid.jumps)
        }
        // A sequence of one part is that part.
        if joined.children.count == 1 { return Laid(node: joined.children[0].node, jumps: joined.jumps) }
        return Laid(node: add(joined.node), jumps: joined.jumps)
    }

    private mutating func lay(_ part: Score.Part, rest: Following) -> Laid {
        switch part {
        case .line(let line):
            return nested(line.passes > 1) { builder in
                builder.repeated(builder.leaf(line, rest: rest), line.passes)
            }
        case .group(let group): return nested(group.passes > 1 || !group.endings.isEmpty) { $0.lay(group, rest: rest) }
        case .use(let use): return nested(true) { $0.lay(use) }
        }
    }

    /// Lays out a part. If it is `nested`, it may be played several times or in several places, and has no hits.
    private mutating func nested(_ isNested: Bool, _ lay: (inout Self) -> Laid) -> Laid {
        guard isNested else { return lay(&self) }
        survey.nesting += 1
        let before = state.point
        let laid = lay(&self)
        survey.nesting -= 1
        let node = out.nodes[laid.node]
        if node.metered.notes > 0 { survey.enter(before, hasSpeed: false) }
        survey.pass(node)
        survey.leave(state.point)
        return laid
    }

    private mutating func lay(_ use: Score.Use) -> Laid {
        var node = fragment(use.fragment).map { out.nodes[$0] } ?? Layout.Node(content: .sequence([]))
        // A fragment without bars counts as missing.
        guard node.bars > 0 else { return Laid(node: add(node)) }
        node.label = use.label
        return repeated(Laid(node: add(node)), use.passes)
    }

    private mutating func lay(_ group: Score.Group, rest: Following) -> Laid {
        let next = group.endings.first.map { Following.parts($0.parts[...], then: rest) } ?? rest
        let body = sequence(group.parts, rest: next)
        let bodyNode = out.nodes[body.node]
        let behindBody = state
        var behind = behindBody
        var count = bodyNode.count
        var hasNumbers = bodyNode.hasNumbers
        var endings: [(laid: Laid, count: BarCount)] = []
        for ending in group.endings {
            state = behindBody
            let laid = sequence(ending.parts, rest: rest)
            endings.append((laid, count))
            count = count + out.nodes[laid.node].count
            hasNumbers = hasNumbers || out.nodes[laid.node].hasNumbers
            if ending.passes.contains(where: { $0.contains(group.passes) }) { behind = state }
        }
        state = behind
        var runs = Joined()
        for (passes, ending) in group.runs {
            var pass = Joined()
            pass.append(body.node, bodyNode, passes.upperBound == group.passes ? body.jumps : [])
            if let ending {
                let (laid, before) = endings[ending]
                let isLast = !group.endings[ending].passes.contains { $0.upperBound > passes.upperBound }
                pass.append(laid.node, out.nodes[laid.node], isLast ? laid.jumps : [], count: before)
            }
            let laid = repeated(Laid(node: add(pass.node), jumps: pass.jumps), passes.count)
            runs.append(laid.node, out.nodes[laid.node], laid.jumps, count: BarCount())
        }
        var node = runs.node
        node.label = group.label
        (node.count, node.hasNumbers) = (count, hasNumbers)
        return Laid(node: add(node), jumps: runs.jumps)
    }

    /// The node of a fragment with the current tempo and drone; nil if there is no such fragment.
    private mutating func fragment(_ name: String) -> Int? {
        guard let number = fragments[name] else { return nil }
        // A fragment can only use the fragments before it, so there is no recursion.
        if case .fragment(let outer) = container, number >= outer { return nil }
        guard depth < LayoutBuilder.depthLimit else {
            report(localized("fragments use each other more than \(LayoutBuilder.depthLimit) deep"))
            return nil
        }
        let use = FragmentUse(fragment: number, state: state)
        if let known = laidFragments[use] {
            state = known.after
            return known.node
        }
        let before = (container, line, depth)
        (container, line, depth) = (.fragment(number), 0, depth + 1)
        let laid = sequence(score.fragments[number].parts, rest: .nothing)
        (container, line, depth) = before
        laidFragments[use] = (laid.node, state)
        return laid.node
    }

    private mutating func repeated(_ laid: Laid, _ passes: Int) -> Laid {
        let once = out.nodes[laid.node]
        guard passes > 1, once.bars > 0 else { return laid }
        checkSize(clamped(once.bars, times: passes), clamped(once.duration, times: passes), passes: passes)
        let passes = possible(passes, of: once)
        let node = Layout.Node(
            bars: once.bars * passes, lines: once.lines * passes, count: once.count,
            hasNumbers: once.hasNumbers, duration: once.duration * passes,
            lastWait: once.lastWait.map { $0 + once.bars * (passes - 1) },
            metered: once.metered.times(passes), content: .passes(node: laid.node, count: passes))
        let behind = node.bars - once.bars
        return Laid(node: add(node), jumps: laid.jumps.map { $0.moved(by: behind) })
    }

    private mutating func add(_ node: Layout.Node) -> Int {
        out.nodes.append(node)
        return out.nodes.count - 1
    }

    // MARK: - Lines

    private mutating func leaf(_ line: Score.Line, rest: Following) -> Laid {
        take(line.tempo)
        guard size.hasRoom(for: line.bars.count) else {
            report(localized("with its fragments written out, the page has too many bars"))
            return Laid(node: add(Layout.Node(content: .sequence([]))))
        }
        let line = line.clamped
        var leaf = Layout.Leaf(bars: line.bars)
        leaf.sums.reserveCapacity((line.bars.count + Layout.stride - 1) / Layout.stride)
        var sum = Duration.zero
        var jumps: [Layout.PlacedJump] = []
        var lastWait: Int?
        metered = MeteredTime(isUniform: line.tempo == nil || survey.nesting == 0)
        if let drone = state.drone { leaf.drones.append(Layout.At(bar: 0, value: drone)) }
        for (i, bar) in line.bars.enumerated() {
            if i % Layout.stride == 0 { leaf.sums.append(sum) }
            var duration = bar.duration
            if !bar.isPlain {
                duration = lay(bar, i, line, &leaf, rest, start: sum)
                if let jump = bar.details.jump {
                    jumps.append(Layout.PlacedJump(bar: i, jump: jump, written: (self.line, i)))
                    survey.hasJump = true
                }
                if bar.details.holds.contains(where: \.waits) { lastWait = i }
                if duration != bar.duration, leaf.durations.isEmpty {
                    leaf.durations = line.bars[..<i].map(\.duration)
                    leaf.durations.reserveCapacity(line.bars.count)
                }
            }
            if !leaf.durations.isEmpty || duration != bar.duration { leaf.durations.append(duration) }
            sum += duration
        }
        out.leaves.append(leaf)
        self.line += 1
        let node = Layout.Node(
            label: line.label, bars: line.bars.count, lines: 1, count: leaf.count(before: line.bars.count),
            hasNumbers: !leaf.numbers.isEmpty, duration: sum,
            lastWait: lastWait, metered: metered, content: .line(out.leaves.count - 1))
        survey.pass(node)
        if case .fragment = container { jumps = [] }
        return Laid(node: add(node), jumps: jumps)
    }

    /// Applies a tempo mark.
    mutating func take(_ mark: TempoMark?) {
        guard let mark else { return }
        survey.mark()
        state.take(mark)
    }

    /// Applies the marks of a bar, which begins at `start` in its line, and returns its duration.
    private mutating func lay(
        _ bar: Score.Bar, _ index: Int, _ line: Score.Line, _ leaf: inout Layout.Leaf, _ rest: Following,
        start: Duration
    ) -> Duration {
        let details = bar.details
        size.describedBars += 1
        if let change = details.drone {
            let drone = (state.drone ?? DroneChange()).then(change)
            state.drone = drone
            leaf.drones.append(Layout.At(bar: index, value: drone))
            if out.droneChange == nil {
                let error = TextError(
                    localized("a drone in a bar is heard only if its voice leads"),
                    hint: localized("write it in a bar of the first voice"))
                out.droneChange = Layout.Problem(error: error, line: self.line, bar: index, container: container)
            }
        }
        if let number = details.number {
            let count = leaf.count(before: index) + BarCount(number)
            leaf.numbers.append(Layout.At(bar: index + 1, value: count))
        }
        if !details.holds.isEmpty { out.hasHolds = true }
        if details.warning != nil { out.hasWarnings = true }
        let hits = hits(of: details, index)
        for hit in hits where hit.position == nil { reach(hit, index, start: start, music: .zero) }
        take(details.tempo)
        func begin(_ builder: inout LayoutBuilder, _ ramp: Ramp, _ place: Fraction?) {
            builder.begin(ramp, at: place, of: details, index, line.bars[(index + 1)...], rest)
        }
        if let ramp = details.ramp { begin(&self, ramp, nil) }
        let unit = state.point.value
        let curve = self.curve(of: details, index, start: start, hits, begin)
        let duration = PageState.duration(of: bar, details, curve)
        if let meter = details.meter {
            if leaf.units.last?.value != unit { leaf.units.append(Layout.At(bar: index, value: unit)) }
            if leaf.curves.last?.value != curve { leaf.curves.append(Layout.At(bar: index, value: curve)) }
            let isUniform = details.speed == nil && !details.changesTempo
            metered.add(
                MeteredTime(
                    duration: min(PageState.music(of: bar, details, curve), .seconds(1_000_000_000)),
                    notes: meter.length.value,
                    isUniform: isUniform || survey.nesting == 0))
            survey.leave(state.point)
        }
        check(bar, details, duration, index)
        checkHolds(details, curve, index)
        return min(duration, .seconds(1_000_000_000))
    }

    /// Begins a ramp at a place of a bar, nil for its beginning.
    private mutating func begin(
        _ ramp: Ramp, at place: Fraction?, of bar: Score.Details, _ index: Int, _ following: ArraySlice<Score.Bar>,
        _ rest: Following
    ) {
        survey.mark(isRamp: true)
        switch ramp.span {
        case .beats(let count): state.begin(ramp, over: (ramp.target.value * count).value)
        case .bars(let count):
            let reach = reach(of: count, from: place, of: bar, following, rest)
            if reach.bars < count { report(.rampTooLong(over: count, reach: reach.bars), index) }
            state.begin(ramp, over: reach.length)
        }
    }

    /// The length in whole notes of `count` bars with a meter from here, of which the first may have begun, or of those
    /// before the next tempo if fewer.
    private func reach(
        of count: Int, from place: Fraction?, of bar: Score.Details, _ following: ArraySlice<Score.Bar>,
        _ rest: Following
    ) -> (bars: Int, length: Double) {
        var reach = RampReach(wanted: count)
        reach.add(bar, from: place)
        reach.add(following)
        var rest = rest
        while !reach.isOver, case .parts(let parts, let then) = rest {
            reach.add(parts) { fragments[$0].map { score.fragments[$0].parts } ?? [] }
            rest = then
        }
        return (reach.bars, reach.length)
    }

    // MARK: - Problems

    private mutating func check(_ bar: Score.Bar, _ details: Score.Details, _ duration: Duration, _ index: Int) {
        let music = details.meter == nil && details.speed == nil ? bar.duration : duration
        let range = DurationUse.bar.range
        if music < range.lowerBound { report(.barTooShort(music), index) }
        if duration > range.upperBound { report(.barTooLong, index) }
    }

    /// Reports holds after the end of a bar whose length depends on the tempo.
    private mutating func checkHolds(_ details: Score.Details, _ curve: TempoCurve, _ index: Int) {
        guard let meter = details.meter else { return }
        for case .offset(let offset) in details.holds.map(\.place) {
            let length = curve.duration(of: meter.length)
            if offset > length { report(.holdAfterBar(offset, length), index) }
        }
    }

    /// Reports a part that is too large, once: everything that contains it is too large as well.
    private mutating func checkSize(_ bars: Int, _ duration: Duration, passes: Int? = nil) {
        if let excess = PieceSize.excess(bars: bars, duration: duration) { report(excess, passes: passes) }
    }

    private mutating func report(_ excess: String, passes: Int? = nil) {
        guard !out.problems.contains(where: { $0.bar == nil }) else { return }
        out.problems.append(Layout.Problem(error: TextError(excess), line: line, passes: passes, container: container))
    }

    mutating func report(_ error: TextError, _ bar: Int) {
        guard out.problems.count < 100 else { return }
        out.problems.append(Layout.Problem(error: error, line: line, bar: bar, container: container))
    }

    /// `passes`, or as many as can be computed. A larger number has been reported.
    private func possible(_ passes: Int, of node: Layout.Node) -> Int {
        let byDuration = (Score.durationLimit * 100).attoseconds / max(node.duration.attoseconds, 1)
        return max(min(passes, 10 * Score.barLimit / node.bars, Int(clamping: byDuration)), 1)
    }

    /// Clamped to more than any piece may have: the error has been reported, and the sums must not overflow.
    private func clamped(_ count: Int, times passes: Int) -> Int {
        let (product, overflow) = count.multipliedReportingOverflow(by: passes)
        return overflow ? 10 * Score.barLimit : min(product, 10 * Score.barLimit)
    }

    private func clamped(_ duration: Duration, times passes: Int) -> Duration {
        let limit = Score.durationLimit * 100
        return min(min(duration, limit) * min(passes, 1_000_000_000), limit)
    }
}
