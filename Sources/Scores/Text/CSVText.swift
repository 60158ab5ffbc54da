/// Rows of CSV as texts, as defined by RFC 4180.
package enum CSVText {
    /// A text as a field, in quotes if it needs them. Fields with blanks at their ends are quoted, because readers,
    /// including our own, trim unquoted fields. So are fields that begin with `#`, because that begins a comment.
    package static func quoted(_ text: String) -> String {
        // Bytes, not characters: a quote before a combining accent is still a quote.
        let bytes = text.utf8
        let isTrimmed = bytes.first != UInt8(ascii: " ") && bytes.last != UInt8(ascii: " ")
        guard !isTrimmed || bytes.first == UInt8(ascii: "#") || bytes.contains(where: isSpecial) else { return text }
        // Scalars, for the same reason.
        return "\"\(text.unicodeScalars.replacing("\"".unicodeScalars, with: "\"\"".unicodeScalars))\""
    }

    /// A line of these fields, which are quoted already.
    package static func line(_ fields: [String]) -> String { fields.joined(separator: ",") + "\n" }

    /// Whether a field with this byte needs quotes.
    private static func isSpecial(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\"") || byte == 0x0A || byte == 0x0D
    }

    /// The fields of one row; nil if the text is not one valid row, for example because a quote is never closed.
    package static func fields(_ row: String) -> [String]? {
        let bytes = Array(row.utf8)
        var reader = CSVFields()
        var texts: [String] = []
        while true {
            guard let field = try? reader.next(bytes.span) else { return nil }
            texts.append(field.text(in: bytes.span))
            if field.endsRow { return reader.position == bytes.count ? texts : nil }
        }
    }
}

extension JSON {
    /// The value as a field of CSV; empty for null.
    package var csv: String {
        switch self {
        case .null: ""
        case .number, .whole, .time: line
        case .text(let text): CSVText.quoted(text)
        case .list, .object, .fields: CSVText.quoted(line)
        }
    }

    /// Appends the value as a field of CSV; makes no texts of numbers and times, of which there may be millions.
    package func append(csvTo bytes: inout [UInt8]) {
        switch self {
        case .null: break
        case .number, .whole, .time: append(to: &bytes)
        case .text, .list, .object, .fields: bytes.append(contentsOf: csv.utf8)
        }
    }
}
