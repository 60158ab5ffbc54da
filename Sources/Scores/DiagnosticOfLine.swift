extension Diagnostic {
    /// Makes a diagnostic about some bytes of one line; computes its column, length and excerpt.
    ///
    /// `source` is the line in UTF-8 without its line end. `mark` counts bytes of the line from 0 and is clamped to it;
    /// an empty mark marks one character. `line` is the line number, from 1.
    package init(
        _ severity: Severity, _ message: String, hint: String? = nil, file: String, line: Int, source: Span<UInt8>,
        mark: Range<Int>
    ) {
        let start = min(max(mark.lowerBound, 0), source.count)
        let end = min(max(mark.upperBound, start), source.count)
        let before = Self.scalarCount(source.extracting(0..<start))
        let length = max(1, Self.scalarCount(source.extracting(start..<end)))
        let excerpt = source.isEmpty ? Excerpt() : Excerpt(line: source, mark: before..<before + length)
        self.init(
            severity, message, hint: hint, file: file, line: line, column: before + 1, length: length, excerpt: excerpt)
    }

    private static func scalarCount(_ bytes: Span<UInt8>) -> Int {
        var count = 0
        for index in bytes.indices where bytes[index] & 0xC0 != 0x80 { count += 1 }
        return count
    }
}

extension TextError {
    /// Untrusted text for a message: in quotes, at most 40 characters, safe to print on a terminal.
    package static func shown(_ text: String) -> String { quoted(text) }
}
