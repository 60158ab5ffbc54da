/// Figures of many cells, to be read from far away: as large as there is room for, every one as wide as the others.
enum BigDigits {
    /// Pixels of the figures, 3 × 5, a row a string.
    private static let shapes: [Character: [String]] = [
        "0": ["###", "# #", "# #", "# #", "###"], "1": [" # ", "## ", " # ", " # ", "###"],
        "2": ["###", "  #", "###", "#  ", "###"], "3": ["###", "  #", "###", "  #", "###"],
        "4": ["# #", "# #", "###", "  #", "  #"], "5": ["###", "#  ", "###", "  #", "###"],
        "6": ["###", "#  ", "###", "# #", "###"], "7": ["###", "  #", "  #", "  #", "  #"],
        "8": ["###", "# #", "###", "# #", "###"], "9": ["###", "# #", "###", "  #", "###"],
        "-": ["   ", "   ", "###", "   ", "   "], " ": ["   ", "   ", "   ", "   ", "   "],
        ".": [" ", " ", " ", " ", "#"], ":": [" ", "#", " ", "#", " "],
    ]

    /// Draws a text of figures, points and colons in the middle of some rows and columns. Returns false, and draws nothing,
    /// where there is no room for even the smallest figures, of one cell a pixel and half a row.
    static func draw(_ text: String, in rows: Range<Int>, columns: Range<Int>, ink: Ink, on canvas: inout Canvas)
        -> Bool
    {
        let figures: [[String]] = text.map { BigDigits.shapes[$0] ?? Array(repeating: "   ", count: 5) }
        let width = figures.map { $0[0].count + 1 }.reduce(-1, +)
        // A pixel is as wide as half a row is high: terminals' cells are twice as high as wide.
        let size = min(columns.count / max(width, 1), rows.count * 2 / 5)
        guard size >= 1 else { return false }
        let top = (rows.count * 2 - 5 * size) / 2
        let left = columns.lowerBound + (columns.count - width * size) / 2
        let stride = canvas.columns
        var lit = [Bool](repeating: false, count: stride * 2 * rows.count)
        var x = left
        for shape in figures {
            for (y, row) in shape.enumerated() {
                for (offset, pixel) in row.enumerated() where pixel == "#" {
                    for dy in 0..<size {
                        let begin = (top + y * size + dy) * stride + x + offset * size
                        for dx in 0..<size { lit[begin + dx] = true }
                    }
                }
            }
            x += (shape[0].count + 1) * size
        }
        for row in 0..<rows.count {
            for column in columns {
                let isUpper = lit[2 * row * stride + column]
                let isLower = lit[(2 * row + 1) * stride + column]
                guard isUpper || isLower else { continue }
                let block: Character = isUpper && isLower ? "█" : isUpper ? "▀" : "▄"
                canvas.put(block, row: rows.lowerBound + row, column: column, ink: ink)
            }
        }
        return true
    }
}
