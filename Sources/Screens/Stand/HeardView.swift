internal import Languages
internal import Playback
internal import Scores
internal import Timing

/// What a microphone hears of the player, on the stand: a needle for the last bar, and strobes for the pitch.
struct HeardView {
    private let status: Status
    private let tuner: Tuner?
    private let words: any PieceWords

    /// How many rows it takes with a blank one, and how many the stand must have.
    static let (rows, leastRows) = (4, 20)
    /// How late a bar is at the ends of the needle's scale, in ms, and how wide the texts beside the scale are.
    private static let (reach, side) = (100.0, 12)

    init(_ status: Status, _ tuner: Tuner?, _ words: any PieceWords) {
        (self.status, self.tuner, self.words) = (status, tuner, words)
    }

    func draw(_ row: Int, _ area: Range<Int>, _ canvas: inout Canvas) {
        drawNeedle(row, area, &canvas)
        drawPitch(row + 2, area, &canvas)
    }

    /// Two rows: a bar from the middle to the right if the player was late, to the left if early.
    private func drawNeedle(_ row: Int, _ area: Range<Int>, _ canvas: inout Canvas) {
        guard area.count > 4 * HeardView.side else { return }
        let scale = area.lowerBound + HeardView.side..<area.upperBound - HeardView.side
        let middle = (scale.lowerBound + scale.upperBound) / 2
        for column in scale { canvas.put("·", row: row, column: column, ink: .dim) }
        for line in row...row + 1 { canvas.put("│", row: line, column: middle, ink: .bold) }
        canvas.put(localized("early"), row: row + 1, column: scale.lowerBound, ink: .dim)
        let late = localized("late")
        canvas.put(late, row: row + 1, column: scale.upperBound - late.columns, ink: .dim)
        guard let heard = status.heard else { return }
        let name = words.name(ofBar: heard.bar.index, status.performance)
        canvas.put(name.cutAtWord(toColumns: HeardView.side - 1), row: row, column: area.lowerBound, ink: .bold)
        guard let time = heard.late else {
            return put(localized("unsure"), row: row, area, .dim, &canvas)
        }
        let milliseconds = time / .milliseconds(1)
        let reach = Double(min(middle - scale.lowerBound, scale.upperBound - 1 - middle))
        let share = min(max(milliseconds / HeardView.reach, -1), 1)
        let end = middle + Int((share * reach).rounded())
        for line in row...row + 1 {
            for column in min(middle, end)...max(middle, end) { canvas.put("█", row: line, column: column, ink: .bold) }
        }
        put("\(milliseconds.fixed(0, signed: true)) ms", row: row, area, Ink(), &canvas)
    }

    private func put(_ text: String, row: Int, _ area: Range<Int>, _ ink: Ink, _ canvas: inout Canvas) {
        canvas.put(text, row: row, column: area.upperBound - text.columns, ink: ink)
    }

    /// A row: the note and its strobe, and beside it the pure interval over the drone and its strobe.
    private func drawPitch(_ row: Int, _ area: Range<Int>, _ canvas: inout Canvas) {
        guard let tuner, let heard = tuner.heard else { return }
        let half = heard.interval == nil ? area.count : area.count / 2 - 1
        let note = heard.isSure ? "\(heard.name) \(heard.cents.fixed(1, signed: true))" : "\(heard.name) ?"
        draw(note, tuner.noteTurns, row, area.lowerBound..<area.lowerBound + half, heard.isSure, &canvas)
        guard let interval = heard.interval else { return }
        let text = "\(interval.over):\(interval.under) \(interval.cents.fixed(1, signed: true))"
        draw(text, tuner.intervalTurns, row, area.upperBound - half..<area.upperBound, heard.isSure, &canvas)
    }

    private func draw(
        _ text: String, _ turns: Double, _ row: Int, _ area: Range<Int>, _ isSure: Bool, _ canvas: inout Canvas
    ) {
        canvas.put(text, row: row, column: area.lowerBound, ink: .bold)
        let strobe = min(area.lowerBound + HeardView.side, area.upperBound)..<area.upperBound
        TuneView.drawStrobe(turns, row, 1, strobe, isSure, &canvas)
    }
}
