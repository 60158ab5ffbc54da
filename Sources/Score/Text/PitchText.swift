extension Pitch: CustomStringConvertible {
    /// Reads a note in scientific notation (`B4`, `Bb3`, `F♯5`, `B4+14c`; A4 is 440 Hz) or a frequency (`493.9 Hz`).
    ///
    /// Errors: no pitch, an octave outside -1 ... 9, cents outside -100 ... 100, a frequency outside `frequencyRange`.
    public init(scoreText text: String) throws(TextError) {
        let example = "for example B4, Bb3, B4+14c or 493.9 Hz"
        let notAPitch = TextError("\(TextError.quoted(text.trimmingBlanks)) is not a pitch", hint: example)
        var cursor = TextCursor(text)
        guard !cursor.isAtEnd else { throw TextError("a pitch is missing", hint: example) }
        if let hertz = cursor.acceptNumber() {
            if cursor.isAtEnd { throw TextError("a frequency needs its unit", hint: "write \(hertz.plainText) Hz") }
            guard cursor.acceptLast("Hz") else { throw notAPitch }
            self = .frequency(hertz)
        } else {
            guard let key = Pitch.acceptKey(&cursor) else { throw notAPitch }
            let isNegative = cursor.acceptSign() == -1
            guard let octave = cursor.acceptNumber() else {
                throw TextError("the octave is missing", hint: "for example \(text.trimmingBlanks.prefix(2))4")
            }
            guard octave == octave.rounded(), octave <= 9, !isNegative || octave <= 1 else {
                throw TextError("an octave is a whole number, -1 to 9")
            }
            let number = (Int(isNegative ? -octave : octave) + 1) * 12 + key
            self = .note(number, cents: try Pitch.cents(&cursor, notAPitch))
        }
        let frequency = frequency(a4: Score.standardA4)
        guard Pitch.frequencyRange.contains(frequency) else {
            throw TextError(
                "\(TextError.quoted(text.trimmingBlanks)) is \(frequency.roundedText) Hz, but a drone is 16 Hz to 8000 Hz"
            )
        }
    }

    /// Reads a letter with its accidental as semitones above C; Cb is -1, B# is 12.
    private static func acceptKey(_ cursor: inout TextCursor) -> Int? {
        guard let letter = cursor.acceptLetter(), (UInt8(ascii: "A")...UInt8(ascii: "G")).contains(letter) else {
            return nil
        }
        let key = [9, 11, 0, 2, 4, 5, 7][Int(letter - UInt8(ascii: "A"))]
        if cursor.accept("#") || cursor.accept("♯") { return key + 1 }
        return cursor.accept("b") || cursor.accept("♭") ? key - 1 : key
    }

    private static func cents(_ cursor: inout TextCursor, _ notAPitch: TextError) throws(TextError) -> Double {
        guard !cursor.isAtEnd else { return 0 }
        cursor.skipBlanks()
        guard let sign = cursor.acceptSign(), let number = cursor.acceptNumber() else { throw notAPitch }
        if cursor.isAtEnd { throw TextError("cents end in 'c'", hint: "for example B4+14c") }
        guard cursor.acceptLast("c") || cursor.acceptLast("cents") else { throw notAPitch }
        guard number <= 100 else { throw TextError("cents are -100 to 100") }
        return number == 0 ? 0 : sign * number
    }

    /// The pitch as a score writes it: "B4", "Bb3+14c" or "493.9 Hz".
    public var description: String {
        switch self {
        case .frequency(let hertz): return "\(hertz.plainText) Hz"
        case .note(let number, let cents):
            let names = ["C", "C#", "D", "Eb", "E", "F", "F#", "G", "Ab", "A", "Bb", "B"]
            let octave = (Double(number) / 12).rounded(.down)
            let name = names[number - Int(octave) * 12] + (octave - 1).plainText
            return cents == 0 ? name : name + (cents > 0 ? "+" : "") + cents.plainText + "c"
        }
    }
}

extension Score {
    /// Reads the tuning of A4: Hz, 380 ... 480, with or without the unit.
    ///
    /// Errors: no number, outside `a4Range`.
    public static func a4(scoreText text: String) throws(TextError) -> Double {
        let example = "for example 442"
        var cursor = TextCursor(text)
        guard !cursor.isAtEnd else { throw TextError("the frequency of A4 is missing", hint: example) }
        guard let hertz = cursor.acceptNumber(), cursor.isAtEnd || cursor.acceptLast("Hz") else {
            throw TextError("\(TextError.quoted(text.trimmingBlanks)) is not a frequency of A4", hint: example)
        }
        guard a4Range.contains(hertz) else { throw TextError("A4 is 380 Hz to 480 Hz", hint: example) }
        return hertz
    }
}

extension Score.Waveform: CustomStringConvertible {
    /// Reads the name of a waveform, in either case.
    ///
    /// Errors: no such waveform; the error lists the names.
    public init(scoreText text: String) throws(TextError) {
        let word = text.trimmingBlanks
        let names = Self.allCases.map(\.rawValue)
        guard let waveform = Self(rawValue: word.lowercased()) else {
            let message = word.isEmpty ? "a waveform is missing" : "\(TextError.quoted(word)) is not a waveform"
            let list = "a waveform is \(names.joined(separator: " or "))"
            throw TextError(message, hint: Suggestion.hint(for: word, in: names).map { "\(list), \($0)" } ?? list)
        }
        self = waveform
    }

    /// The name as a score writes it.
    public var description: String { rawValue }
}
