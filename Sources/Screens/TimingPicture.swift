internal import Scores
internal import Timing

/// A timing log as a picture in SVG: error over time, with the zero line, how far the clock model trusted itself, and
/// marks where boundaries were lost or late. It has no scripts, and is readable on light and on dark.
package struct TimingPicture: Sendable {
    private let axes: TimingAxes
    private let trace: TimingTrace
    private let name: String
    /// The trace in bins no wider than a stroke.
    private let strokes: [TimingTrace.Bin]

    /// The frame in the picture, in its units.
    private static let size = (width: 960.0, height: 480.0)
    private static let frame = (left: 74.0, right: 936.0, top: 84.0, bottom: 404.0)
    private static let steps = 574

    /// The picture of a trace as a whole file of UTF-8 text; its title says `name` and the summary.
    ///
    /// It does not grow with the log beyond some 200 KB: what stands closer than can be seen is drawn as one stroke from
    /// its least to its greatest error.
    package static func svg(of trace: TimingTrace, name: String) -> String {
        TimingPicture(trace, name).lines.joined(separator: "\n") + "\n"
    }

    private init(_ trace: TimingTrace, _ name: String) {
        let axes = TimingAxes(trace)
        (self.axes, self.trace, self.name) = (axes, trace, name.escapedForXML)
        strokes = trace.merged { Int(TimingAxes.share($0.time, of: axes.time) * Double(Self.steps)) }
    }

    private var lines: [String] {
        let (width, height) = (Int(Self.size.width), Int(Self.size.height))
        return [
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(width) \(height)\" width=\"\(width)\" "
                + "height=\"\(height)\" role=\"img\">",
            "<title>\(name): timing error over time</title>",
            "<desc>\(headline.joined(separator: "; "))</desc>",
            Self.style,
            "<rect class=\"paper\" width=\"\(width)\" height=\"\(height)\" rx=\"6\"/>",
            "<text class=\"title\" x=\"24\" y=\"30\">Timing error of \(name)</text>",
        ]
            + headline.enumerated().map {
                "<text class=\"summary\" x=\"24\" y=\"\(50 + 17 * $0.offset)\">\($0.element)</text>"
            }
            + grid + band + errors + marks + legend + ["</svg>"]
    }

    private static let style = """
        <style>
        text { font: 12px system-ui, "DejaVu Sans", sans-serif; fill: #475063; font-variant-numeric: tabular-nums }
        .title { font-size: 16px; font-weight: 600; fill: #161a22 } .summary { font-size: 12.5px }
        .end { text-anchor: end } .middle { text-anchor: middle }
        .paper { fill: #ffffff } .band { fill: #2f6fde; fill-opacity: .13 }
        .grid, .zero, .error, .late, .lost, .gone { fill: none }
        .grid { stroke: #e4e7ee } .zero { stroke: #6b7488; stroke-width: 1.25 }
        .error { stroke: #2059c4; stroke-width: 3.6; stroke-linecap: round } .fine { stroke-width: 2.4 } .dense { stroke-opacity: .7 }
        .late { stroke: #c77700; stroke-width: 1.8 } .lost { stroke: #d02438; stroke-width: 1.8 }
        .gone { stroke: #d02438; stroke-opacity: .22 } .beyond { fill: #d02438 }
        @media (prefers-color-scheme: dark) {
        text { fill: #a7b0c2 } .title { fill: #eef1f7 } .paper { fill: #14171d } .grid { stroke: #2a2f3a }
        .zero { stroke: #8b95aa } .error { stroke: #7fb0ff } .band { fill: #7fb0ff; fill-opacity: .16 }
        .late { stroke: #ffb84a } .lost, .gone { stroke: #ff6b78 } .beyond { fill: #ff6b78 }
        }
        </style>
        """

    /// The summary in two lines.
    private var headline: [String] {
        let summary = trace.summary
        var counts =
            "\(summary.bars) bars, \(summary.lost) lost, \(summary.late) late, "
            + "\(summary.xruns) xrun\(summary.xruns == 1 ? "" : "s")"
        if let ppm = summary.ppm { counts += ", card \(ppm.fixed(3, signed: true)) ppm" }
        guard let mean = summary.mean, let rms = summary.rms, let maximum = summary.maximum else { return [counts] }
        let slope = summary.slope.map { ", slope \($0.fixed(4, signed: true)) µs per second" } ?? ""
        return [
            counts,
            "mean \(mean.fixed(1, signed: true)) µs, around it rms \(rms.fixed(1)) and max \(maximum.fixed(1)) µs\(slope)",
        ]
    }

    // MARK: - Places

    private func x(_ time: Double) -> Double {
        Self.frame.left + TimingAxes.share(time, of: axes.time) * (Self.frame.right - Self.frame.left)
    }

    /// The height of an error, held within the frame.
    private func y(_ error: Double) -> Double {
        let share = min(max(TimingAxes.share(error, of: axes.error), 0), 1)
        return Self.frame.bottom - share * (Self.frame.bottom - Self.frame.top)
    }

    private func path(_ kind: String, _ pieces: [String]) -> [String] {
        pieces.isEmpty ? [] : ["<path class=\"\(kind)\" d=\"\(pieces.joined())\"/>"]
    }

    // MARK: - Layers

    private var grid: [String] {
        let frame = Self.frame
        let errors = axes.errorTicks(6)
        let times = axes.timeTicks(9)
        let across = errors.map { "M\(frame.left.short) \(y($0.value).short)H\(frame.right.short)" }
        let down = times.map { "M\(x($0.value).short) \(frame.top.short)V\(frame.bottom.short)" }
        var lines = path("grid", across + down)
        lines += errors.map {
            "<text class=\"end\" x=\"\((frame.left - 8).short)\" y=\"\((y($0.value) + 4).short)\">\($0.text)</text>"
        }
        lines += times.map {
            "<text class=\"middle\" x=\"\(x($0.value).short)\" y=\"\((frame.bottom + 30).short)\">\($0.text)</text>"
        }
        let middle = (frame.top + frame.bottom) / 2
        lines.append(
            "<text class=\"middle\" x=\"22\" y=\"\(middle.short)\" transform=\"rotate(-90 22 \(middle.short))\">"
                + "error in µs (heard less nominal)</text>")
        lines.append(
            "<text class=\"end\" x=\"\(frame.right.short)\" y=\"\((frame.bottom + 58).short)\">"
                + "time after zero in \(axes.timeFormat)</text>")
        return lines
    }

    /// The uncertainty to both sides of zero, and the zero line.
    private var band: [String] {
        guard axes.error.contains(0), !strokes.isEmpty else { return [] }
        let above = strokes.map { "\(x($0.time).short) \(y($0.uncertainty).short)" }
        let below = strokes.reversed().map { "\(x($0.time).short) \(y(-$0.uncertainty).short)" }
        return path("band", ["M", (above + below).joined(separator: "L"), "Z"])
            + path("zero", ["M\(Self.frame.left.short) \(y(0).short)H\(Self.frame.right.short)"])
    }

    /// A dot for each boundary; a stroke from the least to the greatest error where several are drawn as one.
    private var errors: [String] {
        let shown = trace.bins.filter {
            $0.heard > 0 && $0.least <= axes.error.upperBound && $0.greatest >= axes.error.lowerBound
        }
        let kind = shown.count > 2000 ? "error fine dense" : shown.count > 400 ? "error fine" : "error"
        return path(kind, shown.map { "M\(x($0.time).short) \(y($0.greatest).short)V\(y($0.least).short)" })
    }

    private var marks: [String] {
        let frame = Self.frame
        let late = strokes.filter { $0.late > 0 && $0.greatestLate.isFinite }.map { bin in
            "M\((x(bin.time) - 5).short) \(y(bin.greatestLate).short)a5 5 0 1 0 10 0a5 5 0 1 0 -10 0"
        }
        let lost = strokes.filter { $0.lost > 0 }
        let gone = lost.map { "M\(x($0.time).short) \(frame.top.short)V\(frame.bottom.short)" }
        let crosses = lost.map { Self.cross(x($0.time), frame.bottom + 10) }
        let above = strokes.filter { $0.heard > 0 && $0.greatest > axes.error.upperBound }
            .map { "M\((x($0.time) - 4.5).short) \((frame.top + 8).short)h9l-4.5 -8z" }
        let below = strokes.filter { $0.heard > 0 && $0.least < axes.error.lowerBound }
            .map { "M\((x($0.time) - 4.5).short) \((frame.bottom - 8).short)h9l-4.5 8z" }
        return path("gone", gone) + path("late", late) + path("lost", crosses) + path("beyond", above + below)
    }

    private static func cross(_ x: Double, _ y: Double) -> String {
        "M\((x - 4).short) \((y - 4).short)l8 8m0 -8l-8 8"
    }

    /// What the marks mean, each with its mark, from the left.
    private var legend: [String] {
        let y = Self.frame.bottom + 54
        var entries = [("error", "M0 \(y.short)h0", "a boundary heard")]
        if axes.error.contains(0) { entries.append(("band", "M-6 \((y - 6).short)h12v12h-12z", "± uncertainty")) }
        if trace.summary.late > 0 { entries.append(("late", "M-5 \(y.short)a5 5 0 1 0 10 0a5 5 0 1 0 -10 0", "late")) }
        if trace.summary.lost > 0 { entries.append(("lost", Self.cross(0, y), "lost")) }
        if let extremes = axes.extremes {
            let (low, high) = (extremes.lowerBound.fixed(1, signed: true), extremes.upperBound.fixed(1, signed: true))
            if extremes.upperBound > axes.error.upperBound {
                entries.append(("beyond", "M-4.5 \((y + 4).short)h9l-4.5 -8z", "beyond, up to \(high) µs"))
            }
            if extremes.lowerBound < axes.error.lowerBound {
                entries.append(("beyond", "M-4.5 \((y - 4).short)h9l-4.5 8z", "beyond, down to \(low) µs"))
            }
        }
        var x = Self.frame.left + 6
        return entries.map { kind, shape, text in
            defer { x += 34 + 6.8 * Double(text.count) }
            return "<g transform=\"translate(\(x.short) 0)\"><path class=\"\(kind)\" d=\"\(shape)\"/>"
                + "<text x=\"12\" y=\"\((y + 4).short)\">\(text)</text></g>"
        }
    }
}

extension Double {
    /// A place in the picture, to a tenth of its unit.
    fileprivate var short: String {
        let text = fixed(1)
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
