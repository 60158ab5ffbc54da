internal import Languages

/// Collects diagnostics while a file is read, and notes which performance settings the file itself gives.
package struct DiagnosticLog: Sendable {
    private struct Entry {
        var severity: Diagnostic.Severity
        var range: Range<Int>
        var text: TextError
        /// Whether it says that the tempo of the beginning is missing.
        var isMissingTempo = false
    }

    private var entries: [Entry] = []
    /// The performance settings that the file gives.
    package var preferences: Set<Score.Preference> = []
    /// The paths of other files that the file names.
    package var files: [String] = []
    private var errorCount = 0
    /// The number of warnings, and of those that are not shown.
    private var warningCount = 0
    private var hiddenWarnings = 0
    /// Whether what can be read only by an assumption is an error.
    private let isStrict: Bool

    /// Makes an empty log; in a strict one, an assumption is an error.
    package init(strict: Bool = false) { isStrict = strict }

    /// The maximum number of diagnostics for a file, without the last two, which count errors and warnings left out.
    static let limit = 100

    /// Whether an error was reported, so that the file has no score.
    package var hasErrors: Bool { errorCount > 0 }

    /// Reports an error at a range of bytes; an empty range marks one character. Its message is made only if shown.
    package mutating func error(
        at range: Range<Int>, _ message: @autoclosure () -> String, hint: @autoclosure () -> String? = nil
    ) {
        error(at: range, TextError(message(), hint: hint()))
    }

    /// Reports a text that is not a valid value; `error` is evaluated only if it is shown.
    package mutating func error(at range: Range<Int>, _ error: @autoclosure () -> TextError) {
        errorCount += 1
        if entries.count == Self.limit {
            // When the log is full, an error replaces a warning.
            guard warningCount > 0, let last = entries.lastIndex(where: { $0.severity == .warning }) else { return }
            entries.remove(at: last)
            (warningCount, hiddenWarnings) = (warningCount - 1, hiddenWarnings + 1)
        }
        let error = error()
        // The content of an anchor is read again for each alias: report its errors once.
        if entries.contains(where: { $0.range == range && $0.text.message == error.message }) {
            errorCount -= 1
        } else {
            entries.append(Entry(severity: .error, range: range, text: error))
        }
    }

    /// Reports a warning at a range of bytes.
    package mutating func warning(at range: Range<Int>, _ message: String, hint: String? = nil) {
        guard entries.count < Self.limit else { return hiddenWarnings += 1 }
        warningCount += 1
        entries.append(Entry(severity: .warning, range: range, text: TextError(message, hint: hint)))
    }

    /// Warns that the tempo of the beginning is missing.
    package mutating func missingTempo(at range: Range<Int>, _ message: String, hint: String) {
        warning(at: range, message, hint: hint)
        if entries.last?.range == range { entries[entries.count - 1].isMissingTempo = true }
    }

    /// Withdraws this warning: another file gives that tempo.
    package mutating func withdrawMissingTempo() {
        let count = entries.count
        entries.removeAll(where: \.isMissingTempo)
        warningCount -= count - entries.count
    }

    /// Reports an invalid text that the format's own program reads: a warning with what is assumed, or an error.
    package mutating func assume(at range: Range<Int>, _ error: TextError, _ assumption: String) {
        if isStrict {
            self.error(at: range, error)
        } else {
            // An example of what is valid would look like an example of the assumption.
            let hint = error.hint.flatMap { TextError.isExample($0) ? nil : $0 }
            warning(at: range, "\(error.message): \(assumption)", hint: hint)
        }
    }

    /// Everything reported, in order of position.
    package func diagnostics(in source: SourceText) -> [Diagnostic] {
        let inOrder = entries.enumerated().sorted {
            ($0.element.range.lowerBound, $0.offset) < ($1.element.range.lowerBound, $1.offset)
        }
        var finder = LineFinder(source.bytes)
        // Count columns from the previous position, so that a long line is not counted from its start each time.
        var (counted, column) = (0, 0)
        var diagnostics: [Diagnostic] = []
        for (_, entry) in inOrder {
            let (range, message) = (entry.range, entry.text.message)
            var diagnostic = Diagnostic(entry.severity, message, hint: entry.text.hint, file: source.file)
            if source.isBinary {
                (diagnostic.line, diagnostic.column) = (0, range.lowerBound)
            } else {
                finder.advance(to: range.lowerBound)
                let line = finder.start..<finder.end
                if counted < line.lowerBound { (counted, column) = (line.lowerBound, 0) }
                let mark = min(max(range.lowerBound, counted), line.upperBound)
                column += source.bytes.span.extracting(counted..<mark).scalarCount
                counted = mark
                diagnostic.line = finder.line
                diagnostic.column = column + 1
                let marked = mark..<max(mark, min(range.upperBound, line.upperBound))
                diagnostic.length = max(1, source.bytes.span.extracting(marked).scalarCount)
                diagnostic.excerpt = excerpt(source.bytes, line, mark: mark, column: column, length: diagnostic.length)
            }
            diagnostics.append(diagnostic)
        }
        guard let last = diagnostics.last else { return [] }
        let hiddenErrors = errorCount - entries.count { $0.severity == .error }
        for (count, severity) in [(hiddenErrors, Diagnostic.Severity.error), (hiddenWarnings, .warning)] where count > 0
        {
            diagnostics.append(
                Diagnostic(severity, rest(severity, count), file: source.file, line: last.line, column: last.column))
        }
        return diagnostics
    }

    /// The message for diagnostics that are left out.
    private func rest(_ severity: Diagnostic.Severity, _ count: Int) -> String {
        switch severity {
        case .error: count == 1 ? localized("and 1 more error") : localized("and \(count) more errors")
        case .warning: count == 1 ? localized("and 1 more warning") : localized("and \(count) more warnings")
        }
    }

    /// The excerpt of a line. Reads only bytes near the mark: a line of megabytes costs no more than a short one.
    private func excerpt(_ bytes: [UInt8], _ line: Range<Int>, mark: Int, column: Int, length: Int) -> Excerpt {
        let end = min(line.upperBound, mark + 4 * Excerpt.width)
        guard end > line.lowerBound else { return Excerpt() }
        if mark - line.lowerBound <= 8 * Excerpt.width {
            let shown = bytes.span.extracting(line.lowerBound..<end)
            return Excerpt(line: shown, mark: column..<(column + length))
        }
        var start = mark - 4 * Excerpt.width
        while bytes[start].isContinuation { start -= 1 }
        let before = bytes.span.extracting(start..<mark).scalarCount
        return Excerpt(line: bytes.span.extracting(start..<end), mark: before..<(before + length))
    }
}
