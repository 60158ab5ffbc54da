internal import Scores

/// The lines of a text, without their line ends: LF, CRLF or CR.
package struct TextLines: Sequence, IteratorProtocol {
    private let bytes: [UInt8]
    private var position = 0

    /// Makes the lines of a text.
    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Takes the next line; nil at the end of the text.
    package mutating func next() -> Range<Int>? {
        guard position < bytes.count else { return nil }
        let start = position
        while position < bytes.count, bytes[position] != 0x0A, bytes[position] != 0x0D { position += 1 }
        let end = position
        let isCRLF = end + 1 < bytes.count && bytes[end] == 0x0D && bytes[end + 1] == 0x0A
        position += isCRLF ? 2 : 1
        return start..<end
    }

    /// The words of a line, which are separated by blanks.
    static func words(_ bytes: Span<UInt8>, _ line: Range<Int>) -> [Range<Int>] { line.split { bytes[$0].isBlank } }
}

extension Span<UInt8> {
    /// The part of a line before a comment, which begins with `#`, without blanks around it.
    func beforeComment(_ line: Range<Int>) -> Range<Int> {
        trimmed(line.lowerBound..<(line.first { self[$0] == UInt8(ascii: "#") } ?? line.upperBound))
    }
}

extension DecimalText {
    /// A number that is the whole of a text; nil for anything else.
    init?(_ text: String) {
        var position = 0
        guard let number = try? DecimalText.scan(text.utf8Span.span, at: &position), position == text.utf8.count else {
            return nil
        }
        self = number
    }
}
