package import Languages

/// The names of notes as musicians of a language write them, for texts that a user types. In scores, the names are the
/// same in every language.
package enum NoteNames {
    /// A typed text with its notes as scores write them: in German, `H4` becomes `B4` and `Fis3` becomes `F#3`; in French,
    /// Italian and Spanish, `Si4` becomes `B4` and `Ré bémol 3` becomes `Db3`.
    ///
    /// Only names that scores do not have are replaced, so B4 is the same note in every language. Octaves are not moved: La4
    /// is A4.
    package static func scoreText(_ typed: String, _ language: Language = .ofMessages) -> String {
        let names = names(in: language)
        guard !names.isEmpty else { return typed }
        var result = ""
        var rest = typed[...]
        while let first = rest.first {
            let word = rest.prefix { $0.isLetter }
            // A name begins a word: the d of -6dB is none.
            if !word.isEmpty, result.last.map({ !$0.isNumber }) ?? true, let note = names[word.lowercased()] {
                result += note
                rest = rest[word.endIndex...]
                result += accidental(&rest)
            } else {
                result += word.isEmpty ? String(first) : String(word)
                rest = word.isEmpty ? rest.dropFirst() : rest[word.endIndex...]
            }
        }
        return result
    }

    /// The same of the key of an instrument: in German, a B clarinet is in B flat, because no instrument is in B.
    package static func instrument(_ typed: String, _ language: Language = .ofMessages) -> String {
        language == .de && typed.trimmingBlanks.lowercased() == "b" ? "Bb" : scoreText(typed, language)
    }

    /// Advice about a text that is no pitch of a score, but is one, or the name of one, in a language that Barline speaks;
    /// nil for any other.
    static func hint(for text: String) -> String? {
        for language in Language.allCases {
            let note = scoreText(text, language)
            guard note != text else { continue }
            guard let note = [note, note + "4"].first(where: { (try? Pitch(scoreText: $0)) != nil }) else { continue }
            return text.lowercased().contains("h")
                ? localized("the German H is B, and the German B is Bb: write \(note)") : localized("write \(note)")
        }
        return nil
    }

    /// Reads an accidental that is a word, with the blanks around it: `Ré bémol 3`.
    private static func accidental(_ rest: inout Substring) -> String {
        let word = rest.drop(while: \.isWhitespace).prefix(while: \.isLetter)
        guard let sign = accidentals[word.lowercased()] else { return "" }
        rest = rest[word.endIndex...].drop(while: \.isWhitespace)
        return sign
    }

    private static func names(in language: Language) -> [String: String] {
        switch language {
        case .en: [:]
        case .de: german
        case .fr, .es, .it: romance
        }
    }

    private static let accidentals = [
        "dièse": "#", "diese": "#", "diesis": "#", "sostenido": "#", "bémol": "b", "bemol": "b", "bemolle": "b",
    ]

    private static let german = [
        "h": "B", "hb": "Bb", "his": "B#", "cis": "C#", "dis": "D#", "eis": "E#", "fis": "F#", "gis": "G#", "ais": "A#",
        "ces": "Cb", "des": "Db", "es": "Eb", "fes": "Fb", "ges": "Gb", "as": "Ab",
    ]

    private static let romance: [String: String] = {
        let notes = [
            ("do", "C"), ("ut", "C"), ("re", "D"), ("ré", "D"), ("mi", "E"), ("fa", "F"), ("sol", "G"), ("la", "A"),
            ("si", "B"),
        ]
        let flats = notes.map { ($0.0 + "b", $0.1 + "b") }
        return Dictionary((notes + flats).map { ($0.0, $0.1) }) { first, _ in first }
    }()
}
