/// A mistake in a text: its place, what is wrong, and what would be right.
public struct Problem: Error, Equatable, CustomStringConvertible {
    /// The bytes of the text with the mistake; empty if something is missing there.
    public var range: Range<Int>
    /// What is wrong, and what would be right.
    public var error: TextError
    /// How the reading of a file goes on after it.
    package var effect = Effect.isError

    /// How reading goes on after a mistake.
    package enum Effect: Sendable {
        /// It reports the mistake and looks for others.
        case isError
        /// It reports the mistake and reads no further.
        case ends
        /// It leaves out the part, as other programs do that read the format, and says so.
        case isSkipped
    }

    /// Makes a problem.
    public init(_ range: Range<Int>, _ message: String, hint: String? = nil) {
        self.init(range, TextError(message, hint: hint))
    }

    /// Makes a problem from an error.
    public init(_ range: Range<Int>, _ error: TextError) { (self.range, self.error) = (range, error) }

    package init(_ range: Range<Int>, _ error: TextError, _ effect: Effect) {
        (self.range, self.error, self.effect) = (range, error, effect)
    }

    package init(_ range: Range<Int>, _ message: String, hint: String? = nil, _ effect: Effect) {
        self.init(range, TextError(message, hint: hint), effect)
    }

    package init(_ place: Int, _ message: String, hint: String? = nil) {
        self.init(place..<place, message, hint: hint)
    }

    /// The error as a phrase without a full stop.
    public var description: String { error.description }

    /// The problem with its line, column and caret. `file` is the name of the text in messages.
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
