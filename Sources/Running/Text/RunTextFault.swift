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
        var lines = LineFinder(text)
        lines.advance(to: start)
        let end = lines.end
        return Diagnostic(
            severity, error.message, hint: error.hint, file: file, line: lines.line,
            source: text.span.extracting(lines.start..<end),
            mark: start - lines.start..<max(range.upperBound, start) - lines.start)
    }
}
