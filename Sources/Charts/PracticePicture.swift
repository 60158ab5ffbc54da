package import UserSettings
internal import Scores

/// A chart of practice in SVG: a column for each day, as high as its minutes. Readable in light and dark mode.
package enum PracticePicture {
    private static let frame = (left: 60.0, right: 936.0, top: 60.0, bottom: 270.0)

    package static func svg(of days: [PracticeSummary.Day], title: String) -> String {
        let most = max(days.map(\.hundredths).max() ?? 0, 100)
        let step = step(most)
        let top = (most + step - 1) / step * step
        return SVG.chart(
            title, width: 960, height: 320, style: ".day { fill: #2059c4 }", dark: ".day { fill: #7fb0ff }"
        ) { svg in
            for value in stride(from: 0, through: top, by: step) {
                svg.addLevel(y(value, top), from: frame.left, to: frame.right, "\(value / 100) min")
            }
            draw(days, top, in: &svg)
        }
    }

    /// The distance between grid lines in hundredths of a minute: at most six steps, even for a day of 24 hours.
    private static func step(_ most: Int) -> Int {
        let minutes = [1, 2, 5, 10, 15, 30, 60, 120, 240].first { most <= $0 * 600 } ?? 240
        return minutes * 100
    }

    private static func y(_ hundredths: Int, _ top: Int) -> Double {
        frame.bottom - Double(hundredths) / Double(top) * (frame.bottom - frame.top)
    }

    private static func draw(_ days: [PracticeSummary.Day], _ top: Int, in svg: inout SVG) {
        let pitch = min((frame.right - frame.left) / Double(max(days.count, 1)), 80)
        // A date needs 70 units of width.
        let every = max(1, Int((70 / pitch).rounded(.up)))
        for (index, day) in days.enumerated() {
            let x = frame.left + (Double(index) + 0.1) * pitch
            let y = y(day.hundredths, top)
            if day.hundredths > 0 {
                svg.add("rect", ["class": "day", "x": x, "y": y, "width": 0.8 * pitch, "height": frame.bottom - y]) {
                    $0.add("title", words: "\(day.day.text): \(PracticeLog.minutesText(day.hundredths)) min")
                }
            }
            if index % every == 0 { svg.addText("middle", x + 0.4 * pitch, frame.bottom + 20, day.day.text) }
        }
    }
}
