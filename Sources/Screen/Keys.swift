public import Playback

/// Turns what a terminal sends into commands. Feed it bytes as they come; a sequence may be cut anywhere.
public struct Keys: Sendable {
    private var sequence: [UInt8] = []

    /// Makes a reader of keys.
    public init() {}

    /// The commands that these bytes complete. Unknown keys mean nothing.
    public mutating func commands(for bytes: some Sequence<UInt8>) -> [Command] {
        bytes.compactMap { command(for: $0) }
    }

    private mutating func command(for byte: UInt8) -> Command? {
        let escape: UInt8 = 0x1B
        if byte == escape {
            sequence = [byte]
            return nil
        }
        if sequence == [escape] {
            sequence = byte == UInt8(ascii: "[") || byte == UInt8(ascii: "O") ? [escape, byte] : []
            return sequence.isEmpty ? plain(byte) : nil
        }
        if sequence.isEmpty { return plain(byte) }
        // Parameters of a longer sequence: its last byte is a letter or ~.
        guard (0x40...0x7E).contains(byte) else {
            if sequence.count < 8 { sequence.append(byte) }
            return nil
        }
        let isPageDown = sequence.last == UInt8(ascii: "6") && sequence.count == 3
        sequence = []
        return switch byte {
        case UInt8(ascii: "A"): .previousLine
        case UInt8(ascii: "B"): .nextLine
        case UInt8(ascii: "C"): .nextBar
        case UInt8(ascii: "D"): .previousBar
        // Page down, which pedals send.
        case UInt8(ascii: "~") where isPageDown: .continue
        default: nil
        }
    }

    private func plain(_ byte: UInt8) -> Command? {
        switch byte {
        case UInt8(ascii: " "): .togglePause
        case UInt8(ascii: "\r"), UInt8(ascii: "\n"), UInt8(ascii: "c"): .continue
        case UInt8(ascii: "+"), UInt8(ascii: "="): .speed(change: 5)
        case UInt8(ascii: "-"): .speed(change: -5)
        case UInt8(ascii: "m"), UInt8(ascii: "M"): .toggleDrone
        case UInt8(ascii: "q"), UInt8(ascii: "Q"): .stop
        default: nil
        }
    }
}
