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
}
