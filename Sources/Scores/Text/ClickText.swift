internal import Languages

extension BarClick {
    /// Reads how a bar's click sounds: `off`, a sound such as `line`, or a change of level such as `+3 dB`.
    public init(scoreText text: String) throws(TextError) {
        let word = text.trimmingBlanks
        if word.meansOff {
            self.init(isSilent: true)
        } else if let sound = ClickSound(rawValue: word.lowercased()) {
            self.init(sound)
        } else if word.lowercased().hasSuffix("db") {
            self.init(decibels: try BarClick.decibels(scoreText: word))
        } else {
            let sounds = ClickSound.allCases.map(\.rawValue)
            throw TextError(
                localized("\(TextError.quoted(text)) is not a click"),
                hint: Suggestion.hint(for: word, in: sounds + ["off"])
                    ?? localized("write off, +3 dB, or the sound of a \(sounds.joined(separator: ", "))"))
        }
    }

    /// Reads a change of level: `+3 dB`, `-6 dB`.
    public static func decibels(scoreText text: String) throws(TextError) -> Double {
        var cursor = TextCursor(text)
        let sign = cursor.acceptSign() ?? 1
        guard let number = cursor.acceptNumber(), cursor.acceptLast("dB") else {
            throw TextError(
                localized("\(TextError.quoted(text)) is not a change of level"),
                hint: localized("for example +3 dB or -6 dB"))
        }
        guard range.contains(sign * number) else {
            throw TextError(localized("a change of level must be -60 dB to +20 dB"))
        }
        return sign * number
    }

    /// The change of level as a score writes it.
    var levelText: String { (decibels < 0 ? "" : "+") + "\(decibels.plainText) dB" }
}
