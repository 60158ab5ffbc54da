/// The lines that a terminal shows. It obeys line ends, cursor movements, erasing, and the alternate screen of
/// full-screen programs; it ignores all other sequences.
struct Picture {
    /// The rows that a person sees: while a picture is drawn in synchronized output (mode 2026), those before it.
    var rows: [String] { shown ?? drawn }
    private var drawn: [String] = [""]
    private var shown: [String]?
    private var (row, column) = (0, 0)
    /// The rows and the cursor of the main screen while a program uses the alternate screen; otherwise nil.
    private var aside: (rows: [String], row: Int, column: Int)?

    /// Whether a program uses the alternate screen.
    var isWhole: Bool { aside != nil }

    /// Shows the characters of `written` and removes them from it. If `isEnough` is true of the picture, stops before
    /// the next escape sequence, which may erase something.
    mutating func show(_ written: inout Substring.UnicodeScalarView, until isEnough: (Picture) -> Bool = { _ in false })
    {
        while let scalar = written.first {
            if scalar == "\u{1B}", isEnough(self) { return }
            written.removeFirst()
            switch scalar {
            case "\r": column = 0
            case "\n":
                row += 1
                if row == drawn.count { drawn.append("") }
            case "\u{1B}":
                guard written.first == "[" else { continue }
                written.removeFirst()
                let parameters = String(written.prefix { !(0x40...0x7E).contains($0.value) })
                written = written.dropFirst(parameters.unicodeScalars.count)
                if let end = written.popFirst() { obey(end, parameters) }
            default: put(scalar)
            }
        }
    }

    private mutating func obey(_ sequence: Unicode.Scalar, _ parameters: String) {
        switch sequence {
        case "A": row = max(row - (Int(parameters) ?? 1), 0)
        case "K": drawn[row] = ""
        case "J": drawn = drawn.map { _ in "" }
        case "H":
            let place = parameters.split(separator: ";").compactMap { Int($0) }
            (row, column) = ((place.first ?? 1) - 1, (place.dropFirst().first ?? 1) - 1)
            while drawn.count <= row { drawn.append("") }
        case "h" where parameters == "?2026": shown = drawn
        case "l" where parameters == "?2026": shown = nil
        case "h" where parameters == "?1049" && aside == nil:
            aside = (drawn, row, column)
            (drawn, row, column) = ([""], 0, 0)
        case "l" where parameters == "?1049":
            if let before = aside { (drawn, row, column) = before }
            aside = nil
        default: break
        }
    }

    private mutating func put(_ scalar: Unicode.Scalar) {
        var line = Array(drawn[row].unicodeScalars)
        line += Array(repeating: " ", count: max(column - line.count, 0))
        // The right half of a wide character is a zero-width space.
        for half in Picture.isWide(scalar) ? [scalar, "\u{200B}"] : [scalar] {
            if column < line.count { line[column] = half } else { line.append(half) }
            column += 1
        }
        drawn[row] = String(String.UnicodeScalarView(line))
    }

    private static func isWide(_ scalar: Unicode.Scalar) -> Bool { (0x3040...0x9FFF).contains(scalar.value) }

    func shows(_ text: String) -> Bool { rows.contains { $0.contains(text) } }
}
