/// Reads a text from left to right; positions count bytes from its start.
package struct TextCursor {
    package let bytes: [UInt8]
    package var position = 0
    /// Whether a `#` begins a comment, which counts as blanks.
    private let hasComments: Bool

    /// Reads a value, without the spaces and tabs around it.
    init(_ text: String) {
        bytes = Array(text.trimmingBlanks.utf8)
        hasComments = false
    }

    /// Reads a text that can have comments.
    package init(commented bytes: [UInt8]) { (self.bytes, hasComments) = (bytes, true) }

    package var isAtEnd: Bool { position == bytes.count }

    /// The next byte; nil at the end.
    package var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// The text that has not been read yet.
    var rest: String { text(position..<bytes.count) }

    package func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    /// Skips spaces, tabs and comments; if `lines` is true, also line ends.
    package mutating func skipBlanks(lines: Bool = false) {
        while let byte = next {
            if byte == UInt8(ascii: "#"), hasComments {
                skip(to: "\r\n")
            } else if byte.isBlank || lines && (byte == 0x0A || byte == 0x0D) {
                position += 1
            } else {
                return
            }
        }
    }

    /// Skips to one of these ASCII characters, or to the end.
    package mutating func skip(to ends: String) {
        while let byte = next, !ends.utf8.contains(byte) { position += 1 }
    }

    package mutating func skipDigits() {
        while let byte = next, Self.isDigit(byte) { position += 1 }
    }

    /// Reads `text`, ignoring case, if it comes next.
    package mutating func accept(_ text: String) -> Bool {
        let end = position + text.utf8.count
        guard end <= bytes.count, bytes[position..<end].elementsEqual(text.utf8, by: { $0.lowercase == $1.lowercase })
        else { return false }
        position = end
        return true
    }

    /// The next word: ASCII letters, with hyphens between them; empty for none.
    package func word() -> Range<Int> {
        var end = position
        while end < bytes.count {
            let isHyphen = bytes[end] == UInt8(ascii: "-") && end > position && end + 1 < bytes.count
            guard Self.isLetter(bytes[end]) || isHyphen && Self.isLetter(bytes[end + 1]) else { break }
            end += 1
        }
        return position..<end
    }

    /// Reads one of these whole words, ignoring case, if it comes next.
    package mutating func accept(word words: String...) -> Bool {
        let range = word()
        guard !range.isEmpty, words.contains(text(range).lowercased()) else { return false }
        position = range.upperBound
        return true
    }

    /// The range that a message marks at the position: a whole word, number or sign; empty at the end of a line.
    package func token() -> Range<Int> {
        var end = position
        while end < bytes.count, !" \t\r\n,()@#".utf8.contains(bytes[end]) { end += 1 }
        if end == position, let byte = next, byte != 0x0A, byte != 0x0D, end < bytes.count { end += 1 }
        return position..<end
    }

    package static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
    package static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    /// Reads `word`, ignoring case, if it is the rest of the text, except for blanks before it.
    mutating func acceptLast(_ word: String) -> Bool {
        var ahead = self
        ahead.skipBlanks()
        guard ahead.accept(word), ahead.isAtEnd else { return false }
        self = ahead
        return true
    }

    /// Reads a plus (1) or minus (-1) if one comes next.
    mutating func acceptSign() -> Double? {
        if accept("-") { return -1 }
        return accept("+") ? 1 : nil
    }

    /// Reads an unsigned number, digits with at most one point between them, as the nearest Double.
    mutating func acceptNumber() -> Double? { Double(String(decoding: acceptDigits(), as: UTF8.self)) }

    /// Reads the digits of a decimal number; includes a point only if a digit follows it. Empty if no digit comes next.
    mutating func acceptDigits() -> [UInt8] {
        let start = position
        skipDigits()
        guard position > start else { return [] }
        if position + 1 < bytes.count, bytes[position] == UInt8(ascii: "."),
            DecimalText.digit(bytes[position + 1]) != nil
        {
            position += 1
            skipDigits()
        }
        return Array(bytes[start..<position])
    }

    /// Reads an unsigned decimal number exactly; after an error the position is where reading failed.
    mutating func scanDecimal() throws(DurationText.Fault) -> DecimalText {
        let all = bytes
        return try DecimalText.scan(all.span, at: &position)
    }
}

extension UInt8 {
    /// The byte, with an ASCII capital converted to lower case.
    var lowercase: UInt8 { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self }

    /// Whether this is a space or a tab.
    package var isBlank: Bool { self == 0x20 || self == 0x09 }
}

extension String {
    /// The items of a list with commas, without blanks around them; an item can be empty.
    package var listed: [String] { split(separator: ",", omittingEmptySubsequences: false).map(\.trimmingBlanks) }
}

extension StringProtocol where UTF8View: BidirectionalCollection {
    /// The text without the spaces and tabs around it.
    package var trimmingBlanks: String {
        guard let first = utf8.firstIndex(where: { !$0.isBlank }), let last = utf8.lastIndex(where: { !$0.isBlank })
        else { return "" }
        return String(self[first...last])
    }

    /// The words between spaces and tabs.
    package var words: [String] { split { $0 == " " || $0 == "\t" }.map { String($0) } }

    /// The digits after as many zeros as it takes to have `count` of them.
    package func zeroPadded(to count: Int) -> String {
        String(repeating: "0", count: Swift.max(count - self.count, 0)) + self
    }
}

extension Int {
    /// The number with at least two digits; it is not negative.
    package var twoDigits: String { "\(self)".zeroPadded(to: 2) }

    /// Reads a number of ASCII digits, after a minus if that is allowed; nil for anything else. Inlined, because in a map of a
    /// million bars the generic one takes as long as all else.
    @inlinable
    package init?(wholeText text: some StringProtocol, allowsMinus: Bool = false) {
        let isNegative = allowsMinus && text.utf8.first == UInt8(ascii: "-")
        var (number, count) = (0, 0)
        for byte in text.utf8.dropFirst(isNegative ? 1 : 0) {
            guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
            let (tens, isTooMany) = number.multipliedReportingOverflow(by: 10)
            // From below, so that the smallest number can be read, too.
            let (next, isTooSmall) = tens.subtractingReportingOverflow(Int(byte - UInt8(ascii: "0")))
            guard !isTooMany, !isTooSmall else { return nil }
            (number, count) = (next, count + 1)
        }
        guard count > 0, isNegative || number > Int.min else { return nil }
        self = isNegative ? number : -number
    }
}

extension Span<UInt8> {
    /// The part of `range` without the spaces and tabs around it.
    package func trimmed(_ range: Range<Int>) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, self[start].isBlank { start += 1 }
        while end > start, self[end - 1].isBlank { end -= 1 }
        return start..<end
    }
}
