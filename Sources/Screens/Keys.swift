package import UserSettings

/// Turns terminal input into keys. Feed it bytes as they arrive; an escape sequence or a character may be split
/// anywhere.
package struct Keys: Sendable {
    private var sequence: [UInt8] = []
    /// The bytes received so far of a multibyte character.
    private var character: [UInt8] = []

    package init() {}

    /// Whether the last byte was an Escape that may begin a sequence. If nothing follows at once, it is the Escape key.
    package var isEscapeOpen: Bool { sequence == [0x1B] }

    /// Ends an open Escape when nothing has followed it; returns the Escape key, if there was one.
    package mutating func closeEscape() -> [Key] {
        guard isEscapeOpen else { return [] }
        sequence = []
        return [.escape]
    }

    /// A key as it was typed, perhaps with Shift or Ctrl.
    package enum Typed: Sendable, Equatable {
        case key(Key)
        case shiftUp, shiftDown, shiftTab
        /// Ctrl-U, which clears a line.
        case clear
    }

    /// The keys that these bytes complete, Shift and Ctrl aside. Unknown keys are ignored.
    package mutating func keys(for bytes: some Sequence<UInt8>) -> [Key] {
        typed(for: bytes).compactMap { typed in
            switch typed {
            case .key(let key): key
            case .shiftUp: .up
            case .shiftDown: .down
            case .shiftTab, .clear: nil
            }
        }
    }

    /// The keys that these bytes complete. Unknown keys are ignored.
    package mutating func typed(for bytes: some Sequence<UInt8>) -> [Typed] { bytes.compactMap { typed(for: $0) } }

    private mutating func typed(for byte: UInt8) -> Typed? {
        let escape: UInt8 = 0x1B
        if byte == escape {
            // An Escape that another Escape follows was a key.
            defer { (sequence, character) = ([byte], []) }
            return isEscapeOpen ? .key(.escape) : nil
        }
        if sequence == [escape] {
            sequence = byte == UInt8(ascii: "[") || byte == UInt8(ascii: "O") ? [escape, byte] : []
            return sequence.isEmpty ? plain(byte) : nil
        }
        if sequence.isEmpty { return plain(byte) }
        // Parameters of a longer sequence, which ends with a letter or ~. Some sequences of the Linux console have a
        // second [.
        guard (0x40...0x7E).contains(byte), byte != UInt8(ascii: "[") else {
            if sequence.count < 8 { sequence.append(byte) }
            return nil
        }
        let (intro, parameters) = (sequence.dropFirst().first, sequence.dropFirst(2))
        sequence = []
        // The Linux console has F1 to F5 there.
        if parameters.elementsEqual("[".utf8) {
            return byte <= UInt8(ascii: "E") ? .key(.function(Int(byte) - Int(UInt8(ascii: "A")) + 1)) : nil
        }
        let isShifted = parameters.elementsEqual("1;2".utf8)
        switch byte {
        case UInt8(ascii: "A") where isShifted: return .shiftUp
        case UInt8(ascii: "B") where isShifted: return .shiftDown
        case UInt8(ascii: "Z"): return .shiftTab
        default: return key(byte, intro, parameters).map(Typed.key)
        }
    }

    private func key(_ end: UInt8, _ intro: UInt8?, _ parameters: ArraySlice<UInt8>) -> Key? {
        switch end {
        case UInt8(ascii: "A"): .up
        case UInt8(ascii: "B"): .down
        case UInt8(ascii: "C"): .right
        case UInt8(ascii: "D"): .left
        case UInt8(ascii: "H"): .home
        case UInt8(ascii: "F"): .end
        case UInt8(ascii: "P")...UInt8(ascii: "S") where intro == UInt8(ascii: "O"):
            .function(Int(end) - Int(UInt8(ascii: "P")) + 1)
        case UInt8(ascii: "~"): Keys.numbered[Array(parameters)]
        default: nil
        }
    }

    private static let numbered: [[UInt8]: Key] = {
        // The numbers of F6 and F11 leave gaps, as on the VT220.
        let functions = [11, 12, 13, 14, 15, 17, 18, 19, 20, 21, 23, 24].enumerated().map { ($1, Key.function($0 + 1)) }
        let others: [(Int, Key)] = [
            (1, .home), (2, .insert), (3, .delete), (4, .end), (5, .pageUp), (6, .pageDown), (7, .home), (8, .end),
        ]
        return Dictionary((functions + others).map { (Array("\($0)".utf8), $1) }) { first, _ in first }
    }()

    private mutating func plain(_ byte: UInt8) -> Typed? {
        switch byte {
        case UInt8(ascii: "\r"), UInt8(ascii: "\n"): return named(.enter)
        case UInt8(ascii: "\t"): return named(.tab)
        case 0x7F, 0x08: return named(.backspace)
        case 0x15: return .clear
        case 0..<0x20: return nil
        case ..<0x80: return named(.character(Character(UnicodeScalar(byte))))
        default:
            // A lead byte starts a new character.
            character = byte >= 0xC0 ? [byte] : character + [byte]
            guard character.count <= 4, let first = character.first, first >= 0xC0 else {
                character = []
                return nil
            }
            let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
            guard character.count == length else { return nil }
            defer { character = [] }
            guard let text = String(validating: character, as: UTF8.self), let whole = text.first else { return nil }
            return .key(.character(whole))
        }
    }

    private mutating func named(_ key: Key) -> Typed {
        character = []
        return .key(key)
    }
}
