internal import Languages

// How scores and options write drones and tunings.

extension Score.Waveform: CustomStringConvertible {
    /// Reads the name of a waveform, ignoring case. Errors: no such waveform; the error lists the names.
    public init(scoreText text: String) throws(TextError) { self = try WordText.read(text, localized("a waveform")) }

    /// The name as a score writes it.
    public var description: String { rawValue }
}

extension Temperament {
    /// Reads the name of a temperament, ignoring case. Errors: no such temperament; the error lists the names.
    public init(scoreText text: String) throws(TextError) { self = try WordText.read(text, localized("a temperament")) }
}

extension Instrument {
    /// Reads the note of a transposing instrument: `C`, `Bb`, `A`, `F` or `Eb`. Errors: another note.
    public init(scoreText text: String) throws(TextError) {
        self = try WordText.read(text, localized("the key of an instrument"))
    }
}

extension Score {
    /// Reads the tonic of a temperament, a note without its octave, as semitones above C. Errors: not a note.
    public static func tonic(scoreText text: String) throws(TextError) -> Int {
        let fault = TextError(
            localized("\(TextError.quoted(text.trimmingBlanks)) is not a tonic"), hint: localized("for example D or Eb")
        )
        let name = text.trimmingBlanks
        guard !name.contains(where: { "0123456789+-".contains($0) }),
            case .note(let number, _) = try? Pitch(scoreText: name + "4")
        else { throw fault }
        return number % 12
    }

    /// The tonic of a temperament as a score writes it; `semitones` above C, 0 ... 11.
    static func text(tonic semitones: Int) -> String { Pitch.keys[(semitones % 12 + 12) % 12] }

    /// Reads a temperature in degrees Celsius, with or without the unit. Errors: not a number, outside
    /// `Tuning.temperatureRange`.
    public static func temperature(scoreText text: String) throws(TextError) -> Double {
        let rule = QuantityRule(localized("a temperature"), unit: "C", range: Tuning.temperatureRange, example: "24 C")
        return try rule.read(text)
    }
}

extension Score.Drone {
    /// Reads a drone's notes, separated by commas. A level and a pan position may follow each pitch:
    /// `B3, F#4 -6dB L50`.
    ///
    /// Errors: an invalid pitch, level or pan position, more than `noteLimit` notes.
    public static func notes(scoreText text: String) throws(TextError) -> [Note] {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count <= noteLimit else { throw TextError(localized("a drone has at most \(noteLimit) notes")) }
        return try parts.map { part throws(TextError) in try Note(scoreText: String(part)) }
    }
}

extension [Score.Drone.Note] {
    /// The pitches, such as "E3, B3".
    package var names: String { map { "\($0.pitch)" }.joined(separator: ", ") }
}

extension Score.Drone.Note: CustomStringConvertible {
    /// Reads a pitch, optionally with a level and a pan position: `F#4 -6dB L50`.
    public init(scoreText text: String) throws(TextError) {
        var words = text.words
        var (level, pan) = (Level(decibels: 0), 0.0)
        while words.count > 1, let word = words.last {
            if word.lowercased().hasSuffix("db") {
                level = try Level(scoreText: word)
            } else if Self.place(word) != nil {
                pan = try Self.pan(scoreText: word)
            } else {
                break
            }
            words.removeLast()
        }
        self.init(try Pitch(scoreText: words.joined(separator: " ")), level: level, pan: pan)
    }

    /// Reads a pan position, `L50`, `C` or `R100`, as -1 ... 1. Errors: not a pan position.
    public static func pan(scoreText text: String) throws(TextError) -> Double {
        let word = text.trimmingBlanks
        guard let place = place(word), abs(place) <= 1 else {
            throw TextError(
                localized("\(TextError.quoted(word)) is not a pan position"),
                hint: localized("for example L50, C or R100"))
        }
        return place
    }

    private static func place(_ word: String) -> Double? {
        let upper = word.uppercased()
        if upper == "C" { return 0 }
        guard let side = upper.first, side == "L" || side == "R", let percent = Int(upper.dropFirst()), percent >= 0
        else { return nil }
        return Double(side == "L" ? -percent : percent) / 100
    }

    /// The note as a score writes it.
    public var description: String {
        var words = ["\(pitch)"]
        if level != Level(decibels: 0) { words.append("\(level)".replacing(" dB", with: "dB")) }
        // A pan that is no number is the middle, as for the engine.
        let percent = Int(exactly: (min(abs(pan), 1) * 100).rounded()) ?? 0
        if percent != 0 { words.append((pan < 0 ? "L" : "R") + "\(percent)") }
        return words.joined(separator: " ")
    }
}

/// How to read a number with a unit, and its valid range.
struct QuantityRule: Sendable {
    private let name, unit, example: String
    private let range: ClosedRange<Double>

    /// `name` is the name of the quantity in messages, such as "the beating".
    init(_ name: String, unit: String, range: ClosedRange<Double>, example: String) {
        (self.name, self.unit, self.range, self.example) = (name, unit, range, example)
    }

    /// The range, for people: "0 dB to 24 dB".
    var form: String { localized("\(range.lowerBound.plainText) \(unit) to \(range.upperBound.plainText) \(unit)") }

    /// Reads a number, optionally with a sign and the unit. Errors: not a number, outside the range.
    func read(_ text: String) throws(TextError) -> Double {
        var cursor = TextCursor(text)
        let sign = cursor.acceptSign() ?? 1
        guard let size = cursor.acceptNumber(),
            cursor.isAtEnd || cursor.acceptLast(unit) || cursor.acceptLast("°" + unit)
        else {
            throw TextError(
                localized("\(TextError.quoted(text.trimmingBlanks)) is not \(name)"),
                hint: localized("for example \(example)"))
        }
        guard range.contains(sign * size) else {
            throw TextError(
                localized("\(name) must be \(range.lowerBound.plainText) to \(range.upperBound.plainText) \(unit)"),
                hint: localized("for example \(example)"))
        }
        return sign * size
    }
}
