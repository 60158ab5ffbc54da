internal import Scores

/// Scans the bytes of a text of runs or plans; positions count bytes from its start.
package struct RunScanner {
    package let bytes: [UInt8]
    package var position = 0

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Begins after the blanks at the start of a text.
    package init(_ text: String) {
        bytes = Array(text.utf8)
        skipBlanks()
    }

    package var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    package func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    /// Skips spaces, tabs and comments; if `lines` is true, also line ends.
    package mutating func skipBlanks(lines: Bool = false) {
        while let byte = next {
            if byte == UInt8(ascii: "#") {
                skip(to: "\r\n")
            } else if byte == 0x20 || byte == 0x09 || lines && (byte == 0x0A || byte == 0x0D) {
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
        while let byte = next, RunScanner.isDigit(byte) { position += 1 }
    }

    /// Reads a character if it comes next.
    package mutating func accept(_ character: Unicode.Scalar) -> Bool {
        let utf8 = Array(String(Character(character)).utf8)
        guard bytes[position...].starts(with: utf8) else { return false }
        position += utf8.count
        return true
    }

    /// The next word: ASCII letters, with hyphens between them; empty for none.
    package func word() -> Range<Int> {
        var end = position
        while end < bytes.count {
            let isHyphen = bytes[end] == UInt8(ascii: "-") && end > position && end + 1 < bytes.count
            guard RunScanner.isLetter(bytes[end]) || isHyphen && RunScanner.isLetter(bytes[end + 1]) else { break }
            end += 1
        }
        return position..<end
    }

    /// Reads one of these words, in upper or lower case, if it comes next.
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
}
