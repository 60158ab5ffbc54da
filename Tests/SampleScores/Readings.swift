internal import Formats
package import Scores

/// Reads a text that must be a valid score without warnings.
package func score(_ text: String, file: String = "x.yaml") throws -> Score {
    let reading = Score.read(Array(text.utf8), file: file)
    guard let score = reading.score, reading.diagnostics.isEmpty else { throw NoScore(rendered(text, file: file)) }
    return score
}

/// The diagnostics of a text, rendered into one text.
package func rendered(_ text: String, file: String = "x.yaml") -> String { rendered(Array(text.utf8), file: file) }

package func rendered(_ bytes: [UInt8], file: String = "x.yaml") -> String {
    Score.read(bytes, file: file).diagnostics.map { $0.rendered() }.joined(separator: "\n")
}

extension String {
    /// The text up to its first line break. The compiler types this faster than a split within an expectation.
    package var firstLine: String { String(prefix { $0 != "\n" }) }
}

/// The error if a text is not a score, or has warnings.
private struct NoScore: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) { self.description = description }
}
