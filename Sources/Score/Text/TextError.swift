/// Why a text is not the value that it should be.
public struct TextError: Error, Equatable, CustomStringConvertible {
    /// What is wrong, a phrase without a full stop.
    public let message: String
    /// What would be right, such as "for example 2.7 or 1:30"; nil where nothing useful can be said.
    public let hint: String?

    /// Makes an error.
    public init(_ message: String, hint: String? = nil) {
        self.message = message
        self.hint = hint
    }

    /// The message and, where there is one, the hint.
    public var description: String { Self.joined(message, hint) }

    /// A message with its hint: an example goes on with a comma, advice with a semicolon.
    static func joined(_ message: String, _ hint: String?) -> String {
        guard let hint else { return message }
        return message + (hint.hasPrefix("for example") ? ", " : "; ") + hint
    }

    /// A text from outside as a message may show it: in quotes, at most 40 characters, nothing that a terminal obeys.
    static func quoted(_ text: some StringProtocol) -> String {
        let shown = String(String.UnicodeScalarView(text.unicodeScalars.prefix(40).map(printable)))
        return "'" + shown + (text.unicodeScalars.dropFirst(40).isEmpty ? "'" : "…'")
    }

    /// The scalar, or U+FFFD in place of one that steers a terminal or the direction of text.
    package static func printable(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar.value {
        case 0x00..<0x20, 0x7F..<0xA0, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: "\u{FFFD}"
        default: scalar
        }
    }
}
