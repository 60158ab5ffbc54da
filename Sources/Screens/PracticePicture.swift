package import UserSettings
internal import Timing

/// Practice as a picture in SVG: a column for each day, as high as its minutes. Readable on light and on dark.
package enum PracticePicture {
    private static let size = (width: 960.0, height: 320.0)
    private static let frame = (left: 60.0, right: 936.0, top: 60.0, bottom: 270.0)

    /// The picture of days as a whole file of UTF-8 text, under a title.
    package static func svg(of days: [PracticeSummary.Day], title: String) -> String {
        let most = max(days.map(\.hundredths).max() ?? 0, 100)
        let step = step(most)
        let top = (most + step - 1) / step * step
        let (width, height) = (Int(size.width), Int(size.height))
        let lines =
            [
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(width) \(height)\" width=\"\(width)\" "
                    + "height=\"\(height)\" role=\"img\">",
                "<title>\(escaped(title))</title>", style,
                "<rect class=\"paper\" width=\"\(width)\" height=\"\(height)\" rx=\"6\"/>",
                "<text class=\"title\" x=\"24\" y=\"34\">\(escaped(title))</text>",
            ] + grid(step, top) + columns(days, top) + ["</svg>"]
        return lines.joined(separator: "\n") + "\n"
    }

    private static let style = """
        <style>
        text { font: 12px system-ui, "DejaVu Sans", sans-serif; fill: #475063; font-variant-numeric: tabular-nums }
        .title { font-size: 16px; font-weight: 600; fill: #161a22 } .end { text-anchor: end } .middle { text-anchor: middle }
        .paper { fill: #ffffff } .grid { fill: none; stroke: #e4e7ee } .day { fill: #2059c4 }
        @media (prefers-color-scheme: dark) {
        text { fill: #a7b0c2 } .title { fill: #eef1f7 } .paper { fill: #14171d } .grid { stroke: #2a2f3a }
        .day { fill: #7fb0ff }
        }
        </style>
        """

    /// Hundredths of minutes from line to line, at most six lines for a day.
    private static func step(_ most: Int) -> Int {
        let minutes = [1, 2, 5, 10, 15, 30, 60, 120, 240].first { most <= $0 * 600 } ?? 240
        return minutes * 100
    }

    private static func y(_ hundredths: Int, _ top: Int) -> Double {
        frame.bottom - Double(hundredths) / Double(top) * (frame.bottom - frame.top)
    }

    private static func grid(_ step: Int, _ top: Int) -> [String] {
        stride(from: 0, through: top, by: step).flatMap { value in
            let y = y(value, top)
            return [
                "<path class=\"grid\" d=\"M\(frame.left.fixed(1)) \(y.fixed(1))H\(frame.right.fixed(1))\"/>",
                "<text class=\"end\" x=\"\((frame.left - 8).fixed(1))\" y=\"\((y + 4).fixed(1))\">\(value / 100) min</text>",
            ]
        }
    }

    private static func columns(_ days: [PracticeSummary.Day], _ top: Int) -> [String] {
        let pitch = min((frame.right - frame.left) / Double(max(days.count, 1)), 80)
        // A date has 70 units of room.
        let every = max(1, Int((70 / pitch).rounded(.up)))
        return days.enumerated().flatMap { index, day in
            let x = frame.left + (Double(index) + 0.1) * pitch
            let (y, middle) = (y(day.hundredths, top), x + 0.4 * pitch)
            var lines: [String] = []
            if day.hundredths > 0 {
                let minutes = PracticeLog.minutesText(day.hundredths)
                lines.append(
                    "<rect class=\"day\" x=\"\(x.fixed(1))\" y=\"\(y.fixed(1))\" width=\"\((0.8 * pitch).fixed(1))\" "
                        + "height=\"\((frame.bottom - y).fixed(1))\"><title>\(day.day.text): \(minutes) min</title></rect>"
                )
            }
            if index % every == 0 {
                lines.append(
                    "<text class=\"middle\" x=\"\(middle.fixed(1))\" y=\"\((frame.bottom + 20).fixed(1))\">\(day.day.text)</text>"
                )
            }
            return lines
        }
    }

    /// Text as XML takes it; what steers a terminal is not in it.
    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
