internal import Languages

/// A message about one place in a score file.
public struct Diagnostic: Sendable, Equatable {
    /// How serious it is.
    public enum Severity: String, Sendable {
        /// The file cannot be read as a score.
        case error
        /// The score can be played, but may not be what its author meant.
        case warning

        /// What messages begin with.
        var text: String {
            switch self {
            case .error: localized("error:")
            case .warning: localized("warning:")
            }
        }
    }

    /// Whether it is an error or a warning.
    public var severity: Severity
    /// What is wrong: a phrase without a final period.
    public var message: String
    /// How to fix it; nil if there is no useful advice.
    public var hint: String?
    /// The name of the file as messages show it.
    public var file: String
    /// The line, from 1; 0 in a binary file, such as a MIDI file.
    public var line: Int
    /// The column of the first marked character, from 1, in Unicode scalars; in a binary file the byte, from 0.
    public var column: Int
    /// How many Unicode scalars are marked, at least 1.
    public var length: Int
    /// The source line, or the part around the mark if the line is long.
    public var excerpt: Excerpt

    /// Makes a diagnostic.
    public init(
        _ severity: Severity, _ message: String, hint: String? = nil, file: String, line: Int = 1,
        column: Int = 1, length: Int = 1, excerpt: Excerpt = Excerpt()
    ) {
        self.severity = severity
        self.message = message
        self.hint = hint
        self.file = file
        self.line = line
        self.column = column
        self.length = length
        self.excerpt = excerpt
    }

    /// The diagnostic as text without a final line end: `FILE:LINE:COLUMN: error: MESSAGE` (`FILE:byte N: ...` in a
    /// binary file), the source line, and a line that marks the place with `^~~~`.
    ///
    /// Control characters from the file are shown as U+FFFD. `color` adds ANSI colors.
    public func rendered(color: Bool = false) -> String {
        let (bold, plain) = color ? ("\u{1B}[1m", "\u{1B}[0m") : ("", "")
        let tint = color ? (severity == .error ? "\u{1B}[1;31m" : "\u{1B}[1;35m") : ""
        let green = color ? "\u{1B}[1;32m" : ""
        let place = line == 0 ? localized("byte \(column)") : "\(line):\(column)"
        var text = "\(bold)\(file.printable):\(place):\(plain) \(tint)\(severity.text)\(plain) "
        text += bold + TextError.joined(message, hint).printable + plain
        guard !excerpt.text.isEmpty else { return text }
        let (padding, mark) = excerpt.underline
        return text + "\n" + excerpt.text + "\n" + padding + green + mark + plain
    }
}

/// The part of a source line that a diagnostic shows.
public struct Excerpt: Sendable, Equatable {
    /// The line, or the part around the mark with `…` where it is cut; empty if there is nothing to show.
    public private(set) var text: String
    /// The first marked Unicode scalar of `text`, from 0.
    public private(set) var start: Int
    /// How many Unicode scalars of `text` are marked.
    public private(set) var length: Int

    /// Makes an empty excerpt.
    public init() {
        (text, start, length) = ("", 0, 0)
    }

    /// The maximum number of Unicode scalars shown of a line.
    static let width = 100
    /// How many of them precede the mark if the beginning of the line is cut off.
    private static let lead = 40

    /// Cuts the excerpt out of the UTF-8 bytes of a line; `mark` counts Unicode scalars from 0 and is not empty.
    init(line: Span<UInt8>, mark: Range<Int>) {
        let isCut = line.scalarCount > Self.width && mark.upperBound > Self.width - 2
        let first = isCut ? max(0, mark.lowerBound - Self.lead) : 0
        var scalars: [Unicode.Scalar] = first > 0 ? ["…"] : []
        var (position, index) = (0, 0)
        while position < line.count, index < first + Self.width {
            var end = position + 1
            while end < line.count, end < position + 4, line[end].isContinuation { end += 1 }
            if index >= first {
                let scalar = String(decoding: line.extracting(position..<end)).unicodeScalars.first
                scalars.append(scalar == "\t" ? "\t" : scalar?.printable ?? "\u{FFFD}")
            }
            index += 1
            position = end
        }
        if position < line.count { scalars.append("…") }
        text = String(String.UnicodeScalarView(scalars))
        start = mark.lowerBound - first + (first > 0 ? 1 : 0)
        length = max(1, min(mark.count, scalars.count - start))
    }

    /// The padding and the mark for the line below the excerpt, aligned in a terminal.
    var underline: (padding: String, mark: String) {
        let scalars = text.unicodeScalars
        let padding = String(scalars.prefix(start)).map {
            $0 == "\t" ? "\t" : String(repeating: " ", count: $0.columns)
        }
        let columns = String(scalars.dropFirst(start).prefix(length)).columns
        return (padding.joined(), "^" + String(repeating: "~", count: max(columns, 1) - 1))
    }
}

extension Diagnostic {
    /// Makes a diagnostic about some bytes of one line; computes its column, length and excerpt.
    ///
    /// `source` is the line in UTF-8 without its line end. `mark` counts bytes of the line from 0 and is clamped to it;
    /// an empty mark marks one character. `line` is the line number, from 1.
    package init(
        _ severity: Severity, _ message: String, hint: String?, file: String, line: Int, source: Span<UInt8>,
        mark: Range<Int>
    ) {
        let start = min(max(mark.lowerBound, 0), source.count)
        let end = min(max(mark.upperBound, start), source.count)
        let before = source.extracting(0..<start).scalarCount
        let length = max(1, source.extracting(start..<end).scalarCount)
        let excerpt = source.isEmpty ? Excerpt() : Excerpt(line: source, mark: before..<before + length)
        self.init(
            severity, message, hint: hint, file: file, line: line, column: before + 1, length: length, excerpt: excerpt)
    }
}

extension UInt8 {
    /// Whether this is a byte of a scalar in UTF-8 after its first.
    var isContinuation: Bool { self & 0xC0 == 0x80 }
}

extension Span<UInt8> {
    /// The number of Unicode scalars in UTF-8.
    var scalarCount: Int {
        var count = 0
        for index in indices where !self[index].isContinuation { count += 1 }
        return count
    }
}

extension TextError {
    /// Untrusted text for a message: in quotes, at most 40 characters, safe to print on a terminal.
    package static func shown(_ text: String) -> String { quoted(text) }
}
