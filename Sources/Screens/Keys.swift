/// A key as a terminal sends it.
package enum Key: Sendable, Equatable {
    /// A character that can be typed.
    case character(Character)
    /// A key with a name.
    case enter, escape, tab, backspace, up, down, left, right, pageUp, pageDown, home, end
}

/// Turns what a terminal sends into keys. Feed it bytes as they come; a sequence or a character may be cut anywhere.
package struct Keys: Sendable {
    private var sequence: [UInt8] = []
    /// The bytes so far of a character of more than one.
    private var character: [UInt8] = []

    /// Makes a reader of keys.
    package init() {}

    /// Whether an Escape has come that may be the first byte of more. Where nothing follows at once, it is a key.
    package var isEscapeOpen: Bool { sequence == [0x1B] }

    /// Says that nothing follows an open Escape.
    package mutating func closeEscape() -> [Key] {
        guard isEscapeOpen else { return [] }
        sequence = []
        return [.escape]
    }

    /// The keys that these bytes complete. Unknown ones mean nothing.
    package mutating func keys(for bytes: some Sequence<UInt8>) -> [Key] { bytes.compactMap { key(for: $0) } }

    private mutating func key(for byte: UInt8) -> Key? {
        let escape: UInt8 = 0x1B
        if byte == escape {
            // What another Escape follows was a key by itself.
            defer { (sequence, character) = ([byte], []) }
            return isEscapeOpen ? .escape : nil
        }
        if sequence == [escape] {
            sequence = byte == UInt8(ascii: "[") || byte == UInt8(ascii: "O") ? [escape, byte] : []
            return sequence.isEmpty ? plain(byte) : nil
        }
        if sequence.isEmpty { return plain(byte) }
        // Parameters of a longer sequence: its last byte is a letter or ~. Linux' console has a second [ in some.
        guard (0x40...0x7E).contains(byte), byte != UInt8(ascii: "[") else {
            if sequence.count < 8 { sequence.append(byte) }
            return nil
        }
        let parameters = sequence.dropFirst(2)
        sequence = []
        return switch byte {
        case UInt8(ascii: "A"): .up
        case UInt8(ascii: "B"): .down
        case UInt8(ascii: "C"): .right
        case UInt8(ascii: "D"): .left
        case UInt8(ascii: "H"): .home
        case UInt8(ascii: "F"): .end
        case UInt8(ascii: "~"): Keys.numbered[Array(parameters)]
        default: nil
        }
    }

    private static let numbered: [[UInt8]: Key] = [
        Array("1".utf8): .home, Array("7".utf8): .home, Array("4".utf8): .end, Array("8".utf8): .end,
        Array("5".utf8): .pageUp, Array("6".utf8): .pageDown,
    ]

    private mutating func plain(_ byte: UInt8) -> Key? {
        switch byte {
        case UInt8(ascii: "\r"), UInt8(ascii: "\n"): return named(.enter)
        case UInt8(ascii: "\t"): return named(.tab)
        case 0x7F, 0x08: return named(.backspace)
        case 0..<0x20: return nil
        case ..<0x80: return named(.character(Character(UnicodeScalar(byte))))
        default:
            // A first byte begins a character anew.
            character = byte >= 0xC0 ? [byte] : character + [byte]
            guard character.count <= 4, let first = character.first, first >= 0xC0 else {
                character = []
                return nil
            }
            let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
            guard character.count == length else { return nil }
            defer { character = [] }
            guard let text = String(validating: character, as: UTF8.self), let whole = text.first else { return nil }
            return .character(whole)
        }
    }

    private mutating func named(_ key: Key) -> Key {
        character = []
        return key
    }
}
