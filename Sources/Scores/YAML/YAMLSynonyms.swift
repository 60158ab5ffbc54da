internal import Languages

/// Advice for words that musicians or other programs use where a score has another key.
enum YAMLSynonyms {
    private enum Place { case bar, ramp, elsewhere }

    /// The advice for an unknown key where `keys` are known; nil if the word is not known here.
    static func hint(for word: String, among keys: [String]) -> String? {
        // Only a ramp has 'over', and only a bar has 'hold'.
        let place: Place = keys.contains("over") ? .ramp : keys.contains("hold") ? .bar : .elsewhere
        return switch (place, word.lowercased()) {
        case (.ramp, "bars"), (.ramp, "beats"): localized("write over: 4 bars or over: 8 beats")
        case (.bar, "fermata"), (.bar, "pause"): localized("write hold: 5, hold: 5 at beat 3 or hold: until cue")
        case (_, "fermata"): localized("a bar has it as 'hold', for example {meter: 4/4, hold: 5 at beat 3}")
        case (_, "bpm"): localized("write tempo: 120 or tempo: 1/4 = 120")
        case (.bar, "accelerando"), (.bar, "accel"), (.bar, "ritardando"), (.bar, "rit"),
            (.bar, "rallentando"), (.bar, "rall"):
            localized("write ramp: {to: 1/4 = 90, over: 4 bars}")
        case (.bar, "time-signature"), (.bar, "signature"), (.bar, "time"): localized("write meter: 4/4")
        case (.bar, "midi"), (.bar, "osc"): localized("write send: midi ch 10 note 37 on, or send: /cue/5/go 1")
        default: nil
        }
    }

    /// The error for a bar such as `4/4 fermata`; nil for other texts.
    static func error(forBar text: String) -> TextError? {
        guard text.lowercased().contains("fermata") else { return nil }
        return TextError(
            localized("\(TextError.quoted(text)) is not a bar"),
            hint: localized("write a fermata as a hold, for example {meter: 4/4, hold: 5 at beat 3}"))
    }
}
