internal import Scores

/// Takes the lines of a text one by one, without their line ends: LF, CRLF or CR.
struct TextLines {
    private var position = 0
    /// The number of the last line taken, from 1.
    private(set) var number = 0

    /// Takes the next line; nil at the end of the text.
    mutating func next(_ bytes: Span<UInt8>) -> Range<Int>? {
        guard position < bytes.count else { return nil }
        let start = position
        while position < bytes.count, bytes[position] != 0x0A, bytes[position] != 0x0D { position += 1 }
        let end = position
        if position < bytes.count {
            let isCRLF = bytes[position] == 0x0D && position + 1 < bytes.count && bytes[position + 1] == 0x0A
            position += isCRLF ? 2 : 1
        }
        number += 1
        return start..<end
    }

    /// The words of a line, which are separated by blanks.
    static func words(_ bytes: Span<UInt8>, _ line: Range<Int>) -> [Range<Int>] {
        var words: [Range<Int>] = []
        var start: Int?
        for i in line {
            if !bytes[i].isBlank {
                start = start ?? i
            } else if let begin = start {
                words.append(begin..<i)
                start = nil
            }
        }
        if let start { words.append(start..<line.upperBound) }
        return words
    }
}
