internal import Languages

extension Fraction {
    /// Names of note values.
    fileprivate static let names: [(word: String, denominator: Int64)] = [
        ("whole", 1), ("half", 2), ("quarter", 4), ("eighth", 8), ("sixteenth", 16), ("32nd", 32), ("64th", 64),
        ("♩", 4), ("♪", 8),
    ]
    /// The valid tempos, in note values per minute.
    package static let rateRange = Fraction(1, 1000)...Fraction(100_000)

    /// Reads a note value, in whole notes: `1/8`, `3/16`, `1/8.` (dotted), `quarter`, `dotted eighth`, in a tuplet
    /// `1/8 3:2` (three in the time of two), in nested tuplets `1/8 3:2 5:4`, and tied values `1/4 + 1/16`.
    public init(noteText text: String) throws(TextError) {
        var cursor = TextCursor(text)
        guard let value = try cursor.acceptNote(), cursor.isAtEnd else {
            throw TextError(
                localized("\(TextError.quoted(text)) is not a note value"),
                hint: Suggestion.hint(for: text, in: Fraction.names.map(\.word))
                    ?? localized("for example 1/8, 1/8., quarter, 1/8 3:2 or 1/4 + 1/16"))
        }
        self = value
    }

    /// The note value as a score writes it: `1/8`, `1/8.`, `5/16`.
    public var noteText: String {
        numerator == 3 && denominator.isMultiple(of: 2)
            ? "1/\(denominator / 2)." : "\(quotientTexts.above)/\(quotientTexts.below)"
    }
}

extension TextCursor {
    /// Reads a note value, or several that are tied; nil if none comes next.
    mutating func acceptNote() throws(TextError) -> Fraction? {
        guard var sum = try acceptSingleNote() else { return nil }
        while true {
            var ahead = self
            ahead.skipBlanks()
            guard ahead.accept("+") else { break }
            ahead.skipBlanks()
            guard let tied = try ahead.acceptSingleNote() else {
                throw TextError(
                    localized("a note value is missing after the '+'"), hint: localized("for example 1/4 + 1/16"))
            }
            sum = try (sum + tied).asExactNote()
            self = ahead
        }
        return sum
    }

    /// Reads one note value with its dots and tuplets.
    private mutating func acceptSingleNote() throws(TextError) -> Fraction? {
        var dots = 0
        if accept("double ") { dots += 1 }
        if accept("dotted ") { dots += 1 }
        var value: Fraction
        if let name = Fraction.names.first(where: { accept($0.word) }) {
            value = Fraction(1, name.denominator)
        } else {
            guard let above = try acceptFraction(), accept("/"), let below = try acceptFraction() else { return nil }
            value = above / below
        }
        while accept(".") { dots += 1 }
        guard dots <= 3 else { throw TextError(localized("a note value has at most three dots")) }
        // Each dot adds half as much as the dot before it.
        value = value * Fraction((1 << (dots + 1)) - 1, 1 << dots)
        while let tuplet = try acceptTuplet() { value = try (value / tuplet).asExactNote() }
        guard Fraction.noteRange.contains(value) else {
            throw TextError(localized("a note value must be a 10 000th to 1000 whole notes"))
        }
        return value
    }
}

extension Fraction {
    /// The same value, if it can be a note value.
    ///
    /// A result that was rounded because its terms exceed 63 bits has a term above 10^18, the largest that can be written.
    fileprivate func asExactNote() throws(TextError) -> Fraction {
        guard max(numerator, denominator) < 1_000_000_000_000_000_000 else {
            throw TextError(
                localized("the tuplets of this note value have too many digits"),
                hint: localized("for example 1/8 3:2 5:4"))
        }
        guard Fraction.noteRange.contains(self) else {
            throw TextError(localized("a note value must be a 10 000th to 1000 whole notes"))
        }
        return self
    }
}

extension Tempo {
    /// Reads a tempo: `1/4 = 60`, `dotted quarter = 72.5`, or `60` for 60 quarters per minute. Errors: not a tempo, or
    /// outside 0.001 to 100 000 per minute.
    public init(scoreText text: String) throws(TextError) {
        guard case .tempo(let tempo) = try TempoMark(scoreText: text) else {
            throw TextError(
                localized("expected a tempo, not a relation of two note values"),
                hint: localized("for example 1/4 = 60"))
        }
        self = tempo
    }

    /// The tempo as a score writes it: `1/4 = 60`.
    public var text: String { "\(value.noteText) = \(rate.text)" }
}

extension TempoMark {
    /// Reads a tempo, or a metric modulation such as `1/4. = 1/4`: a dotted quarter before is a quarter from here on.
    public init(scoreText text: String) throws(TextError) {
        let sides = text.split(separator: "=", omittingEmptySubsequences: false).map(\.trimmingBlanks)
        guard sides.count <= 2, let last = sides.last, !last.isEmpty else { throw TempoMark.malformed(text) }
        guard sides.count == 2 else {
            if let mistaken = TempoMark.explain(last) { throw mistaken }
            self = .tempo(Tempo(Fraction(1, 4), try TempoMark.rate(last, text)))
            return
        }
        let value: Fraction
        do { value = try Fraction(noteText: sides[0]) } catch {
            if sides[0].isEmpty { throw TempoMark.malformed(text) }
            guard let note = TempoMark.letters[sides[0].lowercased()] else { throw error }
            throw TextError(error.message, hint: localized("write \(note) = \(last)"))
        }
        var cursor = TextCursor(last)
        // Nearly always it is a number, and an error that nobody reads takes longer to make than all the rest.
        if let new = try? cursor.acceptNote(), cursor.isAtEnd {
            self = .modulation(old: value, new: new)
        } else {
            self = .tempo(Tempo(value, try TempoMark.rate(last, text)))
        }
    }

    /// Note values that others write as letters and words.
    private static let letters = [
        "w": "1/1", "h": "1/2", "h.": "1/2.", "q": "1/4", "q.": "1/4.", "e": "1/8", "e.": "1/8.", "s": "1/16",
        "semibreve": "1/1", "minim": "1/2", "dotted minim": "1/2.", "crotchet": "1/4", "dotted crotchet": "1/4.",
        "quaver": "1/8", "dotted quaver": "1/8.", "semiquaver": "1/16",
    ]

    private static func rate(_ text: String, _ whole: String) throws(TextError) -> Fraction {
        var cursor = TextCursor(text)
        guard let rate = try cursor.acceptFraction(), cursor.isAtEnd else { throw malformed(whole) }
        guard Fraction.rateRange.contains(rate) else {
            throw TextError(localized("a tempo must be 0.001 to 100 000 per minute"))
        }
        return rate
    }

    /// The error for a bare `3:2` or `1:30`, which could be read as a number per minute, but never means one.
    private static func explain(_ text: String) -> TextError? {
        let terms = text.split(separator: ":", omittingEmptySubsequences: false)
        guard text.utf8.count < 20, terms.count >= 2, terms.allSatisfy({ Int(wholeText: $0) != nil }) else {
            return nil
        }
        let quoted = TextError.quoted(text)
        if terms.count > 2 || terms[1].utf8.count == 2 {
            return TextError(
                localized("\(quoted) is a duration, not a tempo"),
                hint: localized("for example 90 or 1/4 = 90, notes per minute"))
        }
        let (above, below) = (terms[0], terms[1])
        return TextError(
            localized("\(quoted) is a ratio, not a tempo"),
            hint: localized(
                "a metric modulation needs two note values; to go \(above)/\(below) as fast, write 1/4 \(text) = 1/4"))
    }

    private static func malformed(_ text: String) -> TextError {
        let error = localized("\(TextError.quoted(text)) is not a tempo")
        let lower = text.lowercased()
        if lower.contains(" at ") {
            return TextError(
                error,
                hint: localized("a bar can have a tempo at a beat, for example {meter: 4/4, tempo: 80 at beat 3}"))
        }
        for unit in ["bpm", "/min", "per minute"] where text.utf8.count < 100 && lower.hasSuffix(unit) {
            let rest = text.dropLast(unit.count).trimmingBlanks
            guard (try? Tempo(scoreText: rest)) != nil else { continue }
            return TextError(
                error,
                hint: rest.contains("=")
                    ? localized("write \(rest) without a unit")
                    : localized("write \(rest) or 1/4 = \(rest) without a unit"))
        }
        return TextError(error, hint: localized("for example 1/4 = 60, 1/8. = 90 or 1/4. = 1/4"))
    }

    /// The mark as a score writes it.
    public var text: String {
        switch self {
        case .tempo(let tempo): tempo.text
        case .modulation(let old, let new): "\(old.noteText) = \(new.noteText)"
        }
    }
}
