internal import Languages
internal import Scores

/// Combines the rows of a table into sections and lines, and checks their times.
struct CSVRows {
    /// The content of a row.
    struct Row {
        var bar: Score.Bar
        /// When the bar begins, and the number of decimals of that time; nil if there is no such column.
        var start: (time: Duration, decimals: Int)?
        /// The number of decimals of its duration.
        var decimals = 0
        var section = ""
        var line: Int?
        /// Its number on the page; nil if the table does not tell.
        var number: BarNumber?
        /// Whether its cue is shared with an earlier row, so that it takes no more memory.
        var isShared = false
    }

    private var sections: [Score.Section] = []
    private var lines: [Score.Part] = []
    private var bars: [Score.Bar] = []
    private var section = ""
    /// The labels of sections so far, and the number of occurrences of each repeated label.
    private var labels: Set<String> = []
    private var counts: [String: Int] = [:]
    private var line: Int?
    /// When the previous bar began according to its row, in the table's own time.
    private var before: (start: Duration, decimals: Int)?
    private(set) var barCount = 0
    /// The number of the first bar, from which the others are counted.
    private(set) var firstNumber = 1
    private var numbered = NumberedBars()

    init(capacity: Int) { bars.reserveCapacity(capacity) }

    /// Adds a row; returns an error if its time is wrong. If a table says when bars begin, these times are exact and
    /// durations are rounded: a bar lasts until the next one begins.
    mutating func add(_ row: Row) -> TextError? {
        var fault: TextError?
        if let start = row.start {
            if let before, let last = bars.last {
                let written = last.duration
                let exact = start.time - before.start
                // Both starts and the duration may be rounded, each by up to half a unit of its last decimal.
                let tolerance = min(
                    DecimalText.unit(max(start.decimals, before.decimals)) * 3 / 2, .milliseconds(2))
                if (exact - written).magnitude > tolerance {
                    fault = TextError(
                        localized(
                            "this row begins at \(start.time.exactSeconds) s, but the one before it ends at "
                                + "\((before.start + written).exactSeconds) s"),
                        hint: localized("correct the starts, or leave out that column"))
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
        if let number = row.number {
            if barCount == 0, case .counted(let first) = number {
                (firstNumber, numbered) = (first, NumberedBars(first: first))
            }
            numbered.number(&bars[bars.count - 1], number)
        }
        barCount += 1
        return fault
    }

    /// Ends the last section and returns all sections.
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

    /// The label of the section that ends here; a repeated label, as in open form, gets a number.
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
    /// One unit of the last of `decimals` decimals, in seconds.
    static func unit(_ decimals: Int) -> Duration {
        Duration(attoseconds: (0..<max(0, 18 - decimals)).reduce(Int128(1)) { power, _ in power * 10 })
    }
}
