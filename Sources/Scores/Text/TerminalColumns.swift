extension String {
    /// How many columns the text takes on a terminal.
    package var columns: Int {
        // Most texts are of ASCII, and a table has millions.
        utf8.allSatisfy { 0x20..<0x7F ~= $0 } ? utf8.count : reduce(0) { $0 + $1.columns }
    }

    /// The longest beginning of the text that fits into `width` columns of a terminal.
    package func cut(toColumns width: Int) -> String {
        var columns = 0
        return String(
            prefix { character in
                columns += character.columns
                return columns <= width
            })
    }

    /// The text, or as many of its words as fit into `width` columns, with `…` for the rest. Characters of two columns are
    /// words of their own, since Chinese and Japanese have no blanks. It is never cut in a number.
    package func cutAtWord(toColumns width: Int) -> String {
        guard columns > width else { return self }
        var (column, whole) = (0, "")
        var index = startIndex
        while index < endIndex {
            let (character, after) = (self[index], self.index(after: index))
            column += character.columns
            guard column < width, after < endIndex else { break }
            if self[after] == " ", character != " ", column + 2 <= width {
                whole = self[..<after] + " …"
            } else if character.columns == 2 || self[after].columns == 2 {
                whole = self[..<after] + "…"
            }
            index = after
        }
        guard whole.isEmpty else { return whole }
        let start = cut(toColumns: max(width - 1, 0))
        func isOfNumber(_ character: Character?) -> Bool {
            character.map { $0.isNumber || ".:".contains($0) } ?? false
        }
        let next = dropFirst(start.count).first
        if next == " " { return start }
        let isInNumber = isOfNumber(start.last) && isOfNumber(next)
        return (isInNumber ? String(start.prefix { !isOfNumber($0) }) : start) + (width > 0 ? "…" : "")
    }

    /// The text, or as much of its end as fits into `width` columns, with `…` for what comes before.
    package func cutAtStart(toColumns width: Int) -> String {
        guard columns > width else { return self }
        return "…" + String(String(reversed()).cut(toColumns: width - 1).reversed())
    }

    /// The text in lines of at most `width` columns. They break where two blanks separate items, or else between words; the
    /// lines after the first are indented like it.
    package func lines(ofColumns width: Int) -> [String] {
        guard columns > width else { return [self] }
        let indent = String(prefix { $0 == " " })
        var (lines, line) = ([String](), "")
        func joined(_ text: some StringProtocol, by blanks: String) -> String {
            line.isEmpty ? indent + text : line + blanks + text
        }
        func end() {
            if !line.isEmpty { lines.append(line) }
            line = ""
        }
        for item in split(separator: "  ").map({ String($0).trimmingBlanks }) where !item.isEmpty {
            if joined(item, by: "  ").columns > width { end() }
            guard (indent + item).columns > width else {
                line = joined(item, by: "  ")
                continue
            }
            for word in item.split(separator: " ") {
                if joined(word, by: " ").columns > width { end() }
                line = joined(word, by: " ")
            }
        }
        end()
        return lines
    }

    /// The text, filled up with spaces on the right to `width` columns of a terminal.
    package func padding(to width: Int) -> String { self + String(repeating: " ", count: max(width - columns, 0)) }

    /// The text, filled up with spaces on the left to `width` columns of a terminal.
    package func padding(before width: Int) -> String { String(repeating: " ", count: max(width - columns, 0)) + self }

    /// The text without trailing blanks.
    package var trimmedEnd: String {
        let last = utf8.lastIndex { $0 != UInt8(ascii: " ") }
        return String(self[..<(last.map(utf8.index(after:)) ?? startIndex)])
    }
}

extension Character {
    /// How many columns the character takes on a terminal: two for Chinese, Japanese and Korean characters and emoji.
    package var columns: Int {
        guard let first = unicodeScalars.first else { return 0 }
        // Combining marks without a base character take no column.
        if unicodeScalars.allSatisfy(\.isMark) { return 0 }
        let isFlag = unicodeScalars.count > 1 && (0x1F1E6...0x1F1FF).contains(first.value)
        return isFlag || first.isWide || unicodeScalars.contains { $0.value == 0xFE0F } ? 2 : 1
    }
}

extension Unicode.Scalar {
    fileprivate var isMark: Bool {
        [.nonspacingMark, .enclosingMark, .format].contains(properties.generalCategory)
    }

    fileprivate var isWide: Bool {
        switch value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
            0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
            true
        default: properties.isEmojiPresentation
        }
    }
}
