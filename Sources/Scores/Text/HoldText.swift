internal import Languages

extension Hold {
    /// Reads a hold: `5` (at the end of the bar), `5 at 1.5`, `5 at beat 3`, `until cue`, `until cue at beat 3`.
    public init(scoreText text: String) throws(TextError) {
        let words = text.words
        let at = words.firstIndex { $0.lowercased() == "at" }
        let head = words[..<(at ?? words.count)].joined(separator: " ")
        var place = Place.end
        if let at { place = try Place(scoreText: words[(at + 1)...].joined(separator: " ")) }
        if head.lowercased() == "until cue" {
            self.init(.zero, at: place, waits: true)
        } else {
            do { self.init(try Duration(scoreText: head, as: .hold), at: place) } catch {
                let looksLikeNumber = head.utf8.first.map { DecimalText.digit($0) != nil || $0 == UInt8(ascii: "-") }
                guard looksLikeNumber == true else {
                    throw TextError(
                        localized("\(TextError.quoted(text)) is not a hold"),
                        hint: localized("for example 5, 5 at 1.5, 5 at beat 3 or until cue"))
                }
                throw error
            }
        }
    }

    /// The hold as a score writes it; nil if it needs a mapping of several keys.
    var text: String? {
        guard !waits || length == .zero else { return nil }
        return (waits ? "until cue" : length.exactSeconds) + (place == .end ? "" : " at \(place.text)")
    }
}

extension Hold.Place {
    /// Reads the place of a hold: `end`, a duration from the beginning of the bar, or `beat 3`.
    public init(scoreText text: String) throws(TextError) {
        let word = text.trimmingBlanks.lowercased()
        if word == "end" {
            self = .end
        } else if word.hasPrefix("beat") {
            guard let number = Int(wholeText: word.dropFirst(4).trimmingBlanks), (1...Meter.beatLimit).contains(number)
            else {
                throw TextError(
                    localized("a hold is at a whole beat, from 1 to 1000"), hint: localized("for example beat 3"))
            }
            self = .beat(number)
        } else {
            self = .offset(try Duration(scoreText: text, as: .time))
        }
    }

    /// The place as a score writes it.
    var text: String {
        switch self {
        case .end: "end"
        case .offset(let offset): offset.exactSeconds
        case .beat(let number): "beat \(number)"
        }
    }
}
