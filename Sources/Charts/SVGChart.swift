internal import Scores

extension SVG {
    /// A chart as a complete SVG file: a background, a title, and everything that `draw` adds. It has no scripts and is
    /// readable in light and dark mode.
    ///
    /// Sizes are in SVG user units. Every chart has the classes `grid` for grid lines, and `end` and `middle` for the
    /// anchor of a text. `style` adds CSS rules for other classes, `dark` their rules for dark mode.
    static func chart(
        _ title: String, description: String = "", width: Int, height: Int, style: String, dark: String,
        _ draw: (inout SVG) -> Void
    ) -> String {
        var svg = SVG()
        svg.add(
            "svg",
            [
                "xmlns": "http://www.w3.org/2000/svg", "viewBox": "0 0 \(width) \(height)", "width": width,
                "height": height, "role": "img",
            ]
        ) { svg in
            svg.add("title", words: title)
            if !description.isEmpty { svg.add("desc", words: description) }
            svg.add(
                "style",
                words: """
                    text { font: 12px system-ui, 'DejaVu Sans', sans-serif; fill: #475063; font-variant-numeric: tabular-nums } \
                    .title { font-size: 16px; font-weight: 600; fill: #161a22 } \
                    .end { text-anchor: end } .middle { text-anchor: middle } \
                    .paper { fill: #ffffff } .grid { fill: none; stroke: #e4e7ee } \(style) \
                    @media (prefers-color-scheme: dark) { \
                    text { fill: #a7b0c2 } .title { fill: #eef1f7 } .paper { fill: #14171d } .grid { stroke: #2a2f3a } \(dark) }
                    """)
            svg.add("rect", ["class": "paper", "width": width, "height": height, "rx": 6])
            svg.add("text", ["class": "title", "x": 24, "y": 32], words: title)
            draw(&svg)
        }
        return svg.text
    }

    /// Adds one path of all these pieces; adds nothing if there are no pieces.
    mutating func addPath(_ kind: String, _ pieces: [String]) {
        if !pieces.isEmpty { add("path", ["class": kind, "d": pieces.joined()]) }
    }

    /// Adds a line across the chart with its words on the left.
    mutating func addLevel(_ y: Double, from left: Double, to right: Double, _ words: String, kind: String = "grid") {
        addPath(kind, ["M\(left.roundedText) \(y.roundedText)H\(right.roundedText)"])
        addText("end", left - 8, y + 4, words)
    }

    /// Adds what colors mean, from left to right; returns where the next one would stand.
    @discardableResult
    mutating func addLegend(_ entries: [(kind: String, words: String)], from left: Double, _ y: Double) -> Double {
        var x = left
        for (kind, words) in entries {
            if kind == "line" {
                addPath("line", ["M\(x.roundedText) \((y - 4).roundedText)h12"])
            } else {
                add("rect", ["class": kind, "x": x, "y": y - 10, "width": 12.0, "height": 12.0])
            }
            addText("start", x + 18, y, words)
            x += 18 + Double(words.count) * 7 + 22
        }
        return x
    }

    mutating func addText(_ kind: String, _ x: Double, _ y: Double, _ words: String) {
        add("text", ["class": kind, "x": x, "y": y], words: words)
    }
}
