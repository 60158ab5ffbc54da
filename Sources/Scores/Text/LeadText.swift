internal import Languages

extension Score.Lead {
    /// Reads seconds (`3`, `2.5 s`; at most 60), bars (`1 bar`), beats (`8 beats`) or `off`. `noun` names the value in
    /// errors: "a count-in".
    package init(scoreText text: String, _ noun: String) throws(TextError) {
        let word = text.trimmingBlanks.lowercased()
        let digits = word.prefix { $0.isASCII && ($0.isWholeNumber || $0 == ".") }
        let unit = word.dropFirst(digits.count).trimmingBlanks
        switch unit {
        case _ where word.meansOff: self = .off
        case "bar", "bars":
            guard let count = Int(digits), Score.Lead.barRange.contains(count) else {
                throw TextError(
                    localized("\(noun) has 1 to \(Score.Lead.barRange.upperBound) bars"),
                    hint: localized("for example 1 bar"))
            }
            self = .bars(count)
        case "beat", "beats":
            guard let count = Int(digits), Score.Lead.beatRange.contains(count) else {
                throw TextError(
                    localized("\(noun) has 1 to \(Score.Lead.beatRange.upperBound) beats"),
                    hint: localized("for example 8 beats"))
            }
            self = .beats(count)
        default:
            let isWord = !unit.isEmpty && unit.utf8.allSatisfy { (0x61...0x7A).contains($0) }
            if isWord, !["s", "ms", "min", "h"].contains(unit) {
                throw TextError(
                    localized("\(TextError.quoted(text)) is not \(noun)"),
                    hint: localized("for example 3, 1 bar, 8 beats or off"))
            }
            let time = try Duration(scoreText: text, as: .time)
            guard DurationUse.countIn.range.contains(time) else {
                throw TextError(localized("\(noun) lasts at most 60 s"))
            }
            self = .time(time)
        }
    }

    /// The lead as a score writes it.
    package var text: String {
        switch clamped {
        case .time(let time): min(time, DurationUse.countIn.range.upperBound).exactSeconds
        case .bars(let count): count == 1 ? "1 bar" : "\(count) bars"
        case .beats(let count): count == 1 ? "1 beat" : "\(count) beats"
        }
    }
}
