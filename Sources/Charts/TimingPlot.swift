internal import Languages
internal import Scores
internal import Timing

/// A plot of a timing log as text: error over time in braille dots, two by four to a character.
///
/// Each column of dots reaches from the least to the greatest error in its time. Outliers are marked at the edge, and
/// the legend says how far out they are.
package struct TimingPlot: Sendable {
    private let axes: TimingAxes
    private let quantity: Quantity
    private let columns: Int
    private let rows: Int
    private let hasColor: Bool
    private let bins: [TimingTrace.Bin]
    private let errorTicks: [TimingAxes.Tick]
    private let gutter: Int

    /// What is plotted.
    package enum Quantity: Sendable {
        /// Heard minus nominal time.
        case error
        /// How much later another machine was heard.
        case difference
    }

    private enum Ink: String {
        case dim = "2"
        case red = "31"
        case yellow = "33"
    }

    /// The plot of a trace in a frame of `columns` × `rows` characters (at least 10 × 4). Every line ends with a line
    /// feed; `color` adds ANSI colors.
    ///
    /// The labels of the axes stand outside the frame; those of the error axis take at least 8 characters on its left.
    package static func text(
        of trace: TimingTrace, _ quantity: Quantity = .error, columns: Int = 60, rows: Int = 12, color: Bool = false
    ) -> String {
        guard !trace.bins.isEmpty else { return "" }
        let plot = TimingPlot(trace, quantity, columns: max(columns, 10), rows: max(rows, 4), color: color)
        return plot.lines.map { $0 + "\n" }.joined()
    }

    private init(_ trace: TimingTrace, _ quantity: Quantity, columns: Int, rows: Int, color: Bool) {
        self.quantity = quantity
        let axes = TimingAxes(trace)
        (self.axes, self.columns, self.rows, hasColor) = (axes, columns, rows, color)
        bins = trace.merged { Self.place($0.time, in: axes.time, of: 2 * columns) }
        errorTicks = axes.errorTicks(max(rows / 2, 3))
        gutter = max(errorTicks.map(\.text.count).max() ?? 0, axes.timeFormat.count) + 1
    }

    private var lines: [String] {
        let cells = cells
        var lines = [" " + (quantity == .error ? localized("error in µs") : localized("difference in µs"))]
        for row in 0..<rows {
            let tick = errorTicks.first { self.row(of: $0.value) == row }
            let edge = tick == nil ? "│" : tick?.value == 0 ? "┼" : "┤"
            lines.append((tick?.text ?? "").padding(before: gutter) + " " + painted(edge, .dim) + cells[row])
        }
        lines += timeAxis
        lines += legend
        return lines
    }

    // MARK: - The frame

    /// The index of a value among `count` equal steps of a range; clamped to the first and the last one.
    private static func place(_ value: Double, in range: ClosedRange<Double>, of count: Int) -> Int {
        Int(min(max(TimingAxes.share(value, of: range) * Double(count), 0), Double(count - 1)))
    }

    /// The row of an error, counted from the top.
    private func row(of error: Double) -> Int { rows - 1 - Self.place(error, in: axes.error, of: rows) }

    private func column(of time: Double) -> Int { Self.place(time, in: axes.time, of: columns) }

    /// The rows of the frame from the top: dots, marks at the edges, and the zero line in empty cells.
    private var cells: [String] {
        var dots = Array(repeating: [UInt8](repeating: 0, count: columns), count: rows)
        var isBeyond = Array(repeating: [Bool](repeating: false, count: columns), count: 2)
        for bin in bins where bin.heard > 0 {
            let x = Self.place(bin.time, in: axes.time, of: 2 * columns)
            if bin.greatest > axes.error.upperBound { isBeyond[0][x / 2] = true }
            if bin.least < axes.error.lowerBound { isBeyond[1][x / 2] = true }
            guard bin.least <= axes.error.upperBound, bin.greatest >= axes.error.lowerBound else { continue }
            let top = 4 * rows - 1 - Self.place(bin.greatest, in: axes.error, of: 4 * rows)
            let bottom = 4 * rows - 1 - Self.place(bin.least, in: axes.error, of: 4 * rows)
            for y in top...bottom { dots[y / 4][x / 2] |= Self.dot(column: x % 2, row: y % 4) }
        }
        let zero = axes.error.contains(0) ? row(of: 0) : nil
        return dots.indices.map { row in
            let edge = row == 0 ? 0 : row == rows - 1 ? 1 : nil
            return dots[row].indices.map { column in
                if let edge, isBeyond[edge][column] { return painted(edge == 0 ? "▲" : "▼", .red) }
                let pattern = dots[row][column]
                if pattern == 0 { return row == zero ? painted("┄", .dim) : " " }
                return UnicodeScalar(0x2800 + UInt32(pattern)).map { String(Character($0)) } ?? " "
            }.joined()
        }
    }

    /// The bit of a braille dot; rows and columns are counted from the top left.
    private static func dot(column: Int, row: Int) -> UInt8 {
        row == 3 ? (column == 0 ? 0x40 : 0x80) : UInt8(1) << UInt8(row + 3 * column)
    }

    // MARK: - Below the frame

    /// The time axis and its labels; a label that would run into the one before is left out.
    private var timeAxis: [String] {
        var line = [String](repeating: "─", count: columns)
        var figures = axes.timeFormat.padding(before: gutter) + "  "
        for tick in axes.timeTicks(max(columns / 12, 1)) {
            let column = column(of: tick.value)
            let start = max(gutter + 2 + column - tick.text.count / 2, gutter + 1)
            line[column] = "┬"
            guard start > figures.count || column == 0 else { continue }
            figures = String(figures.prefix(start))
            figures += String(repeating: " ", count: max(start - figures.count, 0)) + tick.text
        }
        let indent = String(repeating: " ", count: gutter + 1)
        return [indent + painted("└" + line.joined(), .dim), figures]
    }

    /// Marks below the times of lost and late boundaries, and the meaning of all marks.
    private var legend: [String] {
        var marks = [String](repeating: " ", count: columns)
        for bin in bins where bin.late > 0 { marks[column(of: bin.time)] = painted("!", .yellow) }
        for bin in bins where bin.lost > 0 { marks[column(of: bin.time)] = painted("×", .red) }
        var words: [String] = []
        if bins.contains(where: { $0.lost > 0 }) { words.append(painted("×", .red) + " " + localized("lost")) }
        if bins.contains(where: { $0.late > 0 }) { words.append(painted("!", .yellow) + " " + localized("late")) }
        let indent = String(repeating: " ", count: gutter + 2)
        var lines = words.isEmpty ? [] : [indent + marks.joined()]
        if let extremes = axes.extremes {
            if extremes.upperBound > axes.error.upperBound {
                words.append(
                    painted("▲", .red) + " "
                        + localized("outliers up to \(extremes.upperBound.fixed(1, signed: true)) µs"))
            }
            if extremes.lowerBound < axes.error.lowerBound {
                words.append(
                    painted("▼", .red) + " "
                        + localized("outliers down to \(extremes.lowerBound.fixed(1, signed: true)) µs"))
            }
        }
        if !words.isEmpty { lines.append(indent + words.joined(separator: "   ")) }
        return lines
    }

    private func painted(_ text: String, _ ink: Ink) -> String {
        hasColor ? "\u{1B}[\(ink.rawValue)m\(text)\u{1B}[0m" : text
    }
}
