public import Scores

/// A mistake in the text of a run or plan: its place, what is wrong, and what would be right.
public struct RunTextFault: Error, Equatable, CustomStringConvertible {
    /// The bytes of the text with the mistake; empty if something is missing there.
    public var range: Range<Int>
    /// What is wrong, and what would be right.
    public var error: TextError

    /// Makes a fault.
    public init(_ range: Range<Int>, _ message: String, hint: String? = nil) {
        self.range = range
        error = TextError(message, hint: hint)
    }

    /// Makes a fault from an error.
    public init(_ range: Range<Int>, _ error: TextError) { (self.range, self.error) = (range, error) }

    /// The error as a phrase without a full stop.
    public var description: String { error.description }

    /// The fault with its line, column and caret. `file` is the name of the text in messages.
    public func diagnostic(
        in text: [UInt8], file: String, severity: Diagnostic.Severity = .error
    ) -> Diagnostic {
        let start = min(range.lowerBound, text.count)
        var (line, lineStart, position) = (1, 0, 0)
        while position < start {
            let byte = text[position]
            position += 1
            // CRLF is one line end.
            if byte == 0x0A || byte == 0x0D && !(position < text.count && text[position] == 0x0A) {
                line += 1
                lineStart = position
            }
        }
        let lineEnd = text[lineStart...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? text.count
        let mark = min(start, lineEnd)..<min(max(range.upperBound, start), max(lineEnd, start))
        let relative = mark.lowerBound - lineStart..<max(mark.upperBound, mark.lowerBound) - lineStart
        return Diagnostic(
            severity, error.message, hint: error.hint, file: file, line: line,
            source: text.span.extracting(lineStart..<lineEnd), mark: relative)
    }
}
