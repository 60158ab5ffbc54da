internal import Languages
package import Playback
internal import Scores
internal import Timing

/// The picture of a tuner: the note, a needle, a strobe that stands still when it is right, and one for the pure interval.
package struct TuneView {
    private let tuner: Tuner
    private let status: Status

    package init(_ tuner: Tuner, _ status: Status) { (self.tuner, self.status) = (tuner, status) }

    /// The cents at the ends of the needle's scale.
    private static let reach = 50.0
    /// The columns of a turn of the strobe.
    private static let turn = 16

    package func canvas(_ size: (columns: Int, rows: Int)) -> Canvas {
        var canvas = Canvas(columns: max(size.columns, 1), rows: max(size.rows, 1))
        let margin = canvas.columns > 60 ? 2 : 0
        let area = margin..<max(canvas.columns - margin, margin + 1)
        let performance = status.performance
        let (drone, a4) = (Wording.drone(performance.drone, performance), "A4 \(Wording.tenths(performance.a4)) Hz")
        canvas.put(drone, row: 0, column: area.lowerBound, ink: .bold)
        if drone.columns + 2 + a4.columns <= area.count {
            canvas.put(a4, row: 0, column: area.upperBound - a4.columns)
        }
        guard let heard = tuner.heard else {
            canvas.put(localized("play a note"), row: min(3, canvas.rows - 1), column: area.lowerBound, ink: .dim)
            return foot(canvas, area)
        }
        let isSmall = canvas.rows < 16
        var row = 2
        canvas.put(
            "\(heard.name)  \(heard.hertz.fixed(2)) Hz", row: row, column: area.lowerBound, ink: .bold)
        let said = heard.isSure ? "\(heard.cents.fixed(1, signed: true))" : localized("unsure")
        canvas.put(said, row: row, column: area.upperBound - said.columns, ink: .bold)
        row += isSmall ? 1 : 2
        drawNeedle(heard, row, area, &canvas)
        row += isSmall ? 2 : 3
        let thickness = isSmall ? 1 : 3
        TuneView.drawStrobe(tuner.noteTurns, row, thickness, area, heard.isSure, &canvas)
        row += thickness + (isSmall ? 0 : 1)
        if let interval = heard.interval {
            let over = status.performance.drone.map {
                $0.notes.indices.contains(interval.note) ? $0.notes[interval.note].pitch.description : ""
            }
            let cents = interval.cents.fixed(1, signed: true)
            let words = localized("\(interval.over):\(interval.under) over \(over ?? ""), \(cents) cents")
            canvas.put(words, row: row, column: area.lowerBound)
            TuneView.drawStrobe(tuner.intervalTurns, row + 1, thickness, area, heard.isSure, &canvas)
        }
        return foot(canvas, area)
    }

    private func foot(_ canvas: Canvas, _ area: Range<Int>) -> Canvas {
        var canvas = canvas
        // A dropout stays true, and must not hide what is heard.
        let lines = [Wording.trouble(status), tuner.heard?.text].compactMap(\.self)
        for (row, words) in zip(max(canvas.rows - lines.count, 0)..., lines) {
            canvas.put(words.cutAtWord(toColumns: area.count), row: row, column: area.lowerBound)
        }
        return canvas
    }

    /// A scale from half a semitone flat to half a semitone sharp, with a mark at the pitch.
    private func drawNeedle(_ heard: HeardPitch, _ row: Int, _ area: Range<Int>, _ canvas: inout Canvas) {
        let width = area.count
        func column(_ cents: Double) -> Int {
            let share = (min(max(cents / TuneView.reach, -1), 1) + 1) / 2
            return area.lowerBound + Int((share * Double(width - 1)).rounded())
        }
        for column in area { canvas.put("─", row: row + 1, column: column, ink: .dim) }
        for cents in stride(from: -50.0, through: 50, by: 10) {
            canvas.put(cents == 0 ? "┼" : "┴", row: row + 1, column: column(cents), ink: cents == 0 ? .bold : .dim)
        }
        guard heard.isSure else { return }
        let isRight = abs(heard.cents) < HeardPitch.tolerance
        canvas.put(isRight ? "●" : "▼", row: row, column: column(heard.cents), ink: .bold)
    }

    /// Stripes that move to the right if the pitch is sharp, and to the left if it is flat.
    static func drawStrobe(
        _ turns: Double, _ row: Int, _ thickness: Int, _ area: Range<Int>, _ isSure: Bool, _ canvas: inout Canvas
    ) {
        let shift = Int((turns * Double(TuneView.turn)).rounded(.down))
        for line in 0..<thickness {
            for column in area {
                let place = ((column - area.lowerBound - shift) % TuneView.turn + TuneView.turn) % TuneView.turn
                let isDark = place < TuneView.turn / 2
                guard row + line < canvas.rows - 1 else { return }
                canvas.put(isDark ? (isSure ? "█" : "░") : " ", row: row + line, column: column, ink: Ink())
            }
        }
    }
}
