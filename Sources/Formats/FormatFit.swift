internal import Scores

/// How well texts fit formats: 0 is not at all, and 1 is every one of the first lines.
package enum FormatFit<Format: Sendable>: Sendable {
    /// One format fits better than all others.
    case best(Format)
    /// These two fit about equally well, better than all others.
    case close(Format, Format)
    /// No format fits.
    case none

    /// A smaller difference than this is no difference: one line of ten may be a mistake.
    private static var margin: Double { 0.1 }

    /// Compares formats, each with its fit, 0...1.
    package init(_ fits: [(format: Format, fit: Double)]) {
        let inOrder = fits.filter { $0.fit > 0 }.sorted { $0.fit > $1.fit }
        guard let best = inOrder.first else {
            self = .none
            return
        }
        if inOrder.count > 1, best.fit - inOrder[1].fit < Self.margin {
            self = .close(best.format, inOrder[1].format)
        } else {
            self = .best(best.format)
        }
    }
}

extension SourceText {
    /// The number of lines that are looked at.
    private static var sampleLines: Int { 100 }

    /// The share of the first lines that fit a format with one item per line, 0...1; 0 if no line has a content.
    /// `content` is the part of a line without comments and blanks around it.
    func fit(
        content: (Span<UInt8>, Range<Int>) -> Range<Int>, isItem: (Range<Int>) -> Bool
    ) -> Double {
        let bytes = self.bytes.span
        var lines = TextLines()
        var (count, fitting) = (0, 0)
        while count < Self.sampleLines, let line = lines.next(bytes) {
            let content = content(bytes, line)
            guard !content.isEmpty else { continue }
            // The end of the sample may have cut this line.
            if count > 0, line.upperBound == bytes.count, bytes.count >= ScoreFormat.sampleBytes { break }
            count += 1
            if isItem(content) { fitting += 1 }
        }
        return count == 0 ? 0 : Double(fitting) / Double(count)
    }
}
