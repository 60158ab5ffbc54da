internal import Languages

/// The error for a text that is not a valid value.
public struct TextError: Error, Equatable, CustomStringConvertible {
    /// What is wrong: a phrase without a final period.
    public let message: String
    /// How to fix it, such as "for example 2.7 or 1:30"; nil if there is no useful advice.
    public let hint: String?

    /// Makes an error.
    public init(_ message: String, hint: String? = nil) {
        (self.message, self.hint) = (message, hint)
    }

    /// The message and, if there is one, the hint.
    public var description: String { Self.joined(message, hint) }

    /// A message with its hint: a comma precedes an example, a semicolon precedes other advice.
    package static func joined(_ message: String, _ hint: String?) -> String {
        guard let hint else { return message }
        return message + (isExample(hint) ? ", " : "; ") + hint
    }

    /// Whether a hint is an example. In every language, examples and nothing else begin with the same words: `docs/phrases
    /// --check` sees to it.
    static func isExample(_ hint: String) -> Bool { hint.hasPrefix(localized("for example")) }

    /// Untrusted text for a message: in quotes, at most 40 characters, safe to print on a terminal.
    package static func quoted(_ text: some StringProtocol) -> String {
        let shown = String(String.UnicodeScalarView(text.unicodeScalars.prefix(40)))
        return "'" + shown.printable + (text.unicodeScalars.dropFirst(40).isEmpty ? "'" : "…'")
    }
}
