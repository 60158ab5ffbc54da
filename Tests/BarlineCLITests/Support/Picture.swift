/// The lines that a terminal shows: it obeys line ends, the cursor's moves, erasing, and the page of its own that a
/// full-screen program draws on; all other sequences show nothing.
struct Picture {
    private(set) var rows: [String] = [""]
    /// What stood there before a program took the whole terminal; nil while none has it.
    private var aside: [String]?

    /// Whether a program has the whole terminal.
    var isWhole: Bool { aside != nil }

    init(_ text: String) {
        var (row, column) = (0, 0)
        var (rowAside, columnAside) = (0, 0)
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\r": column = 0
            case "\n":
                row += 1
                if row == rows.count { rows.append("") }
            case "\u{1B}":
                guard rest.first == "[" else { continue }
                rest.removeFirst()
                let parameters = String(rest.prefix { !(0x40...0x7E).contains($0.value) })
                rest = rest.dropFirst(parameters.unicodeScalars.count)
                switch rest.popFirst() {
                case "A": row = max(row - (Int(parameters) ?? 1), 0)
                case "K": rows[row] = ""
                case "J": rows = rows.map { _ in "" }
                case "H":
                    let place = parameters.split(separator: ";").compactMap { Int($0) }
                    (row, column) = ((place.first ?? 1) - 1, (place.dropFirst().first ?? 1) - 1)
                    while rows.count <= row { rows.append("") }
                case "h" where parameters == "?1049" && aside == nil:
                    (aside, rowAside, columnAside) = (rows, row, column)
                    (rows, row, column) = ([""], 0, 0)
                case "l" where parameters == "?1049":
                    if let before = aside { (rows, row, column) = (before, rowAside, columnAside) }
                    aside = nil
                default: break
                }
            default:
                var line = Array(rows[row].unicodeScalars)
                line += Array(repeating: " ", count: max(column - line.count, 0))
                if column < line.count { line[column] = scalar } else { line.append(scalar) }
                rows[row] = String(String.UnicodeScalarView(line))
                column += 1
                // The right half of a wide character is nothing.
                if Picture.isWide(scalar) {
                    if column < line.count { line[column] = "\u{200B}" } else { line.append("\u{200B}") }
                    rows[row] = String(String.UnicodeScalarView(line))
                    column += 1
                }
            }
        }
    }

    private static func isWide(_ scalar: Unicode.Scalar) -> Bool { (0x3040...0x9FFF).contains(scalar.value) }

    func shows(_ text: String) -> Bool { rows.contains { $0.contains(text) } }
}
