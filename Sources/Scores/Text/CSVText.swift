/// Fields as RFC 4180 writes them.
package enum CSVText {
    /// A field, in quotes where it needs them. Blanks at its ends are in quotes too: readers, our own among them, trim bare
    /// ones, and a row that begins with `#` is a comment.
    package static func quoted(_ text: String) -> String {
        let special: Set<UInt8> = [UInt8(ascii: ","), UInt8(ascii: "\""), UInt8(ascii: "\n"), UInt8(ascii: "\r")]
        let isTrimmed = text.first != " " && text.last != " " && text.first != "#"
        guard text.utf8.contains(where: special.contains) || !isTrimmed else { return text }
        return "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }

    /// The fields of one row; nil where it is none, such as a quote that is never closed.
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
