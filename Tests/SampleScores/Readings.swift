internal import Formats
package import Scores

/// Reads a text that must be a score without a warning.
package func score(_ text: String, file: String = "x.yaml") throws -> Score {
    let reading = Score.read(Array(text.utf8), file: file)
    guard let score = reading.score, reading.diagnostics.isEmpty else { throw NoScore(rendered(text, file: file)) }
    return score
}

/// What the diagnostics of a text look like, one text for all.
package func rendered(_ text: String, file: String = "x.yaml") -> String { rendered(Array(text.utf8), file: file) }

package func rendered(_ bytes: [UInt8], file: String = "x.yaml") -> String {
    Score.read(bytes, file: file).diagnostics.map { $0.rendered() }.joined(separator: "\n")
}

/// A text gave no score, or one with a warning.
private struct NoScore: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) { self.description = description }
}
