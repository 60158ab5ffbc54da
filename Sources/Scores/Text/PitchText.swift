internal import Languages

extension Pitch: CustomStringConvertible {
    /// Reads a note in scientific notation (`B4`, `Bb3`, `F♯5`, `B4+14c`; A4 is 440 Hz), a ratio above a note
    /// (`3/2 of E4`) or a frequency (`493.9 Hz`).
    ///
    /// Errors: not a pitch, an octave outside -1 ... 9, cents outside -100 ... 100, parts of a ratio outside
    /// 1 ... 10000, a frequency outside `frequencyRange`.
    public init(scoreText text: String) throws(TextError) {
        var example: String { localized("for example B4, Bb3, B4+14c or 493.9 Hz") }
        var notAPitch: TextError {
            let message = localized("\(TextError.quoted(text.trimmingBlanks)) is not a pitch")
            return TextError(message, hint: NoteNames.hint(for: text.trimmingBlanks) ?? example)
        }
        var cursor = TextCursor(text)
        guard !cursor.isAtEnd else { throw TextError(localized("a pitch is missing"), hint: example) }
        if let number = cursor.acceptNumber() {
            if cursor.accept("/") {
                self = try Pitch.ratio(number, &cursor, notAPitch)
            } else if cursor.isAtEnd {
                throw TextError(
                    localized("a frequency needs its unit"), hint: localized("write \(number.plainText) Hz"))
            } else {
                guard cursor.acceptLast("Hz") else { throw notAPitch }
                self = .frequency(number)
            }
        } else {
            let number = try Pitch.note(&cursor, text, notAPitch)
            self = .note(number, cents: try Pitch.cents(&cursor, notAPitch))
        }
        let (frequency, quoted) = (frequency(a4: Score.standardA4), TextError.quoted(text.trimmingBlanks))
        guard Pitch.frequencyRange.contains(frequency) else {
            throw TextError(localized("\(quoted) is \(frequency.roundedText) Hz, but a drone must be 16 Hz to 8000 Hz"))
        }
    }

    /// Reads the rest of a ratio after `3/`: `2 of E4`.
    private static func ratio(
        _ over: Double, _ cursor: inout TextCursor, _ notAPitch: @autoclosure () -> TextError
    ) throws(TextError) -> Pitch {
        var example: String { localized("for example 3/2 of E4") }
        guard let under = cursor.acceptNumber() else { throw notAPitch() }
        guard [over, under].allSatisfy({ $0 == $0.rounded() && (1...10000).contains($0) }) else {
            throw TextError(localized("a ratio must have whole numbers, 1 to 10000"), hint: example)
        }
        cursor.skipBlanks()
        guard cursor.accept("of") else {
            throw TextError(localized("a ratio needs the note that it is above"), hint: example)
        }
        cursor.skipBlanks()
        let number = try note(&cursor, "E", notAPitch())
        return .ratio(Int(over), Int(under), of: number, cents: try cents(&cursor, notAPitch()))
    }

    /// Reads a note with its octave as a MIDI number.
    private static func note(
        _ cursor: inout TextCursor, _ text: String, _ notAPitch: @autoclosure () -> TextError
    ) throws(TextError) -> Int {
        guard let key = acceptKey(&cursor) else { throw notAPitch() }
        let isNegative = cursor.acceptSign() == -1
        guard let octave = cursor.acceptNumber() else {
            guard cursor.isAtEnd, NoteNames.hint(for: text.trimmingBlanks) == nil else { throw notAPitch() }
            throw TextError(localized("the octave is missing"), hint: localized("for example \(text.trimmingBlanks)4"))
        }
        guard octave == octave.rounded(), octave <= 9, !isNegative || octave <= 1 else {
            throw TextError(localized("an octave must be a whole number, -1 to 9"))
        }
        return (Int(isNegative ? -octave : octave) + 1) * 12 + key
    }

    /// Reads a letter with its accidental as semitones above C; Cb is -1, B# is 12.
    private static func acceptKey(_ cursor: inout TextCursor) -> Int? {
        let naturals = [("C", 0), ("D", 2), ("E", 4), ("F", 5), ("G", 7), ("A", 9), ("B", 11)]
        guard let key = naturals.first(where: { cursor.accept($0.0) })?.1 else { return nil }
        if cursor.accept("#") || cursor.accept("♯") { return key + 1 }
        return cursor.accept("b") || cursor.accept("♭") ? key - 1 : key
    }

    private static func cents(
        _ cursor: inout TextCursor, _ notAPitch: @autoclosure () -> TextError
    ) throws(TextError) -> Double {
        guard !cursor.isAtEnd else { return 0 }
        cursor.skipBlanks()
        guard let sign = cursor.acceptSign(), let number = cursor.acceptNumber() else { throw notAPitch() }
        if cursor.isAtEnd { throw TextError(localized("cents must end in 'c'"), hint: localized("for example B4+14c")) }
        guard cursor.acceptLast("c") || cursor.acceptLast("cents") else { throw notAPitch() }
        guard number <= 100 else { throw TextError(localized("cents must be -100 to 100")) }
        return number == 0 ? 0 : sign * number
    }

    /// The pitch as a score writes it: "B4", "Bb3+14c", "3/2 of E4" or "493.9 Hz".
    public var description: String {
        switch self {
        case .frequency(let hertz): "\(hertz.plainText) Hz"
        case .note(let number, let cents): Pitch.name(number) + Pitch.text(cents)
        case .ratio(let over, let under, let number, let cents):
            "\(over)/\(under) of \(Pitch.name(number))" + Pitch.text(cents)
        }
    }

    private static func text(_ cents: Double) -> String {
        cents == 0 ? "" : (cents > 0 ? "+" : "") + cents.plainText + "c"
    }

    private static func name(_ number: Int) -> String {
        let (octave, key) = number.quotientAndRemainder(dividingBy: 12)
        return key < 0 ? keys[key + 12] + "\(octave - 2)" : keys[key] + "\(octave - 1)"
    }

    /// The twelve notes of an octave, from C.
    package static let keys = ["C", "C#", "D", "Eb", "E", "F", "F#", "G", "Ab", "A", "Bb", "B"]
}

extension Score {
    /// Reads the tuning of A4: Hz, 380 ... 480, with or without the unit. Errors: not a number, outside `a4Range`.
    public static func a4(scoreText text: String) throws(TextError) -> Double {
        var example: String { localized("for example 442") }
        var cursor = TextCursor(text)
        guard !cursor.isAtEnd else { throw TextError(localized("the frequency of A4 is missing"), hint: example) }
        guard let hertz = cursor.acceptNumber(), cursor.isAtEnd || cursor.acceptLast("Hz") else {
            throw TextError(
                localized("\(TextError.quoted(text.trimmingBlanks)) is not a frequency of A4"), hint: example)
        }
        guard a4Range.contains(hertz) else { throw TextError(localized("A4 must be 380 Hz to 480 Hz"), hint: example) }
        return hertz
    }
}
