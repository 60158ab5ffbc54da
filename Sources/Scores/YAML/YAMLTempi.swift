internal import Languages

// The tempi and ramps of a bar.
extension YAMLScore {
    private enum RampKey: String, CaseIterable { case to, from, over, curve }

    /// Reads the tempi and ramps of a bar: those at its beginning, and those inside of it.
    mutating func readTempi(tempo: YAMLTree.ID?, ramp: YAMLTree.ID?, _ details: inout Score.Details) {
        let places = details.meter.map { BeatPlaces($0, marked: details.beats) }
        let found = changes(tempo, { $0.tempoChange($1) }) + changes(ramp, { $0.ramp($1) })
        // At one beat, a ramp begins with the tempo there.
        let sorted = found.enumerated().sorted { one, two in
            (one.element.change.beat, one.offset) < (two.element.change.beat, two.offset)
        }.map(\.element)
        var last: (mark: Fraction?, ramp: Fraction?)
        for (id, change) in sorted {
            if change.beat > .one, let fault = change.fault(in: places) {
                log.error(at: tree.range(id), fault)
                continue
            }
            if (change.mark == nil ? last.ramp : last.mark) == change.beat {
                error(id, localized("at one beat, a bar has one tempo and one ramp"))
            }
            if change.mark == nil { last.ramp = change.beat } else { last.mark = change.beat }
            if change.beat > .one {
                details.tempoChanges.append(change)
            } else {
                details.tempo = change.mark ?? details.tempo
                details.ramp = change.ramp ?? details.ramp
            }
        }
    }

    /// The changes of a list, or the only one; each with its place in the file.
    private mutating func changes(
        _ id: YAMLTree.ID?, _ read: (inout YAMLScore, YAMLTree.ID) -> TempoChange?
    ) -> [(id: YAMLTree.ID, change: TempoChange)] {
        guard let id else { return [] }
        let limit = TempoChange.limitInBar
        return items(of: id, limit: limit, orSay: localized("a bar has at most \(limit) tempi")) { score, item in
            read(&score, item).map { (item, $0) }
        }
    }

    /// Reads a tempo such as `80` or `80 at beat 3`.
    private mutating func tempoChange(_ id: YAMLTree.ID) -> TempoChange? {
        value(id, localized("a tempo")) { text throws(TextError) in
            let words = text.words
            guard let at = words.firstIndex(where: { $0.lowercased() == "at" }) else {
                return TempoChange(at: .one, .tempo(try TempoMark(scoreText: text)))
            }
            let beat = try Hit.beat(scoreText: words[(at + 1)...].joined(separator: " "))
            return TempoChange(at: beat, .tempo(try TempoMark(scoreText: words[..<at].joined(separator: " "))))
        }
    }

    private mutating func ramp(_ id: YAMLTree.ID) -> TempoChange? {
        guard isMap(id, localized("a ramp"), example: "{to: 1/4 = 90, over: 4 bars}") else { return nil }
        let fields = fields(of: id, RampKey.self, in: localized("a ramp"))
        if fields[.to] == nil || fields[.over] == nil {
            if !fields.hasUnknownKey { error(id, localized("a ramp needs 'to' and 'over'")) }
            return nil
        }
        let target = value(fields[.to], localized("a tempo"), Tempo.init(scoreText:))
        let span = value(fields[.over], "'over'", Ramp.Span.init(scoreText:))
        var (beat, curve) = (Fraction.one, Ramp.Curve.beats)
        read(fields[.from], "'from'", into: &beat) { text throws(TextError) in
            guard text.trimmingBlanks.lowercased().hasPrefix("beat") else {
                throw TextError(
                    localized("\(TextError.quoted(text)) is not a beat"),
                    hint: localized(
                        "a ramp begins with the tempo before it: write tempo: 60 beside 'ramp', as in {meter: 4/4, tempo: 60, ramp: {to: 90, over: 4 bars}}"
                    ))
            }
            return try Hit.beat(scoreText: text)
        }
        read(fields[.curve], localized("the curve"), into: &curve, Ramp.Curve.init(scoreText:))
        guard let target, let span else { return nil }
        return TempoChange(at: beat, .ramp(Ramp(to: target, over: span, curve: curve)))
    }
}

extension Ramp.Span {
    /// Reads the length of a ramp: `4 bars`, `8 beats`, `2.5 beats`.
    package init(scoreText text: String) throws(TextError) {
        var cursor = TextCursor(text)
        let number = try cursor.acceptFraction()
        let unit = number == nil ? "" : cursor.rest.trimmingBlanks.lowercased()
        switch unit {
        case "bar", "bars":
            guard let number, number.denominator == 1, (1...100_000).contains(number.numerator) else {
                throw TextError(localized("a ramp must be over 1 to 100 000 bars"))
            }
            self = .bars(Int(number.numerator))
        case "beat", "beats": self = .beats(number ?? .one)
        default:
            throw TextError(
                localized("\(TextError.quoted(text)) is not a number of bars or beats"),
                hint: localized("for example 4 bars or 8 beats"))
        }
    }

    /// The span as a score writes it.
    var text: String {
        switch self {
        case .bars(let count): count == 1 ? "1 bar" : "\(count) bars"
        case .beats(let count): count == .one ? "1 beat" : "\(count.text) beats"
        }
    }
}

extension Ramp.Curve {
    /// Reads the name of a curve.
    package init(scoreText text: String) throws(TextError) {
        guard let curve = Ramp.Curve(rawValue: text.trimmingBlanks.lowercased()) else {
            let words = Ramp.Curve.allCases.map(\.rawValue)
            let hint = Suggestion.hint(for: text, in: words) ?? localized("write \(words.joined(separator: ", "))")
            throw TextError(localized("\(TextError.quoted(text)) is not a curve"), hint: hint)
        }
        self = curve
    }
}
