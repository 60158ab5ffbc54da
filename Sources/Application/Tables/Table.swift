internal import Scores

/// A table, printed for people as plain text or Markdown and for programs as CSV or JSON.
package struct Table {
    /// A column.
    struct Column {
        /// The heading for people.
        var title: String
        /// The name for programs, with the unit.
        var key: String
        /// Whether the cells are aligned left.
        var isText = false

        static func text(_ title: String, _ key: String) -> Column {
            Column(title: title, key: key, isText: true)
        }
        static func number(_ title: String, _ key: String) -> Column { Column(title: title, key: key) }
    }

    /// One cell: the text for people and the value for programs.
    struct Cell {
        var shown: String
        var value: JSON

        static let empty = Cell(shown: "–", value: .null)
        static func text(_ text: String?) -> Cell { text.map { Cell(shown: $0, value: .text($0)) } ?? .empty }
        static func number(_ number: Int) -> Cell { Cell(shown: "\(number)", value: .number(number)) }
    }

    /// The style in which a table is printed.
    package enum Style {
        case plain, csv, json, markdown

        /// Whether people read it.
        package var isForPeople: Bool { self == .plain || self == .markdown }
    }

    var columns: [Column]
    var rows: [[Cell]] = []

    /// The whole table as text.
    package func text(_ style: Style) -> String {
        switch style {
        case .plain: withoutEmptyColumns.plain
        case .markdown: withoutEmptyColumns.markdown
        case .csv: ([columns.map(\.key)] + rows.map { $0.map(\.value.csv) }).map(CSVText.line).joined()
        case .json: JSON.array(rows.map { JSON.line(zip(columns, $0).map { ($0.key, $1.value) }) })
        }
    }

    /// Adds columns for programs that have the same value in every row.
    mutating func add(_ fields: [(key: String, value: JSON)]) {
        for (key, value) in fields {
            columns.append(.number("", key))
            for index in rows.indices { rows[index].append(Cell(shown: "", value: value)) }
        }
    }

    /// The table for people: without empty columns, its texts made safe for a terminal.
    private var withoutEmptyColumns: Table {
        let kept = columns.indices.filter { index in
            rows.isEmpty || rows.contains { !($0[index].shown.isEmpty || $0[index].shown == Cell.empty.shown) }
        }
        return Table(
            columns: kept.map { columns[$0] },
            rows: rows.map { row in kept.map { Cell(shown: row[$0].shown.printable, value: row[$0].value) } })
    }

    /// The headings and cells, padded to the width of their columns, at least `least`.
    private func padded(least: Int = 0, _ change: (String) -> String = { $0 }) -> [[String]] {
        let lines = [columns.map(\.title)] + rows.map { $0.map(\.shown) }
        let widths = columns.indices.map { index in lines.reduce(least) { max($0, $1[index].columns) } }
        return lines.map { line in
            columns.indices.map { index in
                let text = change(line[index])
                return columns[index].isText ? text.padding(to: widths[index]) : text.padding(before: widths[index])
            }
        }
    }

    private var plain: String {
        padded().map { $0.map { "  " + $0 }.joined().trimmedEnd + "\n" }.joined()
    }

    private var markdown: String {
        let lines = padded(least: 3) { $0.replacing("|", with: "\\|").replacing("<", with: "\\<") }
        let rule = zip(columns, lines[0]).map { column, head in
            String(repeating: "-", count: head.columns - 1) + (column.isText ? "-" : ":")
        }
        return ([lines[0], rule] + lines.dropFirst()).map { "| " + $0.joined(separator: " | ") + " |\n" }.joined()
    }
}
