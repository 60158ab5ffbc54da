internal import Languages

/// The number of a bar on the page, as in printed music: a whole number, or a text such as `57a` or `X1`.
public enum BarNumber: Sendable, Hashable, CustomStringConvertible, ExpressibleByIntegerLiteral {
    /// A whole number. The bar after it counts on, unless it has a number of its own.
    case counted(Int)
    /// Any other text. It is not counted: the bar after it has the number that this one would have had.
    case named(String)

    /// Makes a whole number.
    public init(integerLiteral value: Int) { self = .counted(value) }

    /// The number as printed.
    public var description: String {
        switch self {
        case .counted(let number): "\(number)"
        case .named(let text): text
        }
    }
}

extension BarNumber {
    /// Reads a number as a score or a place has it. Errors: it is empty, or longer than 20 characters.
    package init(scoreText text: String) throws(TextError) {
        let text = try TextRule.check(text, what: localized("a number")).trimmingBlanks
        guard text.unicodeScalars.count <= BarNumber.lengthLimit else {
            throw TextError(localized("a number of a bar has at most 20 characters"))
        }
        self.init(text)
    }

    private init(_ text: String) {
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        let isWhole = !digits.isEmpty && digits.utf8.allSatisfy { (0x30...0x39).contains($0) }
        let whole = isWhole ? Int(text).flatMap { Score.firstBarRange.contains($0) ? $0 : nil } : nil
        self = whole.map(BarNumber.counted) ?? .named(text)
    }

    /// Whether it is a whole number.
    package var isWhole: Bool { if case .counted = self { true } else { false } }

    private static let lengthLimit = 20

    /// The number as people say it: `no. 57`.
    package var said: String { localized("no. \(description)") }

    /// The number and the pass in a text such as `no. 57` or `no. 57 (2)`, in English or in the user's language; nil if
    /// it does not begin as these do. A number may itself end with parentheses, so both readings are given, best first.
    package static func said(in text: String) -> [(number: BarNumber, pass: Int)]? {
        let nothing = ""
        let usual = localized("no. \(nothing)").trimmingBlanks.lowercased()
        let lower = text.lowercased()
        guard let prefix = [usual, "no.", "no "].first(where: { !$0.isEmpty && lower.hasPrefix($0) })
        else { return nil }
        return passes(in: String(text.dropFirst(prefix.count)))
    }

    /// The same without the word.
    package static func passes(in text: String) -> [(number: BarNumber, pass: Int)] {
        let text = text.trimmingBlanks
        var found: [(number: BarNumber, pass: Int)] = []
        if let whole = try? BarNumber(scoreText: text) { found.append((whole, 1)) }
        if text.hasSuffix(")"), let open = text.lastIndex(of: "("),
            let pass = Int(wholeText: String(text[text.index(after: open)...].dropLast()).trimmingBlanks), pass > 0,
            let number = try? BarNumber(scoreText: text[..<open].trimmingBlanks)
        {
            found.append((number, pass))
        }
        return found
    }

    /// The number at the beginning of a label of a file, as in `no. 57 Coda`, and what follows it; nil if there is none.
    package static func written(in label: String) -> (number: BarNumber, rest: String)? {
        guard label.hasPrefix("no. ") else { return nil }
        let words = label.dropFirst(4).split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        guard let number = try? BarNumber(scoreText: String(words[0]).replacing("\u{A0}", with: " ")) else {
            return nil
        }
        return (number, words.count > 1 ? String(words[1]) : "")
    }

    /// The number as labels of files have it: its blanks do not break, so that its end can be found.
    package var written: String { "no. " + description.replacing(" ", with: "\u{A0}") }
}

/// Gives bars their numbers where these do not follow from the bars before them.
package struct NumberedBars {
    /// The number that the next bar has by itself.
    private var next: Int

    package init(first: Int = 1) { next = first }

    /// Numbers the next bar; nil counts on. `always` writes its number even where it follows from the bar before.
    package mutating func number(_ bar: inout Score.Bar, _ number: BarNumber?, always: Bool = false) {
        guard case .counted(let whole) = number ?? .counted(next) else {
            bar.details.number = number
            return
        }
        if whole != next || always { bar.details.number = number }
        next = whole &+ 1
    }
}
