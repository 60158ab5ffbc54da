internal import Languages

extension Hit {
    /// Reads a hit: `1:23.480` (on the first beat), `1:23.480 at beat 3`, `01:00:33:12 at beat 3.5`, and `by ramp` after
    /// any of them. `rate` is that of timecodes without one.
    public init(scoreText text: String, rate: Timecode.Rate? = nil) throws(TextError) {
        var rest = text.words[...]
        if rest.count >= 2, rest.suffix(2).map({ $0.lowercased() }) == ["by", "ramp"] {
            ramp = .beats
            rest = rest.dropLast(2)
        }
        beat = .one
        if let at = rest.firstIndex(where: { $0.lowercased() == "at" }) {
            beat = try Hit.beat(scoreText: rest[(at + 1)...].joined(separator: " "))
            rest = rest[..<at]
        }
        guard !rest.isEmpty else {
            throw TextError(localized("\(TextError.quoted(text)) is not a hit"), hint: Hit.example)
        }
        time = try Time(scoreText: rest.joined(separator: " "), rate: rate)
        label = ""
    }

    static let example = localized("for example 1:23.480 at beat 3")

    /// Reads a beat: `beat 3`, `3`, or `3.5` for a place within the third beat.
    package static func beat(scoreText text: String) throws(TextError) -> Fraction {
        let word = text.trimmingBlanks.lowercased()
        let number = word.hasPrefix("beat") ? word.dropFirst(4).trimmingBlanks : word
        guard let beat = try? Fraction(scoreText: number), beat >= .one else {
            throw TextError(
                localized("\(TextError.quoted(text)) is not a beat"), hint: localized("for example beat 3 or beat 3.5"))
        }
        return beat
    }

    /// The hit as a score writes it, with timecodes at `rate` without one; nil if it needs a map of several keys.
    func text(_ rate: Timecode.Rate?) -> String? {
        guard label.isEmpty, ramp == nil || ramp == .beats else { return nil }
        return time.text(rate) + (beat == .one ? "" : " at beat \(beat.text)") + (ramp == nil ? "" : " by ramp")
    }
}

extension Hit.Time {
    /// Reads the time of a hit: a time from the start of the score, or a timecode.
    init(scoreText text: String, rate: Timecode.Rate?) throws(TextError) {
        if Timecode.isMeant(by: text) {
            self = .timecode(try Timecode(scoreText: text, rate: rate))
        } else {
            self = .position(try Duration(scoreText: text, as: .time))
        }
    }

    /// The time as a score writes it.
    func text(_ rate: Timecode.Rate?) -> String {
        switch self {
        case .position(let position): position.clock
        case .timecode(let timecode): timecode.rate == rate ? timecode.text : timecode.textWithRate
        }
    }
}
