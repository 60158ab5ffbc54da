internal import Languages
package import Scores

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

    /// The format of a text whose name tells none of these for certain, or none at all (`isNamed`). `hint` says how to choose
    /// between two.
    ///
    /// Errors: two formats fit about equally well, or none does. But a text that may be a table, and one of which nothing is
    /// known, get the formats `table` and `usual`, whose readers say what is wrong with it.
    package static func find(
        _ fits: [(format: Format, fit: Double)], isNamed: Bool, table: Format, usual: Format, name: (Format) -> String,
        hint: (Format, Format) -> String
    ) throws(TextError) -> Format where Format: Equatable {
        switch FormatFit(fits) {
        case .best(let format): return format
        case .close(let one, let other):
            throw TextError(localized("the text may be \(name(one)) or \(name(other))"), hint: hint(one, other))
        case .none:
            if !isNamed { return usual }
            if fits.contains(where: { $0.format == table }) { return table }
            let names = fits.map { name($0.format) }
            let others = names.dropLast().joined(separator: ", ")
            throw TextError(
                others.isEmpty
                    ? localized("the text is not \(names.last ?? "")")
                    : localized("the text is not \(others) or \(names.last ?? "")"))
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
