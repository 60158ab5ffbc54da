package import Running

/// Turns terminal input into keys of a calculator. Feed it bytes as they arrive; an escape sequence or a character may
/// be split anywhere.
package struct CalculatorKeys: Sendable {
    private var sequence: [UInt8] = []
    private var character: [UInt8] = []

    package init() {}

    /// The keys that these bytes complete.
    package mutating func keys(for bytes: some Sequence<UInt8>) -> [CalculatorKey] {
        bytes.flatMap { keys(for: $0) }
    }

    /// The key that a pause in the input completes: Escape, if it came alone.
    package mutating func pause() -> [CalculatorKey] {
        defer { sequence = [] }
        return sequence == [0x1B] ? [.escape] : []
    }

    private mutating func keys(for byte: UInt8) -> [CalculatorKey] {
        if byte == 0x1B {
            defer { sequence = [byte] }
            return sequence == [0x1B] ? [.escape] : []
        }
        if sequence == [0x1B] {
            if byte == UInt8(ascii: "[") || byte == UInt8(ascii: "O") {
                sequence.append(byte)
                return []
            }
            sequence = []
            return [.escape] + plain(byte)
        }
        guard !sequence.isEmpty else { return plain(byte) }
        sequence.append(byte)
        // The Linux console has F1 to F5 as two brackets and a letter.
        let isSecondBracket = sequence.count == 3 && byte == UInt8(ascii: "[")
        guard (0x40...0x7E).contains(byte), !isSecondBracket else { return [] }
        defer { sequence = [] }
        return named(sequence.dropFirst(2))
    }

    private func named(_ sequence: ArraySlice<UInt8>) -> [CalculatorKey] {
        switch String(decoding: sequence, as: UTF8.self) {
        case "A": [.up]
        case "B": [.down]
        case "C": [.right]
        case "D": [.left]
        case "1;2A": [.shiftUp]
        case "1;2B": [.shiftDown]
        case "3~": [.delete]
        case "Z": [.backTab]
        default: []
        }
    }

    private mutating func plain(_ byte: UInt8) -> [CalculatorKey] {
        switch byte {
        case 0x09: return [.tab]
        case 0x0A, 0x0D: return [.enter]
        case 0x08, 0x7F: return [.backspace]
        // Ctrl-U.
        case 0x15: return [.clear]
        case 0x00..<0x20: return []
        default:
            character.append(byte)
            let text = String(decoding: character, as: UTF8.self)
            guard text.unicodeScalars.first != "\u{FFFD}" || character.count > 3 else { return [] }
            character = []
            return text.count == 1 ? text.map(CalculatorKey.character) : []
        }
    }
}
