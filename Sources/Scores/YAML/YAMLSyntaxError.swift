internal import CLibYAML
internal import Languages

/// A syntax error of libyaml in words for authors of scores, at the place where it can be fixed.
struct YAMLSyntaxError {
    private let problem: String
    private let context: String
    private let problemOffset: Int
    private let contextOffset: Int
    private let source: SourceText

    static let tooDeep = localized("this is nested deeper than a score needs")

    init(_ parser: yaml_parser_t, _ offsets: inout ByteOffsets, _ source: SourceText) {
        problem = parser.problem.map { String(cString: $0) } ?? localized("not enough memory")
        context = parser.context.map { String(cString: $0) } ?? ""
        contextOffset = offsets.offset(of: parser.context_mark)
        problemOffset = offsets.offset(of: parser.problem_mark)
        self.source = source
    }

    /// Reports the error.
    func report(_ log: inout DiagnosticLog) {
        let isAtEnd = problem.contains("end of stream") || isBlank(from: problemOffset)
        if problem.contains("nesting level") {
            report(problemOffset, Self.tooDeep, &log)
        } else if let tab = tabInIndentation {
            report(tab, localized("YAML indents with spaces, not tabs"), &log)
        } else if context.contains("quoted scalar"), isAtEnd || problem.contains("document indicator") {
            report(contextOffset, localized("the quote that opens here is never closed"), &log)
        } else if context.contains("flow"), isAtEnd {
            let open = openBracket
            let bracket = source.text(open..<min(open + 1, source.bytes.count))
            report(
                open, localized("the \(TextError.quoted(bracket)) that opens here is never closed"),
                hint: commentHint(open), &log)
        } else {
            let (message, hint) = wording
            report(problem.contains("expected ':'") ? contextOffset : problemOffset, message, hint: hint, &log)
        }
    }

    private func report(_ offset: Int, _ message: String, hint: String? = nil, _ log: inout DiagnosticLog) {
        log.error(at: offset..<(offset + 1), message, hint: hint)
    }

    /// The bracket that the parser was in; after a missing value, libyaml gives its own position instead.
    private var openBracket: Int {
        let brackets: [UInt8] = [UInt8(ascii: "["), UInt8(ascii: "{")]
        let before = source.bytes.prefix(contextOffset + 1)
        return before.lastIndex(where: brackets.contains) ?? min(contextOffset, source.bytes.count)
    }

    /// A hint if a comment may have swallowed a closing bracket, as in a color's `#ff0000}`.
    private func commentHint(_ open: Int) -> String? {
        let line = source.bytes[open...].prefix { $0 != 0x0A && $0 != 0x0D }
        let hasComment = zip(line, line.dropFirst()).contains { $0 == 0x20 && $1 == UInt8(ascii: "#") }
        return hasComment ? localized("text after a '#' is a comment") : nil
    }

    private var wording: (message: String, hint: String?) {
        switch problem {
        case "mapping values are not allowed in this context":
            (
                localized("a ':' is not allowed here"),
                localized("check the indentation and the line above, or put the text in quotes")
            )
        case "could not find expected ':'":
            (localized("this key has no ':' after it"), localized("for example \(source.kind.example)"))
        case "did not find expected key": (localized("expected a key"), localized("check the indentation"))
        case "did not find expected '-' indicator": (localized("expected a '-'"), localized("check the indentation"))
        case "did not find expected ',' or ']'": (localized("expected a ',' or ']'"), nil)
        case "did not find expected ',' or '}'": (localized("expected a ',' or '}'"), nil)
        case "found character that cannot start any token":
            (localized("a text cannot begin with this character"), localized("put the text in quotes"))
        case "block sequence entries are not allowed in this context":
            (localized("a list cannot begin here"), localized("begin it on a new line"))
        default: (localized("this is not YAML: \(problem)"), nil)
        }
    }

    /// The first tab in the indentation of the line of the problem; nil if there is none.
    private var tabInIndentation: Int? {
        let bytes = source.bytes
        var start = min(problemOffset, bytes.count)
        // The parser may already be on the line after the tab that stopped it.
        while start > 0, bytes[start - 1] != 0x0A, bytes[start - 1] != 0x0D { start -= 1 }
        let indentation = bytes[start...].prefix { $0 == 0x20 || $0 == 0x09 }
        return indentation.firstIndex(of: 0x09)
    }

    private func isBlank(from offset: Int) -> Bool {
        source.bytes.dropFirst(offset).allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
    }
}
