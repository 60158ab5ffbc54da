internal import Languages

extension Timecode {
    /// Reads a timecode with its rate, `01:00:10:00 @ 25`; without one, it has the rate of `other`.
    ///
    /// The rates are 23.976, 24, 25, 29.97 (drop-frame), 29.97 ndf (non-drop) and 30. In drop-frame timecode a semicolon
    /// may precede the frames. Errors: not a timecode, no rate, or no such frame at this rate.
    public init(scoreText text: String, rate other: Rate? = nil) throws(TextError) {
        let sides = text.split(separator: "@", omittingEmptySubsequences: false).map(\.trimmingBlanks)
        guard sides.count <= 2, Timecode.isMeant(by: sides[0]) else { throw Timecode.malformed(text) }
        let rate: Rate
        if sides.count == 2 {
            rate = try Rate(scoreText: sides[1])
        } else if let other {
            rate = other
        } else {
            throw TextError(
                localized("a timecode needs its frames per second"), hint: localized("for example \(sides[0]) @ 25"))
        }
        var cursor = TextCursor(sides[0])
        var numbers: [Int] = []
        for separator in ["", ":", ":", ":;"] {
            if separator == ":;", cursor.accept(";") {
                guard rate == .fps29_97DropFrame else {
                    throw TextError(
                        localized("a semicolon stands in drop-frame timecode only"),
                        hint: localized("write ':', or @ 29.97"))
                }
            } else if !separator.isEmpty, !cursor.accept(":") {
                throw Timecode.malformed(text)
            }
            guard let number = cursor.acceptTwoDigits() else { throw Timecode.malformed(text) }
            numbers.append(number)
        }
        var hundredths = 0
        if cursor.accept(".") {
            guard let number = cursor.acceptTwoDigits() else {
                throw TextError(
                    localized("a point is followed by hundredths of a frame, two digits"),
                    hint: localized("for example :12.50"))
            }
            hundredths = number
        }
        guard cursor.isAtEnd else { throw Timecode.malformed(text) }
        try self.init(
            hours: numbers[0], minutes: numbers[1], seconds: numbers[2], frames: numbers[3], hundredths: hundredths,
            rate: rate)
    }

    /// Whether a text can only be meant as a timecode: it has four fields, or a rate.
    package static func isMeant(by text: String) -> Bool {
        text.contains("@") || text.contains(";") || text.utf8.count { $0 == UInt8(ascii: ":") } >= 3
    }

    private static func malformed(_ text: String) -> TextError {
        TextError(
            localized("\(TextError.quoted(text)) is not a timecode"), hint: localized("for example 01:00:10:00 @ 25"))
    }

    /// The timecode with its rate, as a score writes it: `01:00:10:00 @ 25`.
    public var textWithRate: String { "\(text) @ \(rate.rawValue)" }
}

extension Timecode.Rate {
    /// Reads a rate: 24, 25, 29.97 or 29.97 df (drop-frame), 29.97 ndf, 30, 23.976 or 23.98.
    public init(scoreText text: String) throws(TextError) {
        let word = text.trimmingBlanks.lowercased()
        switch word.filter({ $0 != " " && $0 != "-" }) {
        case "23.976", "23.98": self = .fps23_976
        case "24": self = .fps24
        case "25": self = .fps25
        case "29.97", "29.97df", "29.97drop", "29.97dropframe": self = .fps29_97DropFrame
        case "29.97ndf", "29.97nondrop", "29.97nondropframe": self = .fps29_97NonDrop
        case "30": self = .fps30
        default:
            throw TextError(
                localized("\(TextError.quoted(text)) is not a number of frames per second"),
                hint: localized("write 23.976, 24, 25, 29.97 (drop-frame), 29.97 ndf or 30"))
        }
    }
}

extension TextCursor {
    /// Reads exactly two digits.
    fileprivate mutating func acceptTwoDigits() -> Int? {
        let digits = rest.utf8.prefix(2).compactMap(DecimalText.digit)
        guard digits.count == 2, accept(String(rest.prefix(2))) else { return nil }
        return Int(digits[0] * 10 + digits[1])
    }
}
