internal import Glibc
package import Scores

/// The cells of a terminal, drawn in memory, so that only changed cells are written to the terminal.
package struct Canvas: Equatable {
    /// The size in cells.
    package let columns, rows: Int
    private var cells: [Cell]

    private struct Cell: Equatable {
        /// The character in the cell; nil for the right half of a wide character.
        var character: Character?
        var ink: Ink
    }

    package init(columns: Int, rows: Int, ink: Ink = Ink()) {
        (self.columns, self.rows) = (columns, rows)
        cells = Array(repeating: Cell(character: " ", ink: ink), count: columns * rows)
    }

    /// Puts text into a row, starting at a column. Characters outside the canvas are not drawn.
    package mutating func put(_ text: String, row: Int, column: Int, ink: Ink = Ink()) {
        guard (0..<rows).contains(row) else { return }
        var at = column
        for character in text.printable {
            let width = character.columns
            defer { at += width }
            guard width > 0, at >= 0, at + width <= columns else { continue }
            set(Cell(character: character, ink: ink), row * columns + at, width: width)
        }
    }

    /// Puts a character one column wide into a cell of the canvas.
    package mutating func put(_ character: Character, row: Int, column: Int, ink: Ink) {
        set(Cell(character: character, ink: ink), row * columns + column)
    }

    /// Sets the background of all cells, or of those at the edge only.
    package mutating func fill(_ ground: Color, edgeOnly: Bool) {
        let text = ground.text
        for row in 0..<rows {
            for column in 0..<columns {
                let isEdge = row == 0 || row == rows - 1 || column < 2 || column >= columns - 2
                if !edgeOnly || isEdge { cells[row * columns + column].ink.light(ground, text) }
            }
        }
    }

    private mutating func set(_ cell: Cell, _ index: Int, width: Int = 1) {
        // Overwriting one half of a wide character blanks the other half.
        if cells[index].character == nil { cells[index - 1].character = " " }
        let end = index + width
        if end < cells.count, cells[end].character == nil { cells[end].character = " " }
        cells[index] = cell
        if width == 2 { cells[index + 1] = Cell(character: nil, ink: cell.ink) }
    }

    /// The output that makes a terminal show this canvas if it shows `old`; the whole canvas if `old` is nil or has
    /// another size. One row may be drawn whatever it shows.
    package func changes(from old: Canvas?, colors: ColorDepth, renewing renewed: Int? = nil) -> String {
        let old = old.flatMap { $0.columns == columns && $0.rows == rows ? $0 : nil }
        var text = old == nil ? "\u{1B}[0m\u{1B}[2J" : ""
        var ink: Ink?
        for row in 0..<rows {
            var written = -1
            for column in 0..<columns {
                let index = row * columns + column
                guard row == renewed || old?.cells[index] != cells[index], let character = cells[index].character else {
                    continue
                }
                if written != column { text += "\u{1B}[\(row + 1);\(column + 1)H" }
                if ink != cells[index].ink { text += cells[index].ink.sequence(colors) }
                ink = cells[index].ink
                text.append(character)
                written = column + character.columns
            }
        }
        return ink == nil || ink == Ink() ? text : text + "\u{1B}[0m"
    }

    /// The rows as text, without trailing blanks.
    package var text: [String] {
        (0..<rows).map { row in
            String(cells[row * columns..<(row + 1) * columns].compactMap(\.character)).trimmedEnd
        }
    }

    /// The background color of a cell; nil for the terminal's default.
    package func ground(row: Int, column: Int) -> Color? { cells[row * columns + column].ink.ground }
}

/// How a cell is drawn.
package struct Ink: Equatable {
    package var isBold = false
    package var isDim = false
    package var isReversed = false
    /// The color of the text; nil for the terminal's default.
    package var color: Color?
    /// The background color; nil for the terminal's default.
    package var ground: Color?

    package init(isBold: Bool = false, isDim: Bool = false, isReversed: Bool = false) {
        (self.isBold, self.isDim, self.isReversed) = (isBold, isDim, isReversed)
    }

    package static let bold = Ink(isBold: true)
    package static let dim = Ink(isDim: true)

    /// Sets the background color, and a text color that is readable on it.
    package mutating func light(_ ground: Color, _ text: Color) {
        (self.ground, color) = (ground, text)
        isDim = false
    }

    /// The escape sequence that sets a terminal to this ink, whatever it was set to. Without colors, a background is
    /// shown as reverse video.
    package func sequence(_ depth: ColorDepth) -> String {
        var codes = ["0"]
        if isBold { codes.append("1") }
        if isDim { codes.append("2") }
        if isReversed || depth == .none && ground != nil { codes.append("7") }
        if let color, depth != .none { codes.append(depth.code(color, isGround: false)) }
        if let ground, depth != .none { codes.append(depth.code(ground, isGround: true)) }
        return "\u{1B}[" + codes.joined(separator: ";") + "m"
    }
}

extension Color {
    /// The color for text on this background: black or white, whichever has the higher contrast by WCAG 2.
    package var text: Color {
        let linear = [red, green, blue].map { value -> Double in
            let part = Double(value) / 255
            return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
        }
        let luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
        let isLight = (luminance + 0.05) / 0.05 > 1.05 / (luminance + 0.05)
        return isLight ? Color(red: 0, green: 0, blue: 0) : Color(red: 255, green: 255, blue: 255)
    }
}
