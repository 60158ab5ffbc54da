/// CSV fields as defined by RFC 4180.
package enum CSVText {
    /// A text as a field, in quotes if it needs them. Fields with blanks at their ends are quoted, because readers,
    /// including our own, trim unquoted fields. So are fields that begin with `#`, because that begins a comment.
    package static func quoted(_ text: String) -> String {
        let special: Set<UInt8> = [UInt8(ascii: ","), UInt8(ascii: "\""), UInt8(ascii: "\n"), UInt8(ascii: "\r")]
        let isTrimmed = text.first != " " && text.last != " " && text.first != "#"
        guard text.utf8.contains(where: special.contains) || !isTrimmed else { return text }
        return "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
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
