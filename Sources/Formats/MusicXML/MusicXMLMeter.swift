internal import Languages
internal import Scores

/// Reads meters and note values.
enum MusicXMLMeter {
    /// Reads `time`: pairs of beats, such as 4 or 3+2, and the note value of a beat; nil without a meter.
    static func read(_ time: XMLElement) throws(TextError) -> Meter? {
        if time.child("senza-misura") != nil { return nil }
        var terms: [Meter.Term] = []
        var groups: [Fraction]?
        for child in time.children {
            let text = child.text.trimmingBlanks
            if child.name == "beats" {
                let parts = text.split(separator: "+", omittingEmptySubsequences: false).prefix(Meter.beatLimit + 1)
                groups = parts.compactMap { Fraction(written: String($0)) }
                guard groups?.count == parts.count else {
                    throw TextError(
                        localized("\(TextError.quoted(text)) is not beats of a time signature"),
                        hint: localized("for example 4 or 3+2"))
                }
            } else if child.name == "beat-type" {
                guard let groups, let value = Fraction(written: text) else {
                    throw TextError(
                        localized("\(TextError.quoted(text)) is not a beat-type of a time signature"),
                        hint: localized("for example 8"))
                }
                terms.append(Meter.Term(groups, over: value))
            }
        }
        guard !terms.isEmpty else { throw TextError(localized("a time signature needs beats and beat-type")) }
        let meter = Meter(terms)
        // Whatever a score can write.
        return try Meter(scoreText: meter.text)
    }

    /// The length of a note value by its name, in whole notes, with a number of dots; nil if it is none.
    static func value(_ name: String, dots: Int) -> Fraction? {
        let names = [
            "long", "breve", "whole", "half", "quarter", "eighth", "16th", "32nd", "64th", "128th", "256th", "512th",
            "1024th",
        ]
        guard let index = names.firstIndex(of: name.trimmingBlanks), dots <= 4 else { return nil }
        let value = index < 2 ? Fraction(4 >> Int64(index)) : Fraction(1, 1 << Int64(index - 2))
        return value * Fraction((2 << Int64(dots)) - 1, 1 << Int64(dots))
    }

    /// The meter of a measure that has another length than its meter, in quarters: the same beats, but more or fewer.
    static func cut(_ meter: Meter, to length: Fraction) -> Meter {
        let denominator = meter.terms.last?.denominator ?? Fraction(4)
        return Meter([Meter.Term([length * Fraction(1, 4) * denominator], over: denominator)])
    }
}
