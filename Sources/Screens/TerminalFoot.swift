internal import Scores

/// Lines at the bottom of a held terminal; only changed lines are drawn again. A plain terminal gets each change as a new line.
package struct TerminalFoot {
    private let terminal: Terminal
    private var drawn: [String] = []
    private var spoiled = 0
    private var size = (columns: 0, rows: 0)

    package init(_ terminal: Terminal) { self.terminal = terminal }

    /// Shows these lines, cut to the terminal's width. `marks` are the two escape sequences that may occur in them;
    /// they take no room.
    package mutating func draw(_ lines: [String], marks: (String, String) = ("", "")) {
        guard !Terminal.isPlain else { return print(lines) }
        let size = Terminal.size
        let columns = max(size.columns - 1, 1)
        let lines = lines.map { line in
            let line = TerminalFoot.printable(line, marks)
            let extra = marks.0.isEmpty || !line.contains(marks.0) ? 0 : marks.0.count + marks.1.count
            return line.cut(toColumns: columns + extra)
        }
        if terminal.timesSpoiled != spoiled { drawn = [] }
        spoiled = terminal.timesSpoiled
        let isResized = size != self.size && !drawn.isEmpty
        self.size = size
        guard lines != drawn || isResized else { return }
        var text = drawn.isEmpty ? "" : "\u{1B}[\(isResized ? wrapped(drawn, size.columns) : drawn.count)A"
        if isResized {
            // The terminal has wrapped or moved the old lines, each in its own way: all below is drawn anew.
            text += "\r\u{1B}[J"
            drawn = []
        }
        for index in 0..<max(lines.count, drawn.count) {
            let line = index < lines.count ? lines[index] : ""
            if index >= drawn.count || drawn[index] != line { text += "\r\u{1B}[2K" + line }
            text += "\r\n"
        }
        drawn = lines + Array(repeating: "", count: max(drawn.count - lines.count, 0))
        terminal.write(text)
    }

    /// The rows that lines take in a terminal that has become narrower.
    private func wrapped(_ lines: [String], _ columns: Int) -> Int {
        lines.reduce(0) { $0 + max(($1.columns - 1) / max(columns, 1), 0) + 1 }
    }

    private mutating func print(_ lines: [String]) {
        guard lines != drawn else { return }
        for line in TerminalFoot.news(in: lines, after: drawn) { terminal.write(line.printable + "\n") }
        drawn = lines
    }

    /// The lines that say something new after the earlier ones: other words, or the line that has the cursor now.
    package static func news(in lines: [String], after earlier: [String]) -> [String] {
        func words(_ line: String) -> String { line.filter { !">[]▏".contains($0) }.trimmingBlanks }
        let known = Set(earlier.map(words))
        return lines.filter { line in
            let isChosen = line.hasPrefix(">") && !earlier.contains(line)
            return !words(line).isEmpty && (isChosen || !known.contains(words(line)))
        }.map { $0.replacing("▏", with: "") }
    }

    /// A line made safe for a terminal, with its marks kept.
    package static func printable(_ line: String, _ marks: (String, String)) -> String {
        guard !marks.0.isEmpty, !marks.1.isEmpty else { return line.printable }
        return line.split(separator: marks.0, omittingEmptySubsequences: false).map { part in
            part.split(separator: marks.1, omittingEmptySubsequences: false).map(\.printable).joined(separator: marks.1)
        }.joined(separator: marks.0)
    }
}
