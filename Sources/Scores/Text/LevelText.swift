internal import Languages

extension Level: CustomStringConvertible {
    /// Reads a level: `-12 dB`, `25 %` (of full amplitude) or `off`. Errors: not a level, no unit, above 0 dB or 100 %,
    /// below -120 dB.
    public init(scoreText text: String) throws(TextError) {
        var example: String { localized("for example -12 dB, 25 % or off") }
        var cursor = TextCursor(text)
        guard !cursor.isAtEnd else { throw TextError(localized("a level is missing"), hint: example) }
        if text.meansOff {
            self = .off
            return
        }
        let isNegative = cursor.acceptSign() == -1
        guard let number = cursor.acceptNumber() else {
            throw TextError(localized("\(TextError.quoted(text.trimmingBlanks)) is not a level"), hint: example)
        }
        if cursor.isAtEnd { throw TextError(localized("a level needs its unit, dB or %"), hint: example) }
        if cursor.acceptLast("dB") {
            self = try Level(decibelsBelow: number, isNegative: isNegative)
        } else if cursor.acceptLast("%") {
            if isNegative, number != 0 {
                throw TextError(localized("a level cannot be below 0 %"), hint: localized("write off for silence"))
            }
            if number > 100 { throw TextError(localized("a level cannot be above 100 %")) }
            // A ten-thousandth of a percent is -120 dB.
            if number > 0, number < 0.0001 { throw Level.tooLow }
            self.init(percent: number)
        } else {
            throw TextError(localized("\(TextError.quoted(text.trimmingBlanks)) is not a level"), hint: example)
        }
    }

    private init(decibelsBelow number: Double, isNegative: Bool) throws(TextError) {
        guard isNegative || number == 0 else {
            let meant = number <= -Level.range.lowerBound ? localized("did you mean -\(number.plainText) dB?") : nil
            throw TextError(localized("a level cannot be above 0 dB"), hint: meant)
        }
        guard number <= -Level.range.lowerBound else { throw Level.tooLow }
        self.init(decibels: 0 - number)
    }

    private static var tooLow: TextError {
        TextError(localized("a level cannot be below -120 dB"), hint: localized("write off for silence"))
    }

    /// The level as a score writes it: "-12 dB" or "off".
    public var description: String { isSilent ? "off" : "\(decibels.plainText) dB" }
}
