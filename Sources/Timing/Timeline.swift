public import Score

/// A score laid out in time: where each bar begins, by exact sums and never by adding up while playing.
///
/// Repeated lines cost nothing: a pass is found by multiplication. One sum is kept for every 16 written bars.
public struct Timeline: Sendable {
    /// The lines as written.
    private let lines: [Score.Line]
    private let rows: [Row]
    /// How many bars are played, repeats counted.
    public let barCount: Int
    /// How many lines are played; each pass of a repeated line counts.
    public let lineCount: Int
    /// The duration of the whole, as written.
    public let total: Duration

    /// A written line: where its first pass stands and how its bars add up.
    private struct Row: Sendable {
        var firstBar: Int
        var firstLine: Int
        var start: Duration
        var pass: Duration
        /// The start within the pass of bars 0, 16, 32 ...
        var sums: [Duration]
    }

    private static let stride = 16

    /// Lays out a score. Linear in its written bars.
    public init(_ score: Score) {
        lines = score.lines
        var rows: [Row] = []
        rows.reserveCapacity(lines.count)
        var (bar, line, start) = (0, 0, Duration.zero)
        for written in lines {
            var sum = Duration.zero
            var sums: [Duration] = []
            sums.reserveCapacity((written.bars.count + Self.stride - 1) / Self.stride)
            for (i, bar) in written.bars.enumerated() {
                if i % Self.stride == 0 { sums.append(sum) }
                sum += bar.duration
            }
            rows.append(Row(firstBar: bar, firstLine: line, start: start, pass: sum, sums: sums))
            bar += written.bars.count * written.passes
            line += written.passes
            start += sum * written.passes
        }
        self.rows = rows
        barCount = bar
        lineCount = line
        total = start
    }

    /// Where bar `index` begins, counted from the start of the piece; `barCount` gives the end.
    public func start(ofBar index: Int) -> Duration {
        guard index < barCount else { return total }
        let (row, pass, bar) = find(index)
        return rows[row].start + rows[row].pass * pass + sum(before: bar, in: row)
    }

    /// Bar `index` (0 ..< barCount) with its place, start, duration and texts.
    public subscript(index: Int) -> TimedBar {
        let (row, pass, bar) = find(index)
        let line = lines[row]
        let written = line.bars[bar]
        return TimedBar(
            index: index, line: rows[row].firstLine + pass + 1, bar: bar + 1, barsInLine: line.bars.count,
            start: rows[row].start + rows[row].pass * pass + sum(before: bar, in: row),
            duration: written.duration,
            label: bar == 0 && written.label.isEmpty ? line.label : written.label, cue: written.cue)
    }

    /// The bar that `position` (from the start of the piece) lies in; positions outside give the first or last.
    public func bar(at position: Duration) -> Int {
        guard position > .zero else { return 0 }
        guard position < total else { return barCount - 1 }
        let row = rows.lastIndex { $0.start <= position }
        let (pass, rest) = (position - rows[row].start).attoseconds
            .quotientAndRemainder(dividingBy: rows[row].pass.attoseconds)
        let within = Duration(attoseconds: rest)
        let block = rows[row].sums.lastIndex { $0 <= within }
        let bars = lines[row].bars
        var bar = block * Self.stride
        var end = rows[row].sums[block] + bars[bar].duration
        while end <= within {
            bar += 1
            end += bars[bar].duration
        }
        return rows[row].firstBar + Int(pass) * bars.count + bar
    }

    /// The first bar of line `line` (1 ... lineCount) and how many bars it has; nil for no such line.
    public func bars(ofLine line: Int) -> Range<Int>? {
        guard line >= 1, line <= lineCount else { return nil }
        let row = rows.lastIndex { $0.firstLine < line }
        let count = lines[row].bars.count
        let first = rows[row].firstBar + (line - 1 - rows[row].firstLine) * count
        return first..<first + count
    }

    /// The bars that carry a label: one bar, or a line's first pass whole; nil for no such label.
    public func bars(labelled label: String) -> Range<Int>? {
        guard !label.isEmpty else { return nil }
        for (row, line) in zip(rows, lines) {
            if line.label == label { return row.firstBar..<row.firstBar + line.bars.count }
            if let bar = line.bars.firstIndex(where: { $0.label == label }) {
                return row.firstBar + bar..<row.firstBar + bar + 1
            }
        }
        return nil
    }

    /// Every label in the order of the score, for suggesting one. Linear.
    public var labels: [String] {
        lines.flatMap { [$0.label] + $0.bars.map(\.label) }.filter { !$0.isEmpty }
    }

    private func find(_ index: Int) -> (row: Int, pass: Int, bar: Int) {
        precondition(index >= 0 && index < barCount, "no such bar")
        let row = rows.lastIndex { $0.firstBar <= index }
        let (pass, bar) = (index - rows[row].firstBar).quotientAndRemainder(dividingBy: lines[row].bars.count)
        return (row, pass, bar)
    }

    private func sum(before bar: Int, in row: Int) -> Duration {
        let block = bar / Self.stride
        var sum = rows[row].sums[block]
        for i in block * Self.stride..<bar { sum += lines[row].bars[i].duration }
        return sum
    }
}

/// A bar of a timeline: where it stands, in the score and in time.
public struct TimedBar: Sendable, Equatable {
    /// 0 for the first bar that is played.
    public var index: Int
    /// The line it stands in, from 1; each pass of a repeated line counts.
    public var line: Int
    /// Its number within the line, from 1.
    public var bar: Int
    /// How many bars its line has.
    public var barsInLine: Int
    /// Where it begins, counted from the start of the piece, as written.
    public var start: Duration
    /// How long it is, as written.
    public var duration: Duration
    /// Its label; a line's first bar that has none takes the line's. Empty for none.
    public var label: String
    /// The word for the player; empty for none.
    public var cue: String
}

extension Array {
    /// The last index whose element satisfies a predicate that holds up to some index (at least the first) and no
    /// further: a binary search.
    fileprivate func lastIndex(_ holds: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if holds(self[middle]) { low = middle } else { high = middle }
        }
        return low
    }
}
