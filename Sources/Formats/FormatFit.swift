internal import Languages
package import Scores

/// Finds the format that a text fits best.
package enum FormatFit {
    /// A smaller difference than this is no difference: one line of ten may be a mistake.
    private static let margin = 0.1

    /// The format of a text whose name tells none of these for certain, or none at all (`isNamed`). A fit is 0 if the text
    /// does not fit the format at all, and 1 if every one of its first lines does. `hint` says how to choose between two.
    ///
    /// Errors: two formats fit about equally well, or none does. But a text that may be a table, and one of which nothing is
    /// known, get the formats `table` and `usual`, whose readers say what is wrong with it.
    package static func find<Format: Equatable>(
        _ fits: [(format: Format, fit: Double)], isNamed: Bool, table: Format, usual: Format, name: (Format) -> String,
        hint: (Format, Format) -> String
    ) throws(TextError) -> Format {
        let inOrder = fits.filter { $0.fit > 0 }.sorted { $0.fit > $1.fit }
        guard let (best, fit) = inOrder.first else {
            if !isNamed { return usual }
            if fits.contains(where: { $0.format == table }) { return table }
            let names = fits.map { name($0.format) }
            let others = names.dropLast().joined(separator: ", ")
            throw TextError(
                others.isEmpty
                    ? localized("the text is not \(names.last ?? "")")
                    : localized("the text is not \(others) or \(names.last ?? "")"))
        }
        if inOrder.count > 1, fit - inOrder[1].fit < margin {
            let other = inOrder[1].format
            throw TextError(localized("the text may be \(name(best)) or \(name(other))"), hint: hint(best, other))
        }
        return best
    }
}

extension SourceText {
    /// The number of lines that are looked at.
    private static var sampleLines: Int { 100 }

    /// The share of the first lines that fit a format with one item per line, 0...1; 0 if no line has a content.
    /// `content` is the part of a line without comments and blanks around it.
    func fit(content: (Span<UInt8>, Range<Int>) -> Range<Int>, isItem: (Range<Int>) -> Bool) -> Double {
        var (count, fitting) = (0, 0)
        for line in TextLines(bytes) {
            let content = content(bytes.span, line)
            guard !content.isEmpty else { continue }
            // The end of the sample may have cut this line.
            let isCut = count > 0 && line.upperBound == bytes.count && bytes.count >= ScoreFormat.sampleBytes
            guard count < Self.sampleLines, !isCut else { break }
            count += 1
            if isItem(content) { fitting += 1 }
        }
        return count == 0 ? 0 : Double(fitting) / Double(count)
    }
}
