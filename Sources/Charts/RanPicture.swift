package import Running
internal import Languages
package import Scores

/// A picture of a plan beside what was run: the planned intervals as steps of speed where they were run, and the speed of
/// the run over them. Readable in light and dark mode.
package enum RanPicture {
    private static let frame = (left: 64.0, right: 936.0, top: 56.0, bottom: 300.0)

    package static func svg(_ ran: RanPlan, _ activity: Activity, title: String, unit: DistanceUnit) -> String {
        let all = max(activity.seconds, 1)
        let speeds = speeds(activity)
        let planned = ran.rows.compactMap { $0.planned.extent.pace?.metersPerSecond }
        let top = max((speeds.map(\.speed) + planned).max() ?? 3, 1) * 1.1
        func x(_ seconds: Double) -> Double { frame.left + seconds / all * (frame.right - frame.left) }
        func y(_ speed: Double) -> Double { frame.bottom - min(speed / top, 1) * (frame.bottom - frame.top) }
        let style =
            ".step { fill: #b9cdf3 } .odd { fill: #f3d9b9 } .unsure { fill-opacity: .45 } .line { fill: none; stroke: #c2410c; stroke-width: 1.5; stroke-linejoin: round }"
        let dark = ".step { fill: #2b4675 } .odd { fill: #6b4a24 } .line { stroke: #ff9a5c }"
        return SVG.chart(title, width: 960, height: 372, style: style, dark: dark) { svg in
            let factor = 3600 / (unit == .miles ? DistanceUnit.miles.meters : 1000)
            let step = top * factor > 12 ? 5.0 : 2.0
            for mark in stride(from: 0, through: top * factor, by: step) {
                svg.addLevel(
                    y(mark / factor), from: frame.left, to: frame.right,
                    "\(mark.roundedText) \(speedUnit(unit).rawValue)")
            }
            for row in ran.rows {
                guard let piece = row.ran else { continue }
                let speed = row.planned.extent.pace?.metersPerSecond ?? piece.pace?.metersPerSecond ?? 0
                let kind = row.state == .done ? "step" : "odd"
                svg.add(
                    "rect",
                    [
                        "class": row.isSure ? kind : kind + " unsure", "x": x(piece.seconds.lowerBound), "y": y(speed),
                        "width": max(x(piece.seconds.upperBound) - x(piece.seconds.lowerBound) - 1, 0.5),
                        "height": frame.bottom - y(speed),
                    ]
                ) { $0.add("title", words: "\(row.planned.number): \(row.planned.interval.text)") }
            }
            var line = ""
            for point in speeds {
                line += "\(line.isEmpty ? "M" : "L")\(x(point.seconds).roundedText) \(y(point.speed).roundedText)"
            }
            if !line.isEmpty { svg.addPath("line", [line]) }
            for mark in stride(from: 0, through: all, by: timeStep(all)) {
                svg.addText("middle", x(mark), frame.bottom + 20, Duration(inSeconds: mark).runText())
            }
            addLegend(&svg, ran)
        }
    }

    /// What the colors mean, as far as they are in the picture, and the numbers of the intervals that are missing.
    private static func addLegend(_ svg: inout SVG, _ ran: RanPlan) {
        var entries: [(kind: String, words: String)] = [("step", localized("planned")), ("line", localized("run as"))]
        let off = Set(ran.rows.map(\.state)).intersection([.short, .long])
        if !off.isEmpty {
            let words = [
                off.contains(.short) ? localized("cut short") : nil, off.contains(.long) ? localized("longer") : nil,
            ]
            entries.append(("odd", words.compactMap(\.self).joined(separator: ", ")))
        }
        if ran.rows.contains(where: { !$0.isSure && $0.ran != nil }) {
            entries.append(("step unsure", localized("unsure")))
        }
        let missing = ran.rows.filter { $0.ran == nil }.map { "\($0.planned.number)" }
        let top = frame.bottom + 50
        let left = svg.addLegend(entries, from: frame.left, top)
        if !missing.isEmpty {
            let some = missing.prefix(12).joined(separator: ", ") + (missing.count > 12 ? ", …" : "")
            svg.addText("start", left, top, "\(localized("missing")): \(some)")
        }
    }

    private static func speedUnit(_ unit: DistanceUnit) -> PaceUnit {
        unit == .miles ? .milesPerHour : .kilometersPerHour
    }

    /// The time between two marks: at most ten of them.
    private static func timeStep(_ seconds: Double) -> Double {
        [30, 60, 120, 300, 600, 1200, 1800, 3600, 7200].first { seconds / $0 <= 10 } ?? (seconds / 10)
    }

    /// The speed of the run at no more than 240 times, or of its laps.
    private static func speeds(_ activity: Activity) -> [(seconds: Double, speed: Double)] {
        guard activity.track.count > 1 else {
            var (time, points) = (0.0, [(seconds: Double, speed: Double)]())
            for lap in activity.laps where lap.seconds > 0 {
                let speed = (lap.meters ?? 0) / lap.seconds
                points += [(time, speed), (time + lap.seconds, speed)]
                time += lap.seconds
            }
            return points
        }
        // Where the track ends before the last lap, nothing is known.
        let end = activity.track.last?.seconds ?? 0
        let step = max(end / 240, 5)
        return stride(from: step, through: end, by: step).map {
            (end: Double) -> (seconds: Double, speed: Double) in
            let way = activity.meters(at: end) - activity.meters(at: end - step)
            return (end - step / 2, max(way, 0) / step)
        }
    }
}
