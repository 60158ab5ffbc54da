internal import Languages

/// What a duration in a text is used for; each use has its own range.
public enum DurationUse: Sendable {
    /// A bar: 1 ms to 24 h.
    case bar
    /// A hold: 1 ms to 24 h.
    case hold
    /// A count-in: 0 s to 60 s.
    case countIn
    /// A fade of the drone: 10 ms to 60 s.
    case fade
    /// A point or a length of time in a piece: 0 s to 10 000 h.
    case time

    /// The shortest and longest duration.
    public var range: ClosedRange<Duration> {
        switch self {
        case .bar, .hold: .milliseconds(1) ... .seconds(86_400)
        case .countIn: .zero ... .seconds(60)
        case .fade: .milliseconds(10) ... .seconds(60)
        case .time: .zero ... .seconds(36_000_000)
        }
    }

    fileprivate var noun: String {
        switch self {
        case .bar: localized("a bar")
        case .hold: localized("a hold")
        case .countIn: localized("a count-in")
        case .fade: localized("a fade")
        case .time: localized("a time")
        }
    }

    fileprivate var atLeast: String { localized("\(noun) lasts at least \(self == .fade ? 10 : 1) ms") }

    /// The message about a duration that is too long.
    package var atMost: String {
        switch self {
        case .bar, .hold: localized("\(noun) lasts at most 24 h")
        case .countIn, .fade: localized("\(noun) lasts at most 60 s")
        case .time: localized("\(noun) is at most 10 000 h")
        }
    }
}

extension Duration {
    /// Reads a duration: seconds (`2.7`), a clock (`1:30`, `1:02:03.5`) or a number with a unit (`90 s`, `500ms`,
    /// `2 min`, `1 h`). Decimals are exact.
    ///
    /// Errors: not a duration, more than 18 decimals, or outside the range of `use`; each says which.
    public init(scoreText text: String, as use: DurationUse = .bar) throws(TextError) {
        do { self = try DurationText.parse(text.utf8Span.span, as: use) } catch {
            throw DurationText.explain(text, error, use)
        }
    }
}

extension String {
    /// The text of UTF-8 bytes.
    init(decoding bytes: Span<UInt8>) {
        self = bytes.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }
}

/// The grammar of durations.
package enum DurationText {
    /// Why a text is not a duration; reading a number finds `malformed`, `tooLarge` or `tooManyDecimals`.
    package enum Fault: Error {
        case malformed, tooSmall, zero, tooLarge, tooManyDecimals
        /// A field after a colon is not two digits below 60.
        case field
        case unknownUnit(String)
    }

    /// Reads a duration and checks the range of its use.
    package static func parse(_ bytes: Span<UInt8>, as use: DurationUse) throws(Fault) -> Duration {
        let duration = try scan(bytes)
        let range = use.range
        if duration < range.lowerBound { throw duration == .zero ? .zero : .tooSmall }
        if duration > range.upperBound { throw .tooLarge }
        return duration
    }

    private static func scan(_ bytes: Span<UInt8>) throws(Fault) -> Duration {
        let text = bytes.trimmed(bytes.indices)
        let whole = bytes.extracting(text)
        var position = 0
        var number = try DecimalText.scan(whole, at: &position)
        var duration = number.duration
        var colons = 0
        while position < whole.count, whole[position] == UInt8(ascii: ":") {
            guard number.decimals == 0, colons < 2 else { throw .malformed }
            colons += 1
            position += 1
            let start = position
            do {
                number = try DecimalText.scan(whole, at: &position)
            } catch .malformed {
                throw .field
            }
            let digits = position - start - (number.decimals > 0 ? number.decimals + 1 : 0)
            guard digits == 2, number.whole < 60 else { throw .field }
            duration = duration * 60 + number.duration
        }
        guard position < whole.count else { return duration }
        guard colons == 0 else { throw .malformed }
        return try applyUnit(String(decoding: whole.extracting(whole.trimmed(position..<whole.count))), to: number)
    }

    private static func applyUnit(_ unit: String, to number: DecimalText) throws(Fault) -> Duration {
        switch unit {
        case "s": return number.duration
        case "min": return number.duration * 60
        case "h": return number.duration * 3600
        case "ms":
            let (duration, remainder) = number.scaled.quotientAndRemainder(dividingBy: 1000)
            guard remainder == 0 else { throw .tooManyDecimals }
            return Duration(attoseconds: duration)
        default:
            guard unit.utf8.allSatisfy({ (0x61...0x7A).contains($0.lowercase) }) else { throw .malformed }
            throw .unknownUnit(unit)
        }
    }

    /// The error that explains a fault to the user.
    package static func explain(_ text: String, _ fault: Fault, _ use: DurationUse) -> TextError {
        switch fault {
        case .zero: TextError(localized("\(use.noun) cannot last 0 s"))
        case .tooSmall: TextError(use.atLeast)
        case .tooLarge: TextError(use.atMost)
        case .tooManyDecimals: TextError(localized("a duration has at most 18 decimals of a second"))
        case .field:
            TextError(
                localized("the minutes and seconds after a colon must be two digits, 00 to 59"),
                hint: localized("for example 1:30 or 1:02:03.5"))
        case .unknownUnit, .malformed: explainWord(text.trimmingBlanks, fault)
        }
    }

    private static func explainWord(_ text: String, _ fault: Fault) -> TextError {
        let example = localized("for example 2.7 or 1:30")
        guard text.utf8.count <= 1000 else {
            return TextError(localized("\(TextError.quoted(text)) is not a duration"), hint: example)
        }
        let lower = text.lowercased()
        let pointed = text.replacing(",", with: ".")
        if text.isEmpty {
            return TextError(localized("a duration is missing"), hint: example)
        } else if text.hasPrefix("-") || text.hasPrefix("\u{2212}") {
            return TextError(localized("a duration cannot be negative"))
        } else if ["nan", ".nan", "inf", ".inf", "infinity", "∞"].contains(lower) {
            return TextError(localized("a duration must be a finite number of seconds"), hint: example)
        } else if lower.hasPrefix("0x") {
            return TextError(localized("a duration must be decimal, not hexadecimal"), hint: example)
        } else if text.unicodeScalars.contains(where: { !$0.isASCII && $0.properties.numericType == .decimal }) {
            return TextError(localized("a duration must be written with the digits 0 to 9"), hint: example)
        } else if isExponential(lower) {
            return TextError(localized("a duration must be written without an exponent"), hint: example)
        } else if pointed != text, (try? scan(pointed.utf8Span.span)) != nil {
            return TextError(localized("decimals follow a point, not a comma"), hint: localized("write \(pointed)"))
        } else if case .unknownUnit(let unit) = fault {
            return TextError(
                localized("\(TextError.quoted(unit)) is not a unit of time"), hint: localized("write s, min, h or ms"))
        }
        return TextError(localized("\(TextError.quoted(text)) is not a duration"), hint: example)
    }

    /// Whether the text is a number with an exponent, such as 1e3 or 2.5e-1.
    private static func isExponential(_ text: String) -> Bool {
        let parts = text.split(separator: "e", omittingEmptySubsequences: false)
        guard parts.count == 2, let first = parts[0].utf8.first, DecimalText.digit(first) != nil else { return false }
        return Double(parts[0]) != nil && Int(parts[1]) != nil
    }
}

extension DecimalText {
    /// The number as seconds.
    fileprivate var duration: Duration { Duration(secondsComponent: whole, attosecondsComponent: fraction) }
}
