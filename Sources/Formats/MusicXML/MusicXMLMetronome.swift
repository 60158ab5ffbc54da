internal import Languages
internal import Scores

/// Reads metronome marks.
enum MusicXMLMetronome {
    /// Reads `metronome`: a note value and a number, a modulation such as quarter = dotted quarter, or a relation of
    /// groups of notes. Nil for a mark that leaves the tempo as it is.
    static func read(_ element: XMLElement) throws(TextError) -> TempoMark? {
        if element.child("metronome-note") != nil { return try relation(element) }
        // Note values with the dots and tied values that follow them.
        var values: [Fraction] = []
        var isTied = false
        for (index, child) in element.children.enumerated() where child.name.hasPrefix("beat-unit") {
            let isNested = child.name == "beat-unit-tied"
            guard isNested || child.name == "beat-unit" else { continue }
            let name = isNested ? child.child("beat-unit")?.text ?? "" : child.text
            let after = isNested ? child.children[...] : element.children[(index + 1)...]
            let dots =
                isNested
                ? after.count { $0.name == "beat-unit-dot" } : after.prefix { $0.name == "beat-unit-dot" }.count
            let value = try noteValue(name, dots: dots)
            isTied = isNested && !values.isEmpty
            if isTied { values[values.count - 1] = values[values.count - 1] + value } else { values.append(value) }
        }
        if values.count == 2 { return .modulation(old: values[0], new: values[1]) }
        guard let value = values.first, let text = element.child("per-minute")?.text else {
            throw TextError(localized("this metronome mark has neither a number nor two note values"))
        }
        guard let rate = firstNumber(text) else {
            throw TextError(localized("\(TextError.quoted(text)) is not a tempo"), hint: localized("for example 120"))
        }
        return .tempo(try checked(Tempo(value, rate)))
    }

    private static func noteValue(_ name: String, dots: Int) throws(TextError) -> Fraction {
        guard let value = MusicXMLMeter.value(name, dots: dots) else {
            throw TextError(
                localized("\(TextError.quoted(name)) is not a note value"), hint: localized("for example quarter"))
        }
        return value
    }

    private static func checked(_ tempo: Tempo) throws(TextError) -> Tempo {
        guard Fraction.rateRange.contains(tempo.rate) else {
            throw TextError(localized("a tempo must be 0.001 to 100 000 per minute"))
        }
        return tempo
    }

    /// Groups of notes on both sides of an equals sign last equally long: a modulation, or a swing.
    private static func relation(_ element: XMLElement) throws(TextError) -> TempoMark? {
        guard let equals = element.children.firstIndex(where: { $0.name == "metronome-relation" }) else { return nil }
        let old = try length(element.children[..<equals])
        let new = try length(element.children[(equals + 1)...])
        return old == new ? nil : .modulation(old: old, new: new)
    }

    /// How long notes last together, in whole notes.
    private static func length(_ notes: ArraySlice<XMLElement>) throws(TextError) -> Fraction {
        var sum: Fraction?
        /// The tuplet from its first note to its last.
        var tuplet: Fraction?
        for note in notes where note.name == "metronome-note" {
            let dots = note.children.count { $0.name == "metronome-dot" }
            var value = try noteValue(note.child("metronome-type")?.text ?? "", dots: dots)
            let mark = note.child("metronome-tuplet")
            if let mark, mark.attributes["type"] == "start" {
                guard let actual = Fraction(written: mark.child("actual-notes")?.text ?? ""),
                    let normal = Fraction(written: mark.child("normal-notes")?.text ?? "")
                else { throw TextError(localized("a tuplet needs actual-notes and normal-notes")) }
                tuplet = normal / actual
            }
            if let tuplet { value = value * tuplet }
            if let mark, mark.attributes["type"] == "stop" { tuplet = nil }
            sum = sum.map { $0 + value } ?? value
        }
        guard let sum else {
            throw TextError(localized("this metronome mark has no notes on one side of its equals sign"))
        }
        return sum
    }

    /// The text of a mark with several numbers, such as "80-90"; nil for any other.
    static func range(_ element: XMLElement) -> String? {
        guard let text = element.child("per-minute")?.text.trimmingBlanks else { return nil }
        let numbers = text.split { !($0.isASCII && $0.isNumber || $0 == ".") }.filter { $0.contains(where: \.isNumber) }
        return numbers.count > 1 ? text : nil
    }

    /// The first number of a text such as "c. 120" or "112-120".
    private static func firstNumber(_ text: String) -> Fraction? {
        guard let start = text.firstIndex(where: { $0.isASCII && $0.isNumber }) else { return nil }
        var digits = text[start...].prefix { $0.isASCII && $0.isNumber || $0 == "." }
        while digits.hasSuffix(".") { digits.removeLast() }
        return Fraction(written: String(digits))
    }

    /// The tempo in words such as "allegro (q. = 92)" or "♩ = c. 60", in lower case; nil if there is none.
    static func tempo(_ words: String) -> Tempo? {
        guard let equals = words.firstIndex(of: "=") else { return nil }
        let before = words[..<equals].split { $0 == " " || $0 == "(" || $0 == "[" }
        guard let word = before.last else { return nil }
        let stem = word.prefix { $0 != "." }
        let dots = word.dropFirst(stem.count)
        let isDotted = before.dropLast().last == "dotted"
        let after = words[words.index(after: equals)...].drop { $0 == " " || $0 == "c" || $0 == "a" || $0 == "." }
        guard dots.allSatisfy({ $0 == "." }), let first = after.first, first.isASCII, first.isNumber,
            let rate = firstNumber(String(after)), let name = names[String(stem)],
            let value = MusicXMLMeter.value(name, dots: dots.count + (isDotted ? 1 : 0))
        else { return nil }
        return try? checked(Tempo(value, rate))
    }

    private static let names = [
        "q": "quarter", "quarter": "quarter", "crotchet": "quarter", "♩": "quarter", "\u{1D15F}": "quarter",
        "e": "eighth", "eighth": "eighth", "quaver": "eighth", "♪": "eighth", "\u{1D160}": "eighth",
        "h": "half", "half": "half", "minim": "half", "\u{1D15E}": "half", "whole": "whole", "\u{1D15D}": "whole",
        "16th": "16th", "\u{1D161}": "16th",
    ]
}
