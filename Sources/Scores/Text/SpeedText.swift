internal import Languages

extension Speed: CustomStringConvertible {
    /// Reads a speed in percent: `80%`, `72.5 %` or a bare `80`; exact to four decimals. Errors: not a number, more
    /// than four decimals, zero, negative, outside 5 % to 1000 %.
    public init(scoreText text: String) throws(TextError) {
        var example: String { localized("for example 80%") }
        var limits: String { localized("the speed must be 5 % to 1000 %") }
        var cursor = TextCursor(text)
        guard !cursor.isAtEnd else { throw TextError(localized("the speed is missing"), hint: example) }
        if cursor.acceptSign() == -1 { throw TextError(localized("the speed cannot be negative"), hint: example) }
        let malformed = TextError(localized("\(TextError.quoted(text.trimmingBlanks)) is not a speed"), hint: example)
        let number: DecimalText
        do { number = try cursor.scanDecimal() } catch .tooLarge {
            throw TextError(limits)
        } catch .tooManyDecimals {
            throw Speed.tooManyDecimals
        } catch {
            throw malformed
        }
        let isBare = cursor.isAtEnd
        guard isBare || cursor.acceptLast("%") else { throw malformed }
        guard number.decimals <= 4 || number.fraction % 100_000_000_000_000 == 0 else { throw Speed.tooManyDecimals }
        let millionths = Int64(clamping: number.scaled / 100_000_000_000_000)
        if millionths == 0 { throw TextError(localized("the speed cannot be 0 %"), hint: example) }
        guard let speed = Speed(millionths: millionths) else {
            throw TextError(limits, hint: isBare ? Speed.factorHint(millionths) : nil)
        }
        self = speed
    }

    private static var tooManyDecimals: TextError {
        TextError(localized("the speed has at most 4 decimals, as in 72.5125 %"))
    }

    /// A hint for a factor such as 0.8, which was read as 0.8 %; nil if it was not meant as a factor.
    private static func factorHint(_ millionths: Int64) -> String? {
        guard millionths < 50_000, let meant = Speed(millionths: millionths * 100) else { return nil }
        let factor = (Double(millionths) / 10_000).plainText
        return localized("for \(factor) times the speed write \(meant.percent.plainText)%")
    }

    /// The speed as a score writes it: "80%" or "72.5%".
    public var description: String { "\(percent.plainText)%" }
}
