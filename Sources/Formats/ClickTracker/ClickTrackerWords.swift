internal import Languages
internal import Scores

/// The words of a line, with methods to read the parts of an item.
struct ClickTrackerWords {
    private let source: SourceText
    private let words: [Range<Int>]
    private let whole: Range<Int>

    init(_ source: SourceText, _ range: Range<Int>) {
        (self.source, whole, words) = (source, range, TextLines.words(source.bytes.span, range))
    }

    var count: Int { words.count }

    /// A word; empty if there is none. A word of more than 100 bytes is truncated.
    func text(_ index: Int) -> String { index < words.count ? source.text(words[index].prefix(100)) : "" }

    /// The range from the beginning of word `first` to the end of the word before word `end`.
    func range(_ first: Int, _ end: Int) -> Range<Int> {
        words[first].lowerBound..<words[max(first, end - 1)].upperBound
    }

    func rest(_ first: Int) -> Range<Int> { words[first].lowerBound..<whole.upperBound }

    /// Reads a positive number within bounds.
    func number(
        _ index: Int, _ what: @autoclosure () -> String, _ bounds: ClosedRange<Fraction>, _ example: String
    ) throws(Problem) -> Fraction {
        guard let number = ClickTrackerWords.quotient(text(index)), bounds.contains(number) else {
            throw Problem(
                index < count ? words[index] : whole,
                localized(
                    "\(what()) must be a number from \(bounds.lowerBound.value.plainText) to \(bounds.upperBound.value.plainText)"
                ),
                hint: localized("for example \(example)"))
        }
        return number
    }

    func whole(_ index: Int, _ bounds: ClosedRange<Int>, _ example: String) throws(Problem) -> Int {
        guard let number = Int(wholeText: text(index)), bounds.contains(number) else {
            throw Problem(
                index < count ? words[index] : whole,
                localized("expected a whole number from \(bounds.lowerBound) to \(bounds.upperBound)"),
                hint: localized("for example \(example)"))
        }
        return number
    }

    /// Checks that there is no word at `index` or after it.
    func end(_ index: Int) throws(Problem) {
        guard index < count else { return }
        throw Problem(rest(index), localized("\(TextError.quoted(text(index))) is not expected here"))
    }

    /// The number of words before `x N`, and N; if there is no `x N`, the number of all words, and 1.
    func times() throws(Problem) -> (count: Int, times: Int) {
        guard let x = words.indices.first(where: { $0 > 0 && text($0) == "x" }) else { return (count, 1) }
        let times = try whole(x + 1, 1...1_000_000, "4/4 x 8")
        try end(x + 2)
        return (x, times)
    }

    /// A number, or a quotient of two such as `4:3`; nil for zero or anything else.
    static func quotient(_ text: String) -> Fraction? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 2, let above = number(String(parts[0])) else { return nil }
        return parts.count == 1 ? above : number(String(parts[1])).map { above / $0 }
    }

    private static func number(_ text: String) -> Fraction? {
        var text = text.hasPrefix(".") ? "0" + text : text
        // `83.` is 83, as in Pd.
        if text.hasSuffix("."), text.dropLast().last?.isNumber ?? false { text.removeLast() }
        guard let number = DecimalText(text), number.whole < 1_000_000_000, number.decimals <= 12 else { return nil }
        return Fraction(number)
    }

    /// A meter: `+` joins groups over one denominator, ` + ` joins terms; nil for anything else.
    static func meter(_ text: String) -> Meter? {
        var terms: [Meter.Term] = []
        var groups: [Fraction] = []
        let parts = text.split(separator: "+", omittingEmptySubsequences: false)
        guard parts.count <= Meter.beatLimit else { return nil }
        for part in parts {
            let sides = part.split(separator: "/", omittingEmptySubsequences: false)
            guard sides.count <= 2, let above = number(String(sides[0]).trimmingBlanks) else { return nil }
            groups.append(above)
            guard sides.count == 2 else { continue }
            guard let below = number(String(sides[1]).trimmingBlanks), (0.001...10_000).contains(below.value) else {
                return nil
            }
            terms.append(Meter.Term(groups, over: below))
            groups = []
        }
        return groups.isEmpty && !terms.isEmpty ? Meter(terms) : nil
    }
}
