internal import Scores
internal import Timing

/// A plot of a timing log in SVG: error over time, the zero line, the uncertainty of the clock model, and marks at lost
/// and late boundaries. It has no scripts and is readable in light and dark mode.
package struct TimingPicture: Sendable {
    private let axes: TimingAxes
    private let trace: TimingTrace
    private let quantity: TimingPlot.Quantity
    /// The trace in bins no wider than a stroke.
    private let strokes: [TimingTrace.Bin]

    /// The frame of the plot in SVG user units.
    private static let frame = (left: 74.0, right: 936.0, top: 84.0, bottom: 404.0)
    private static let steps = 574

    /// The plot of a trace as a complete SVG file; its title contains `name`, its description the summary.
    ///
    /// However long the log, the file has about 200 KB at most: boundaries too close to tell apart are drawn as one
    /// stroke from their least to their greatest error.
    package static func svg(
        of trace: TimingTrace, name: String, _ quantity: TimingPlot.Quantity = .error
    ) -> String {
        let picture = TimingPicture(trace, quantity)
        return SVG.chart(
            quantity == .error ? "Timing error of \(name)" : "Timing of \(name)",
            description: picture.headline.joined(separator: "; "), width: 960, height: 480,
            style: style, dark: dark, picture.draw(in:))
    }

    private init(_ trace: TimingTrace, _ quantity: TimingPlot.Quantity) {
        let axes = TimingAxes(trace)
        (self.axes, self.trace, self.quantity) = (axes, trace, quantity)
        strokes = trace.merged { Int(TimingAxes.share($0.time, of: axes.time) * Double(Self.steps)) }
    }

    private func draw(in svg: inout SVG) {
        for (index, text) in headline.enumerated() { svg.addText("summary", 24, Double(51 + 17 * index), text) }
        drawGrid(in: &svg)
        drawBand(in: &svg)
        drawErrors(in: &svg)
        drawMarks(in: &svg)
        drawLegend(in: &svg)
    }

    private static let style = """
        .summary { font-size: 12.5px } .band { fill: #2f6fde; fill-opacity: .13 } \
        .zero, .error, .late, .lost, .gone { fill: none } .zero { stroke: #6b7488; stroke-width: 1.25 } \
        .error { stroke: #2059c4; stroke-width: 3.6; stroke-linecap: round } .fine { stroke-width: 2.4 } \
        .dense { stroke-opacity: .7 } .late { stroke: #c77700; stroke-width: 1.8 } \
        .lost { stroke: #d02438; stroke-width: 1.8 } .gone { stroke: #d02438; stroke-opacity: .22 } .beyond { fill: #d02438 }
        """
    private static let dark = """
        .zero { stroke: #8b95aa } .error { stroke: #7fb0ff } .band { fill: #7fb0ff; fill-opacity: .16 } \
        .late { stroke: #ffb84a } .lost, .gone { stroke: #ff6b78 } .beyond { fill: #ff6b78 }
        """

    /// The summary in two lines.
    private var headline: [String] {
        let summary = trace.summary
        var counts =
            "\(summary.bars) bars, \(summary.lost) lost, \(summary.late) late, "
            + "\(summary.xruns) xrun\(summary.xruns == 1 ? "" : "s")"
        if quantity == .difference { counts = "\(summary.bars) bars heard on both" }
        if quantity == .error, let ppm = summary.ppm { counts += ", card \(ppm.fixed(3, signed: true)) ppm" }
        guard let mean = summary.mean, let rms = summary.rms, let maximum = summary.maximum else { return [counts] }
        let slope = summary.slope.map { ", slope \($0.fixed(4, signed: true)) µs per second" } ?? ""
        return [
            counts,
            "mean \(mean.fixed(1, signed: true)) µs, rms \(rms.fixed(1)) and max \(maximum.fixed(1)) µs about it\(slope)",
        ]
    }

    // MARK: - Places

    private func x(_ time: Double) -> Double {
        Self.frame.left + TimingAxes.share(time, of: axes.time) * (Self.frame.right - Self.frame.left)
    }

    /// The y coordinate of an error, clamped to the frame.
    private func y(_ error: Double) -> Double {
        let share = min(max(TimingAxes.share(error, of: axes.error), 0), 1)
        return Self.frame.bottom - share * (Self.frame.bottom - Self.frame.top)
    }

    /// A point in the syntax of a path.
    private static func point(_ x: Double, _ y: Double) -> String { "\(x.roundedText) \(y.roundedText)" }

    private func down(_ time: Double) -> String {
        "M" + Self.point(x(time), Self.frame.top) + "V\(Self.frame.bottom.roundedText)"
    }

    /// A horizontal line through the whole frame.
    private func across(_ error: Double) -> String {
        "M" + Self.point(Self.frame.left, y(error)) + "H\(Self.frame.right.roundedText)"
    }

    // MARK: - Layers

    private func drawGrid(in svg: inout SVG) {
        let frame = Self.frame
        let (errors, times) = (axes.errorTicks(6), axes.timeTicks(9))
        svg.addPath("grid", errors.map { across($0.value) } + times.map { down($0.value) })
        for tick in errors { svg.addText("end", frame.left - 8, y(tick.value) + 4, tick.text) }
        for tick in times { svg.addText("middle", x(tick.value), frame.bottom + 30, tick.text) }
        svg.add(
            "text", ["class": "middle", "transform": "translate(22 \((frame.top + frame.bottom) / 2)) rotate(-90)"],
            words: quantity == .error
                ? "error in µs (heard minus nominal)" : "difference in µs (the second minus the first)")
        svg.addText("end", frame.right, frame.bottom + 58, "time after zero in \(axes.timeFormat)")
    }

    /// The band of uncertainty around zero, and the zero line.
    private func drawBand(in svg: inout SVG) {
        guard axes.error.contains(0), !strokes.isEmpty else { return }
        let above = strokes.map { Self.point(x($0.time), y($0.uncertainty)) }
        let below = strokes.reversed().map { Self.point(x($0.time), y(-$0.uncertainty)) }
        svg.addPath("band", ["M", (above + below).joined(separator: "L"), "Z"])
        svg.addPath("zero", [across(0)])
    }

    /// A dot for each boundary; several that share a bin are one stroke from the least to the greatest error.
    private func drawErrors(in svg: inout SVG) {
        let shown = trace.bins.filter {
            $0.heard > 0 && $0.least <= axes.error.upperBound && $0.greatest >= axes.error.lowerBound
        }
        let kind = shown.count > 2000 ? "error fine dense" : shown.count > 400 ? "error fine" : "error"
        svg.addPath(kind, shown.map { "M\(Self.point(x($0.time), y($0.greatest)))V\(y($0.least).roundedText)" })
    }

    private func drawMarks(in svg: inout SVG) {
        let frame = Self.frame
        let lost = strokes.filter { $0.lost > 0 }
        let late = strokes.filter { $0.late > 0 && $0.greatestLate.isFinite }
        let above = strokes.filter { $0.heard > 0 && $0.greatest > axes.error.upperBound }
        let below = strokes.filter { $0.heard > 0 && $0.least < axes.error.lowerBound }
        svg.addPath("gone", lost.map { down($0.time) })
        svg.addPath("late", late.map { Self.ring(x($0.time), y($0.greatestLate)) })
        svg.addPath("lost", lost.map { Self.cross(x($0.time), frame.bottom + 10) })
        svg.addPath("beyond", above.map { Self.arrow(x($0.time), frame.top + 8, up: true) })
        svg.addPath("beyond", below.map { Self.arrow(x($0.time), frame.bottom - 8, up: false) })
    }

    private static func ring(_ x: Double, _ y: Double) -> String {
        "M\(point(x - 5, y))a5 5 0 1 0 10 0a5 5 0 1 0 -10 0"
    }

    private static func cross(_ x: Double, _ y: Double) -> String { "M\(point(x - 4, y - 4))l8 8m0 -8l-8 8" }

    private static func arrow(_ x: Double, _ y: Double, up: Bool) -> String {
        "M\(point(x - 4.5, y))h9l-4.5 \(up ? "-8" : "8")z"
    }

    /// The legend: each mark with its meaning, from left to right.
    private func drawLegend(in svg: inout SVG) {
        let y = Self.frame.bottom + 54
        var x = Self.frame.left + 6
        func add(_ kind: String, _ mark: String, _ text: String) {
            svg.addPath(kind, [mark])
            svg.addText("", x + 12, y + 4, text)
            x += 34 + 6.8 * Double(text.count)
        }
        add("error", "M\(Self.point(x, y))h0", "a boundary heard")
        if axes.error.contains(0) { add("band", "M\(Self.point(x - 6, y - 6))h12v12h-12z", "± uncertainty") }
        if trace.summary.late > 0 { add("late", Self.ring(x, y), "late") }
        if trace.summary.lost > 0 { add("lost", Self.cross(x, y), "lost") }
        guard let extremes = axes.extremes else { return }
        if extremes.upperBound > axes.error.upperBound {
            add(
                "beyond", Self.arrow(x, y + 4, up: true),
                "outliers up to \(extremes.upperBound.fixed(1, signed: true)) µs")
        }
        if extremes.lowerBound < axes.error.lowerBound {
            add(
                "beyond", Self.arrow(x, y - 4, up: false),
                "outliers down to \(extremes.lowerBound.fixed(1, signed: true)) µs")
        }
    }
}
