internal import Timing

/// How long the bars of a score were held, in the order in which they were played.
package struct HeldBars: Sendable {
    /// A bar.
    package struct Bar: Sendable {
        /// Its line and its number in it, from 1, and its label.
        package var line: Int
        package var bar: Int
        package var label: String
        /// How long it should last at the speed, and how long it was held, in seconds; nil if that is not known.
        package var written: Double
        package var held: Double?
        /// Whether the player began again with it.
        package var isRestart: Bool

        package init(line: Int, bar: Int, label: String, written: Double, held: Double?, isRestart: Bool) {
            (self.line, self.bar, self.label) = (line, bar, label)
            (self.written, self.held, self.isRestart) = (written, held, isRestart)
        }

        /// How much longer it was held than written, in seconds.
        package var excess: Double? { held.map { $0 - written } }
        /// The same as a share of what is written.
        package var share: Double? { written > 0 ? excess.map { $0 / written } : nil }
    }

    /// A column: the bars with the same number in all lines.
    package struct Column: Sendable {
        package var bar: Int
        /// How many bars were measured.
        package var count: Int
        /// The medians of their excess in seconds and of their shares.
        package var excess: Double
        package var share: Double
    }

    package var bars: [Bar]

    package init(_ bars: [Bar]) { self.bars = bars }

    /// The columns of which some bar was measured, if there is more than one line; otherwise none.
    package var columns: [Column] {
        guard Set(bars.map(\.line)).count > 1 else { return [] }
        let all = Dictionary(grouping: bars.filter { $0.held != nil }, by: \.bar)
        return all.sorted { $0.key < $1.key }.map { bar, bars in
            Column(
                bar: bar, count: bars.count, excess: bars.compactMap(\.excess).median,
                share: bars.compactMap(\.share).median)
        }
    }

    /// The tempo: how fast the bars were played, as a share of the speed; nil if none was measured.
    package var tempo: Double? {
        let measured = bars.filter { $0.held != nil }
        let (written, held) = measured.reduce((0.0, 0.0)) { ($0.0 + $1.written, $0.1 + ($1.held ?? 0)) }
        return held > 0 ? written / held : nil
    }
}
