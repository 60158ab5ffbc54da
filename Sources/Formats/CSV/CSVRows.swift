internal import Scores

/// Puts the rows of a table together to sections and lines, and checks their times.
struct CSVRows {
    /// What a row says.
    struct Row {
        var bar: Score.Bar
        /// When the bar begins, and how many decimals that has; nil for no such column.
        var start: (time: Duration, decimals: Int)?
        /// How many decimals its duration has.
        var decimals = 0
        var section = ""
        var line: Int?
        /// Whether its cue is that of a row before, and costs nothing more.
        var isShared = false
    }

    private var sections: [Score.Section] = []
    private var lines: [Score.Part] = []
    private var bars: [Score.Bar] = []
    private var section = ""
    /// The labels of sections so far, and how often those that came again were there.
    private var labels: Set<String> = []
    private var counts: [String: Int] = [:]
    private var line: Int?
    /// Where the bar before began as its row says, in the table's own time.
    private var before: (start: Duration, decimals: Int)?
    private(set) var barCount = 0

    init(capacity: Int) { bars.reserveCapacity(capacity) }

    /// Takes a row; what is wrong about its place, if anything. Where a table says when bars begin, that is exact and the
    /// durations are rounded: a bar lasts to the beginning of the next.
    mutating func add(_ row: Row) -> TextError? {
        var fault: TextError?
        if let start = row.start {
            if let before, let last = bars.last {
                let written = last.duration
                let exact = start.time - before.start
                // Both starts and the duration may be rounded, each by half of its last decimal.
                let tolerance = min(
                    DecimalText.unit(max(start.decimals, before.decimals)) * 3 / 2, .milliseconds(2))
                if (exact - written).magnitude > tolerance {
                    fault = TextError(
                        "this row begins at \(start.time.exactSeconds) s, but the one before it ends at "
                            + "\((before.start + written).exactSeconds) s",
                        hint: "right the starts, or leave that column out")
                } else if DurationUse.bar.range.contains(exact) {
                    bars[bars.count - 1].duration = exact
                }
            }
            before = (start.time, max(start.decimals, row.decimals))
        }
        if barCount > 0, row.section != section {
            closeSection()
        } else if barCount > 0, row.line != line {
            closeLine()
        }
        (section, line) = (row.section, row.line)
        bars.append(row.bar)
        barCount += 1
        return fault
    }

    /// The sections of all rows.
    mutating func finish() -> [Score.Section] {
        closeSection()
        return sections
    }

    private mutating func closeLine() {
        if !bars.isEmpty { lines.append(.line(Score.Line(bars: bars))) }
        bars = []
    }

    private mutating func closeSection() {
        closeLine()
        if !lines.isEmpty { sections.append(Score.Section(label: freshLabel(), parts: lines)) }
        lines = []
    }

    /// The label of the section that ends here; one that comes again, as in open form, has a number behind it.
    private mutating func freshLabel() -> String {
        guard !section.isEmpty else { return "" }
        var label = section
        while !labels.insert(label).inserted {
            counts[section, default: 1] += 1
            label = "\(section) (\(counts[section, default: 1]))"
        }
        return label
    }
}

extension DecimalText {
    /// One of the last of so many decimals, in seconds.
    static func unit(_ decimals: Int) -> Duration {
        Duration(attoseconds: (0..<max(0, 18 - decimals)).reduce(Int128(1)) { power, _ in power * 10 })
    }
}

extension Duration {
    /// The duration without its sign.
    var magnitude: Duration { self < .zero ? .zero - self : self }
}
