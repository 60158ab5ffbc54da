internal import Languages

extension Beat {
    /// Reads a pattern of beats, one letter each: `X` accent, `x` beat, `s` subdivision, `.` silent.
    public static func pattern(scoreText text: String) throws(TextError) -> [Beat] {
        var beats: [Beat] = []
        for letter in text where !letter.isWhitespace {
            guard let stress = Stress(rawValue: String(letter)) else {
                throw TextError(
                    localized("\(TextError.quoted(String(letter))) is not a beat"),
                    hint: localized("X is an accent, x a beat, s a subdivision, . silence"))
            }
            beats.append(Beat(stress))
        }
        guard !beats.isEmpty, beats.count <= Meter.beatLimit else {
            throw TextError(localized("a bar has 1 to 1000 beats"))
        }
        return beats
    }

    /// Reads a beat with its note value: `1/4`, `1/8 3:2`, `1/8 s`, `1/4 X`.
    public init(scoreText text: String) throws(TextError) {
        var cursor = TextCursor(text)
        let value = try cursor.acceptNote()
        cursor.skipBlanks()
        let word = cursor.rest
        guard let value, let stress = word.isEmpty ? Stress.beat : Stress(rawValue: word) else {
            throw TextError(
                localized("\(TextError.quoted(text)) is not a beat"),
                hint: localized("for example 1/4, 1/4 X (accent), 1/8 s (subdivision) or 1/4 . (silent)"))
        }
        self.init(stress, value)
    }

    /// Reads into how many parts each beat is divided.
    package static func parts(scoreText text: String) throws(TextError) -> Int {
        guard let parts = Int(wholeText: text.trimmingBlanks), partRange.contains(parts) else {
            throw TextError(localized("a beat is divided into 1 to 16 parts"), hint: localized("for example 2"))
        }
        return parts
    }

    /// The beat as a score writes it: a letter, or a note value and a letter.
    public var text: String {
        guard let value else { return stress.rawValue }
        return stress == .beat ? value.noteText : "\(value.noteText) \(stress.rawValue)"
    }
}

extension Grid {
    /// Reads a practice grid: `seconds`, `clock`, `4 parts`, `170/min`, `off`.
    public init(scoreText text: String) throws(TextError) {
        switch text.trimmingBlanks.lowercased() {
        case "seconds": self = .seconds
        case "clock": self = .clock
        case let word where word.meansOff: self = .off
        case let word where word.hasSuffix("/min"):
            guard let count = Int(wholeText: word.dropLast(4).trimmingBlanks), Grid.perMinuteRange.contains(count)
            else {
                throw TextError(
                    localized("a grid has 1 to 1000 clicks per minute"), hint: localized("for example 170/min"))
            }
            self = .perMinute(count)
        case let word:
            let number = word.hasSuffix("parts") ? word.dropLast(5).trimmingBlanks : word
            guard let count = Int(wholeText: number) else {
                let hint = Suggestion.hint(for: word, in: ["seconds", "clock", "off"])
                throw TextError(
                    localized("\(TextError.quoted(text)) is not a grid"),
                    hint: hint ?? localized("write seconds, clock, 4 parts, 170/min or off"))
            }
            guard Grid.partRange.contains(count) else { throw TextError(localized("a grid has 2 to 1000 parts")) }
            self = .parts(count)
        }
    }

    /// The grid as a score writes it.
    public var text: String {
        switch self {
        case .seconds: "seconds"
        case .clock: "clock"
        case .off: "off"
        case .parts(let count): "\(count) parts"
        case .perMinute(let count): "\(count)/min"
        }
    }
}
