internal import Languages
internal import Scores

/// A picture of how long the columns of a piece were held, session by session: whether it gets better over the days.
/// Readable in light and dark mode.
package enum HeldDays {
    private static let (left, right, top, row) = (150.0, 936.0, 84.0, 24.0)
    /// The colors of what was held too short or too long, or was not measured, and what they mean.
    static let style = ".early { fill: #2059c4 } .late { fill: #c2410c } .none { fill: #e4e7ee }"
    static let dark = ".early { fill: #7fb0ff } .late { fill: #ff9a5c } .none { fill: #2a2f3a }"
    static var legend: [(kind: String, words: String)] {
        [("early", localized("held too short")), ("late", localized("held too long"))]
    }

    /// A row for each session with its name, and for each column the share in per cent by which it was held too long; nil if
    /// it was not measured.
    package static func svg(of sessions: [(name: String, columns: [Double?])], title: String) -> String {
        let widest = max(sessions.map(\.columns.count).max() ?? 0, 1)
        let pitch = min((right - left) / Double(widest), 60)
        let bottom = top + row * Double(max(sessions.count, 1))
        return SVG.chart(
            title, width: 960, height: Int(bottom + 40), style: style, dark: dark
        ) { svg in
            for column in 0..<widest where pitch > 18 {
                svg.addText("middle", left + (Double(column) + 0.5) * pitch, top - 8, "\(column + 1)")
            }
            for (index, session) in sessions.enumerated() {
                let y = top + Double(index) * row
                svg.addText("end", left - 8, y + row - 8, session.name)
                for (column, percent) in session.columns.enumerated() {
                    let x = left + Double(column) * pitch
                    let shown = percent.map { "\($0 > 0 ? "+" : "")\($0.roundedText) %" } ?? "–"
                    svg.addCell(percent.map { $0 / 100 }, x, y, width: pitch, height: row, shown)
                    if pitch > 40, let percent {
                        svg.addText("middle", x + pitch / 2, y + row - 8, percent.signedWhole)
                    }
                }
            }
            svg.addLegend(legend, from: left, bottom + 24)
        }
    }
}

extension SVG {
    /// Adds a cell that is the stronger colored the more it was held too long or too short; a fifth is as strong as it gets.
    mutating func addCell(
        _ share: Double?, _ x: Double, _ y: Double, width: Double, height: Double, _ words: String
    ) {
        add(
            "rect",
            [
                "class": share.map { $0 < 0 ? "early" : "late" } ?? "none", "x": x + 1, "y": y + 1, "width": width - 2,
                "height": height - 2, "fill-opacity": share.map { 0.15 + 0.85 * min(abs($0) / 0.2, 1) } ?? 1,
            ]
        ) { $0.add("title", words: words) }
    }
}

extension Double {
    /// A whole number with its sign: `+12`.
    fileprivate var signedWhole: String {
        let whole = Int(Swift.min(Swift.max(rounded(), -9999), 9999))
        return "\(whole > 0 ? "+" : "")\(whole)"
    }
}
