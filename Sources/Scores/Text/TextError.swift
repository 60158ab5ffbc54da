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
    package static func joined(_ message: String, _ hint: String?) -> String {
        guard let hint else { return message }
        return message + (hint.hasPrefix("for example") ? ", " : "; ") + hint
    }

    /// A text from outside as a message may show it: in quotes, at most 40 characters, nothing that a terminal obeys.
    package static func quoted(_ text: some StringProtocol) -> String {
        let shown = String(String.UnicodeScalarView(text.unicodeScalars.prefix(40)))
        return "'" + shown.printable + (text.unicodeScalars.dropFirst(40).isEmpty ? "'" : "…'")
    }
}
