internal import Scores

/// A table, printed for people as plain text or Markdown and for programs as CSV or JSON.
struct Table {
    /// A column.
    struct Column {
        /// The heading for people.
        var title: String
        /// The name for programs, with the unit.
        var key: String
        /// Whether the cells are aligned left.
        var isText = false
    }

    /// One cell: the text for people and the value for programs.
    struct Cell {
        var shown: String
        var value: Value

        enum Value {
            case number(String)
            case text(String)
            case none
        }

        static let empty = Cell(shown: "–", value: .none)
        static func text(_ text: String) -> Cell { Cell(shown: text, value: .text(text)) }
        static func number(_ number: Int) -> Cell { Cell(shown: "\(number)", value: .number("\(number)")) }
    }

    /// The style in which a table is printed.
    enum Style {
        case plain, csv, json, markdown
    }

    var columns: [Column]
    var rows: [[Cell]] = []

    /// The whole table as text.
    func text(_ style: Style) -> String {
        switch style {
        case .plain: withoutEmptyColumns.plain
        case .markdown: withoutEmptyColumns.markdown
        case .csv: csv
        case .json: json
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

    private var widths: [Int] {
        columns.indices.map { index in
            rows.reduce(columns[index].title.columns) { max($0, $1[index].shown.columns) }
        }
    }

    private var plain: String {
        let widths = widths
        func line(_ texts: [String]) -> String {
            var line = ""
            for (index, text) in texts.enumerated() {
                let width = widths[index]
                line += "  " + (columns[index].isText ? text.padding(to: width) : text.padding(before: width))
            }
            while line.hasSuffix(" ") { line.removeLast() }
            return line + "\n"
        }
        return line(columns.map(\.title)) + rows.map { line($0.map(\.shown)) }.joined()
    }

    private var markdown: String {
        let widths = widths.map { max($0, 3) }
        func line(_ texts: [String]) -> String {
            let cells = texts.enumerated().map { index, text in
                let text = text.replacing("|", with: "\\|")
                let width = widths[index]
                return columns[index].isText ? text.padding(to: width) : text.padding(before: width)
            }
            return "| " + cells.joined(separator: " | ") + " |\n"
        }
        let rule = columns.indices.map { index in
            let dashes = String(repeating: "-", count: widths[index] - 1)
            return columns[index].isText ? dashes + "-" : dashes + ":"
        }
        return line(columns.map(\.title)) + "| " + rule.joined(separator: " | ") + " |\n"
            + rows.map { line($0.map(\.shown)) }.joined()
    }

    private var csv: String {
        var text = columns.map(\.key).joined(separator: ",") + "\n"
        for row in rows {
            text +=
                row.map { cell in
                    switch cell.value {
                    case .number(let number): number
                    case .text(let text): CSVText.quoted(text)
                    case .none: ""
                    }
                }.joined(separator: ",") + "\n"
        }
        return text
    }

    private var json: String {
        JSON.array(
            rows.map { row in
                JSON.line(
                    zip(columns, row).lazy.map { column, cell -> (String, JSON) in
                        switch cell.value {
                        case .number(let number): (column.key, .number(number))
                        case .text(let text): (column.key, .text(text))
                        case .none: (column.key, .null)
                        }
                    })
            })
    }
}
