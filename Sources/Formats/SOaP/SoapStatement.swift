internal import Languages
internal import Scores

/// A place in a bar: a beat, from 1, and a part of that beat.
struct SoapBeat: Comparable {
    var number = 1
    /// The part of the beat before the place; nil at its beginning.
    var part: Fraction?

    static func < (a: SoapBeat, b: SoapBeat) -> Bool {
        a.number != b.number ? a.number < b.number : (a.part?.value ?? 0) < (b.part?.value ?? 0)
    }
}

/// One thing that a statement says of a bar.
enum SoapItem {
    case signature(SoapSignature)
    /// The bar lasts this long, whatever the tempo is.
    case length(Duration)
    /// A tempo; `curve` is the exponent of the curve that begins here.
    case tempo(Tempo, curve: Double?)
    /// A note that lasts as long as another one before, both in whole notes.
    case equivalence(new: Fraction, old: Fraction, curve: Double?)
    /// A fermata on a note, in whole notes.
    case fermata(note: Fraction, SoapFermata)
    case label(String)
    case end

    /// Whether it is a tempo or an equivalence.
    var isTempo: Bool {
        switch self {
        case .tempo, .equivalence: true
        default: false
        }
    }
}

/// How long a note with a fermata lasts.
enum SoapFermata {
    case seconds(Duration)
    /// This many times as long as it is written.
    case times(Fraction)
    /// Until the player continues.
    case waits
}

/// What a score says of one bar, with the place of each item in the text.
struct SoapBar {
    var number: Int
    /// The place of `BAR` and its number.
    var range: Range<Int>
    var items: [(item: SoapItem, beat: SoapBeat, range: Range<Int>)] = []
}

/// A line of a SO(a)P score: `BAR` with its number, or a continuation that begins with `|`; then items.
struct SoapStatement {
    /// The number of the bar and its place; nil for a continuation.
    var bar: (number: Int, range: Range<Int>)?
    var items: [(item: SoapItem, beat: SoapBeat, range: Range<Int>)] = []

    private static let example = localized("for example BAR 1 [4/4] TEMPO [1/4]=60")
    private static let words = ["BAR", "TEMPO", "FERMATA", "LABEL", "END"]

    /// Reads a line, of which at least one word is left without its comment.
    init(_ words: SoapWords) throws(Problem) {
        var words = words
        var beat = SoapBeat()
        if words.text == "BAR" {
            let range = words.take()
            guard let number = Int(wholeText: words.text), (1...1_000_000).contains(number) else {
                throw Problem(words.here, localized("BAR needs a number from 1 to 1 000 000"), hint: Self.example)
            }
            bar = (number, range.lowerBound..<words.take().upperBound)
        } else if !words.text.hasPrefix("|") {
            throw Problem(
                words.here, localized("a line begins with BAR or |, not with \(TextError.quoted(words.text))"),
                hint: Suggestion.hint(for: words.text, in: ["BAR"]) ?? Self.example)
        }
        while !words.isAtEnd {
            if words.text.hasPrefix("|") {
                beat = try Self.beat(&words)
            } else {
                let start = words.here.lowerBound
                let item = try Self.item(&words)
                items.append((item, beat, start..<words.end))
            }
        }
    }

    private static func beat(_ words: inout SoapWords) throws(Problem) -> SoapBeat {
        let text = words.text.dropFirst()
        let range = words.take()
        guard !text.isEmpty else { return SoapBeat() }
        let sides = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let digits = sides.count > 1 ? sides[1] : ""
        guard let number = Int(wholeText: String(sides[0])), number > 0, digits.count <= 6,
            let part = digits.isEmpty ? 0 : Int(wholeText: String(digits))
        else {
            throw Problem(
                range, localized("a beat is a number from 1, with at most 6 decimals"),
                hint: localized("for example |3 or |2.5"))
        }
        let unit = (0..<digits.count).reduce(Int64(1)) { unit, _ in unit * 10 }
        return SoapBeat(number: number, part: part == 0 ? nil : Fraction(Int64(part), unit))
    }

    private static func item(_ words: inout SoapWords) throws(Problem) -> SoapItem {
        let (text, range) = (words.text, words.here)
        do throws(TextError) {
            if ["TEMPO", "FERMATA", "LABEL", "END"].contains(text) { words.take() }
            switch text {
            case "TEMPO": return try tempo(&words)
            case "FERMATA":
                let fermata = try fermata(words.text)
                words.take()
                return fermata
            case "LABEL": return .label(try label(&words))
            case "END": return .end
            case _ where text.hasPrefix("\""): return .label(try label(&words))
            case _ where text.hasPrefix("["):
                let signature = try SoapSignature(try content(text))
                words.take()
                return .signature(signature)
            case _ where text.utf8.first.map { DecimalText.digit($0) != nil || $0 == UInt8(ascii: ".") } ?? false:
                let length = try SoapNumber.duration(text, as: .bar)
                words.take()
                return .length(length)
            default:
                throw TextError(
                    localized("\(TextError.quoted(text)) does not belong to a bar"),
                    hint: Suggestion.hint(for: text, in: Self.words) ?? example)
            }
        } catch {
            // At the end of the line, the word before is marked.
            throw Problem(words.isAtEnd ? range : words.here, error)
        }
    }

    private static func tempo(_ words: inout SoapWords) throws(TextError) -> SoapItem {
        let text = words.text
        let sides = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard sides.count == 2 else {
            throw TextError(
                text.isEmpty
                    ? localized("TEMPO needs a note and a number")
                    : localized("\(TextError.quoted(text)) is not a tempo"),
                hint: localized("for example TEMPO [1/4]=60 or TEMPO [3/8]=[1/4]"))
        }
        let note = try SoapNumber.note(content(String(sides[0])))
        guard !sides[1].hasPrefix("[") else {
            let old = try SoapNumber.note(content(String(sides[1])))
            words.take()
            return .equivalence(new: note, old: old, curve: try curve(&words))
        }
        guard let rate = SoapNumber.number(sides[1]), Fraction.rateRange.contains(rate) else {
            throw TextError(
                localized("a tempo must be a number from 0.001 to 100 000"),
                hint: localized("for example TEMPO [1/4]=60"))
        }
        words.take()
        return .tempo(Tempo(note, rate), curve: try curve(&words))
    }

    /// Reads `curve 2`; `curve` alone is a straight line.
    private static func curve(_ words: inout SoapWords) throws(TextError) -> Double? {
        guard words.text == "curve" else { return nil }
        words.take()
        guard !words.isAtEnd, !words.text.hasPrefix("|"), !words.text.hasPrefix("\""), !Self.words.contains(words.text)
        else { return 1 }
        guard let exponent = SoapNumber.number(words.text[...]), (0.01...100).contains(exponent.value) else {
            throw TextError(
                localized("a curve must be a number from 0.01 to 100"), hint: localized("for example curve 1.5"))
        }
        words.take()
        return exponent.value
    }

    private static func fermata(_ text: String) throws(TextError) -> SoapItem {
        let sides = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard sides.count == 2 else {
            throw TextError(
                text.isEmpty
                    ? localized("FERMATA needs a note and a length")
                    : localized("\(TextError.quoted(text)) is not a fermata"),
                hint: localized("for example FERMATA [1/2]=10s, FERMATA [1/2]=2* or FERMATA [1/2]=?"))
        }
        let note = try SoapNumber.note(content(String(sides[0])))
        if sides[1] == "?" { return .fermata(note: note, .waits) }
        guard sides[1].hasSuffix("*") else {
            return .fermata(note: note, .seconds(try SoapNumber.duration(String(sides[1]), as: .hold)))
        }
        guard let times = SoapNumber.number(sides[1].dropLast()), (0.01...1000).contains(times.value) else {
            throw TextError(
                localized("a fermata is 0.01 to 1000 times as long as its note"),
                hint: localized("for example FERMATA [1/2]=2*"))
        }
        return .fermata(note: note, .times(times))
    }

    private static func label(_ words: inout SoapWords) throws(TextError) -> String {
        let text = words.text
        guard text.hasPrefix("\"") else {
            throw TextError(localized("LABEL needs a text in quotes"), hint: localized("for example \"A\""))
        }
        guard text.utf8.count > 1, text.hasSuffix("\"") else {
            throw TextError(localized("this label does not end on its line"), hint: localized("write \" after it"))
        }
        let label = String(text.dropFirst().dropLast()).trimmingBlanks
        let checked = label.isEmpty ? "" : try TextRule.check(label, what: localized("a label"))
        words.take()
        return checked
    }

    /// The text between brackets.
    private static func content(_ text: String) throws(TextError) -> Substring {
        guard text.hasPrefix("["), text.hasSuffix("]") else {
            throw TextError(
                localized("\(TextError.quoted(text)) is not in brackets"), hint: localized("for example [1/4]"))
        }
        return text.dropFirst().dropLast()
    }
}
