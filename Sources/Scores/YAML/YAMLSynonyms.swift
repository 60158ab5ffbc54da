/// Advice for words that musicians or other programs use where a score has another key.
enum YAMLSynonyms {
    /// The advice for an unknown key in `what`, such as "a bar"; nil if the word is not known here.
    static func hint(for word: String, in what: String) -> String? {
        switch (what, word.lowercased()) {
        case ("a ramp", "from"):
            "a ramp begins with the tempo before it: write tempo: 60 beside 'ramp', as in {meter: 4/4, tempo: 60, ramp: {to: 90, over: 4 bars}}"
        case ("a ramp", "bars"), ("a ramp", "beats"): "write over: 4 bars or over: 8 beats"
        case ("a bar", "fermata"), ("a bar", "pause"): "write hold: 5, hold: 5 at beat 3 or hold: until cue"
        case (_, "fermata"): "a bar has it as 'hold', for example {meter: 4/4, hold: 5 at beat 3}"
        case (_, "bpm"): "write tempo: 120 or tempo: 1/4 = 120"
        case ("a bar", "accelerando"), ("a bar", "accel"), ("a bar", "ritardando"), ("a bar", "rit"),
            ("a bar", "rallentando"), ("a bar", "rall"):
            "write ramp: {to: 1/4 = 90, over: 4 bars}"
        case ("a bar", "time-signature"), ("a bar", "signature"), ("a bar", "time"): "write meter: 4/4"
        default: nil
        }
    }

    /// The error for a bar such as `4/4 fermata`; nil for other texts.
    static func error(forBar text: String) -> TextError? {
        guard text.lowercased().contains("fermata") else { return nil }
        return TextError(
            "\(TextError.quoted(text)) is not a bar",
            hint: "write a fermata as a hold, for example {meter: 4/4, hold: 5 at beat 3}")
    }
}
