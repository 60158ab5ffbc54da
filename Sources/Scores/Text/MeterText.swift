internal import Languages

extension Meter {
    /// Reads a meter: `5/8`, `3+2/8`, `2/4 + 3/8`, `4/6`, `3/56`, `5/8.5`. Errors: not a meter, a number of beats above
    /// 1000 or a note value outside 1/10 000 to 1000 whole notes.
    public init(scoreText text: String) throws(TextError) {
        var cursor = TextCursor(text)
        var terms: [Term] = []
        repeat {
            var groups: [Fraction] = []
            cursor.skipBlanks()
            repeat {
                cursor.skipBlanks()
                guard let number = try cursor.acceptFraction() else { throw Meter.malformed(text) }
                groups.append(number)
                cursor.skipBlanks()
            } while cursor.accept("+")
            guard cursor.accept("/") else { throw Meter.malformed(text) }
            cursor.skipBlanks()
            guard let denominator = try cursor.acceptFraction() else { throw Meter.malformed(text) }
            terms.append(Term(groups, over: denominator))
            cursor.skipBlanks()
            guard terms.count <= Meter.beatLimit else { break }
        } while cursor.accept("+")
        guard cursor.isAtEnd else { throw Meter.malformed(text) }
        let meter = Meter(terms)
        guard meter.beatCount <= Meter.beatLimit else { throw TextError(localized("a bar has at most 1000 beats")) }
        guard terms.allSatisfy({ Fraction.noteRange.contains($0.beat) }) else {
            throw TextError(localized("the note value of a meter must be a 10 000th to 1000 whole notes"))
        }
        self = meter
    }

    private static func malformed(_ text: String) -> TextError {
        TextError(
            localized("\(TextError.quoted(text)) is not a meter"),
            hint: localized("for example 4/4, 3+2/8 or 2/4 + 3/8"))
    }

    /// The meter as a score writes it: `3+2/8`, `2/4 + 3/8`.
    public var text: String {
        terms.map { $0.groups.map(\.text).joined(separator: "+") + "/" + $0.denominator.text }
            .joined(separator: " + ")
    }
}

extension Fraction {
    /// The valid note values, in whole notes.
    public static let noteRange = Fraction(1, 10_000)...Fraction(1000)
}
