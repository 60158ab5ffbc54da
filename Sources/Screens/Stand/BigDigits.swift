/// Large digits to be read from far away. They fill the room they are given, and all have the same width.
enum BigDigits {
    /// The digits and signs as 3 × 5 pixels, one string for each row; point and colon are 1 × 5.
    private static let shapes: [Character: [String]] = [
        "0": ["###", "# #", "# #", "# #", "###"], "1": [" # ", "## ", " # ", " # ", "###"],
        "2": ["###", "  #", "###", "#  ", "###"], "3": ["###", "  #", "###", "  #", "###"],
        "4": ["# #", "# #", "###", "  #", "  #"], "5": ["###", "#  ", "###", "  #", "###"],
        "6": ["###", "#  ", "###", "# #", "###"], "7": ["###", "  #", "  #", "  #", "  #"],
        "8": ["###", "# #", "###", "# #", "###"], "9": ["###", "# #", "###", "  #", "###"],
        "+": ["   ", " # ", "###", " # ", "   "],
        "-": ["   ", "   ", "###", "   ", "   "], " ": ["   ", "   ", "   ", "   ", "   "],
        ".": [" ", " ", " ", " ", "#"], ":": [" ", "#", " ", "#", " "],
    ]

    /// Draws a text of digits, points and colons centered in an area. Returns false, and draws nothing, if there is no
    /// room even for the smallest size, where a pixel is one column wide and half a row high.
    static func draw(_ text: String, in rows: Range<Int>, columns: Range<Int>, ink: Ink, on canvas: inout Canvas)
        -> Bool
    {
        let figures: [[String]] = text.map { BigDigits.shapes[$0] ?? Array(repeating: "   ", count: 5) }
        let width = figures.map { $0[0].count + 1 }.reduce(-1, +)
        // Half a row is as high as a column is wide, because the cells of terminals are about twice as high as wide.
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
