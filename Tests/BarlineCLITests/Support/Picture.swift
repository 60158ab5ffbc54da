/// The lines that a terminal shows: it obeys line ends, cursor up and erase line; all other sequences show nothing.
struct Picture {
    private(set) var rows: [String] = [""]

    init(_ text: String) {
        var (row, column) = (0, 0)
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
                let final = rest.popFirst()
                if final == "A" { row = max(row - (Int(parameters) ?? 1), 0) }
                if final == "K" { rows[row] = "" }
            default:
                var line = Array(rows[row].unicodeScalars)
                line += Array(repeating: " ", count: max(column - line.count, 0))
                if column < line.count { line[column] = scalar } else { line.append(scalar) }
                rows[row] = String(String.UnicodeScalarView(line))
                column += 1
            }
        }
    }

    func shows(_ text: String) -> Bool { rows.contains { $0.contains(text) } }
}
