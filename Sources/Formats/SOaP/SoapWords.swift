internal import Languages
internal import Scores

/// The words of a line of a SO(a)P score, without its comment, to be taken one by one.
///
/// Blanks separate words; a quote and a `|` begin one. A label is one word with its quotes.
struct SoapWords {
    private let source: SourceText
    private let words: [Range<Int>]
    private var next = 0

    init(_ source: SourceText, _ line: Range<Int>) {
        self.source = source
        words = Self.words(source.bytes.span, line)
    }

    private static func words(_ bytes: Span<UInt8>, _ line: Range<Int>) -> [Range<Int>] {
        var words: [Range<Int>] = []
        var (start, position) = (line.lowerBound, line.lowerBound)
        func close() { if start < position { words.append(start..<position) } }
        while position < line.upperBound {
            let byte = bytes[position]
            if byte == UInt8(ascii: "\"") {
                close()
                start = position
                position += 1
                while position < line.upperBound, bytes[position] != UInt8(ascii: "\"") { position += 1 }
                position = min(position + 1, line.upperBound)
                close()
                start = position
                continue
            }
            let slash = UInt8(ascii: "/")
            if byte == slash, position + 1 < line.upperBound, bytes[position + 1] == slash { break }
            // A semicolon ends a statement in other languages; here it is passed over.
            let isBlank = byte.isBlank || byte == UInt8(ascii: ";")
            if isBlank || byte == UInt8(ascii: "|") { close() }
            if isBlank { start = position + 1 } else if byte == UInt8(ascii: "|") { start = position }
            position += 1
        }
        close()
        return words
    }

    /// Whether all words are taken.
    var isAtEnd: Bool { next >= words.count }

    /// The next word; empty at the end. A word of more than 4000 bytes is truncated, unless it is a label: no other word
    /// can be that long.
    var text: String {
        guard next < words.count else { return "" }
        let word = words[next]
        let isLabel = source.bytes[word.lowerBound] == UInt8(ascii: "\"")
        return source.text(isLabel ? word : word.prefix(4000))
    }

    /// The place of the next word; of the last one at the end.
    var here: Range<Int> { words.isEmpty ? 0..<0 : words[min(next, words.count - 1)] }

    /// The end of the word that was taken last.
    var end: Int { words[max(min(next, words.count) - 1, 0)].upperBound }

    /// Takes the next word; returns its place.
    @discardableResult
    mutating func take() -> Range<Int> {
        defer { next += 1 }
        return here
    }
}

/// The numbers of SO(a)P scores.
enum SoapNumber {
    /// A positive decimal number such as `60`, `60.5` or `.5`; nil for anything else.
    static func number(_ text: Substring) -> Fraction? {
        let text = text.hasPrefix(".") ? "0" + text : String(text)
        guard let number = DecimalText(text), number.whole < 1_000_000_000, number.decimals <= 9 else { return nil }
        return Fraction(number)
    }

    /// A note such as `3/8`, in whole notes.
    static func note(_ text: Substring) throws(TextError) -> Fraction {
        let sides = text.split(separator: "/", omittingEmptySubsequences: false).map { Int(wholeText: String($0)) ?? 0 }
        guard sides.count == 2, (1...1000).contains(sides[0]), (1...10_000).contains(sides[1]) else {
            throw TextError(
                localized("\(TextError.quoted("[\(text)]")) is not a note"),
                hint: localized("for example [1/4] or [3/8]"))
        }
        return Fraction(Int64(sides[0]), Int64(sides[1]))
    }

    /// A length of time such as `10s`, `7.5s` or `2m30s`: the sum of numbers with the units h, m, s and ms.
    static func duration(_ text: String, as use: DurationUse) throws(TextError) -> Duration {
        let malformed = TextError(
            localized("\(TextError.quoted(text)) is not a length of time"),
            hint: localized("for example 10s, 7.5s or 2m30s"))
        var rest = text[...]
        var sum = Duration.zero
        while !rest.isEmpty {
            let digits = rest.prefix { $0 == "." || $0.isWholeNumber }
            rest = rest.dropFirst(digits.count)
            let unit = rest.prefix { $0.isLetter }
            rest = rest.dropFirst(unit.count)
            let factors: [Substring: Fraction] = [
                "h": Fraction(3600), "m": Fraction(60), "s": .one, "ms": Fraction(1, 1000),
            ]
            guard let factor = factors[unit] else {
                guard unit.isEmpty, !digits.isEmpty else { throw malformed }
                throw TextError(
                    localized("\(TextError.quoted(text)) has no unit"),
                    hint: localized("write h, m, s or ms, for example 10s"))
            }
            guard digits.utf8.contains(where: { $0 != UInt8(ascii: "0") && $0 != UInt8(ascii: ".") }) else {
                guard Double(digits) != nil else { throw malformed }
                continue
            }
            guard let number = number(digits) else { throw malformed }
            sum += (number * factor).seconds
        }
        guard use.range.contains(sum) else {
            throw TextError(
                use == .bar ? localized("a bar lasts 1 ms to 24 h") : localized("a fermata lasts 1 ms to 24 h"))
        }
        return sum
    }
}
