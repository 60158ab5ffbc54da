internal import Glibc
internal import Languages
internal import Scores

/// A picture of how long bars were held: early and late, bar by bar; under it how far they were out of tune, and the columns over
/// the lines. Readable in light and dark mode.
package enum HeldPicture {
    private static let (left, right, top, height) = (64.0, 936.0, 60.0, 180.0)

    /// Draws bars; `cents` says how far each was out of tune, if that is known.
    package static func svg(of held: HeldBars, title: String, cents: [Double?] = []) -> String {
        let lines = Array(Set(held.bars.map(\.line))).sorted()
        let widest = held.bars.map(\.bar).max() ?? 1
        // Lines of one long row say nothing that the first picture does not.
        let hasGrid = lines.count > 1 && widest <= 60 && lines.count <= 400
        let row = 24.0
        let hasCents = cents.contains { $0 != nil }
        let begin = top + height + 70 + (hasCents ? height + 50 : 0)
        let bottom = hasGrid ? begin + row * Double(lines.count + 1) + 16 : begin - 10
        return SVG.chart(
            title, width: 960, height: Int(bottom + 30),
            style: HeldDays.style + " .zero { stroke: #475063 }", dark: HeldDays.dark + " .zero { stroke: #a7b0c2 }"
        ) { svg in
            drawBars(held, held.bars.map(\.excess), top, unit: "s", least: 0.05, in: &svg)
            if hasCents { drawBars(held, cents, top + height + 50, unit: "¢", least: 10, in: &svg) }
            if hasGrid { drawGrid(held, lines, widest, from: begin, row: row, in: &svg) }
            svg.addLegend(HeldDays.legend + [("none", localized("not known"))], from: left, bottom + 14)
        }
    }

    /// A column for each bar, upward if it was held too long, or if it was sharp; a scale shows `least` at least.
    private static func drawBars(
        _ held: HeldBars, _ values: [Double?], _ top: Double, unit: String, least: Double, in svg: inout SVG
    ) {
        let most = max(values.compactMap(\.self).map(abs).max() ?? 0, least)
        let step = [0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30].first { most / $0 <= 3 } ?? most / 3
        let scale = height / 2 / max(most, step)
        let middle = top + height / 2
        for mark in stride(from: -3.0, through: 3, by: 1) where abs(mark * step) * scale <= height / 2 + 0.5 {
            svg.addLevel(
                middle - mark * step * scale, from: left, to: right,
                "\(mark > 0 ? "+" : "")\((mark * step).roundedText) \(unit)", kind: mark == 0 ? "zero" : "grid")
        }
        let pitch = min((right - left) / Double(max(held.bars.count, 1)), 40)
        for (index, bar) in held.bars.enumerated() {
            let x = left + (Double(index) + 0.1) * pitch
            if bar.isRestart {
                svg.addPath("grid", ["M\((x - 0.1 * pitch).roundedText) \(top.roundedText)v\(height.roundedText)"])
            }
            if bar.bar == 1 || index == 0 { svg.addText("start", x, top + height + 18, "\(bar.line).\(bar.bar)") }
            guard index < values.count, let value = values[index] else {
                svg.add("rect", ["class": "none", "x": x, "y": middle - 3, "width": 0.8 * pitch, "height": 6.0])
                continue
            }
            let size = max(abs(value) * scale, 0.5)
            svg.add(
                "rect",
                [
                    "class": value < 0 ? "early" : "late", "x": x, "y": value < 0 ? middle : middle - size,
                    "width": 0.8 * pitch, "height": size,
                ]
            ) { svg in
                let words = unit == "s" ? percent(bar.share) : "\(value > 0 ? "+" : "")\(value.roundedText) \(unit)"
                svg.add("title", words: "\(bar.line).\(bar.bar): \(words)")
            }
        }
    }

    /// The lines under each other, a cell for each bar, and the medians of the columns under them.
    private static func drawGrid(
        _ held: HeldBars, _ lines: [Int], _ widest: Int, from begin: Double, row: Double, in svg: inout SVG
    ) {
        let pitch = min((right - left) / Double(widest), 66)
        func cell(_ bar: Int, _ y: Double, _ share: Double?, in svg: inout SVG) {
            let x = left + Double(bar - 1) * pitch
            svg.addCell(share, x, y, width: pitch, height: row, percent(share))
            if pitch > 40, share != nil { svg.addText("middle", x + pitch / 2, y + row - 8, percent(share)) }
        }
        for (index, line) in lines.enumerated() {
            let y = begin + Double(index) * row
            svg.addText("end", left - 8, y + row - 8, "\(line)")
            // What was played again counts last.
            var last: [Int: HeldBars.Bar] = [:]
            for bar in held.bars where bar.line == line {
                if bar.held != nil || last[bar.bar] == nil { last[bar.bar] = bar }
            }
            for (bar, value) in last.sorted(by: { $0.key < $1.key }) { cell(bar, y, value.share, in: &svg) }
        }
        let y = begin + Double(lines.count) * row + 8
        svg.addText("end", left - 8, y + row - 8, localized("median"))
        for column in held.columns { cell(column.bar, y, column.share, in: &svg) }
        for bar in 1...max(widest, 1) where pitch > 18 {
            svg.addText("middle", left + (Double(bar) - 0.5) * pitch, begin - 8, "\(bar)")
        }
    }

    private static func percent(_ share: Double?) -> String {
        guard let share else { return "–" }
        let percent = (share * 100).rounded()
        return "\(percent > 0 ? "+" : "")\(Int(max(-9999, min(9999, percent)))) %"
    }
}
