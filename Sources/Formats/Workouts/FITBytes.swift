internal import Languages
internal import Scores

/// The bytes of a FIT file: records with a header and checksums (Garmin FIT Protocol, developer.garmin.com/fit).
enum FITBytes {
    /// The checksum of FIT files: CRC-16 with the polynomial 0xA001, one nibble at a time as in the protocol's own
    /// code.
    static func crc(_ bytes: some Sequence<UInt8>) -> UInt16 {
        let table: [UInt16] = [
            0x0000, 0xCC01, 0xD801, 0x1400, 0xF001, 0x3C00, 0x2800, 0xE401,
            0xA001, 0x6C00, 0x7800, 0xB401, 0x5000, 0x9C01, 0x8801, 0x4400,
        ]
        var crc: UInt16 = 0
        for byte in bytes {
            crc = (crc >> 4) ^ table[Int(crc & 0xF)] ^ table[Int(byte & 0xF)]
            crc = (crc >> 4) ^ table[Int(crc & 0xF)] ^ table[Int(byte >> 4)]
        }
        return crc
    }

    /// The types of fields in workouts, by their number in a definition.
    enum BaseType: UInt8 {
        case enumeration = 0x00
        case string = 0x07
        case uint16 = 0x84
        case uint32 = 0x86
        case uint32z = 0x8C
    }

    /// A number as little-endian bytes.
    static func little(_ value: UInt32, bytes count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * UInt32($0))) }
    }

    /// One message: its fields by number, each an unsigned number or the bytes of a text.
    struct Message {
        var number: UInt16
        var fields: [UInt8: [UInt8]]
        /// Whether its numbers are big-endian.
        var isBigEndian = false

        /// A number; nil if the field is missing or marked as having no value (all bits set).
        func number(_ field: UInt8) -> UInt32? {
            guard let bytes = fields[field], [1, 2, 4].contains(bytes.count), bytes.contains(where: { $0 != 0xFF })
            else { return nil }
            return (isBigEndian ? bytes : bytes.reversed()).reduce(0) { $0 << 8 | UInt32($1) }
        }

        /// A text; empty if the field is missing.
        func text(_ field: UInt8) -> String {
            let bytes = (fields[field] ?? []).prefix { $0 != 0 && $0 != 0xFF }
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    /// Whether the bytes begin as a FIT file does.
    static func recognizes(_ bytes: [UInt8]) -> Bool { bytes.dropFirst(8).starts(with: ".FIT".utf8) }

    /// Reads all messages of a file. `isDamaged` tells that the checksum is wrong; the messages are still readable.
    static func messages(_ bytes: [UInt8]) throws(TextError) -> (messages: [Message], isDamaged: Bool) {
        guard recognizes(bytes), bytes[0] == 12 || bytes[0] == 14, bytes.count > Int(bytes[0]) else {
            throw TextError(localized("this is not a FIT file"))
        }
        let start = Int(bytes[0])
        let size = bytes[4..<8].reversed().reduce(0) { $0 << 8 | Int($1) }
        guard start + size <= bytes.count else { throw TextError(localized("the FIT file is cut off")) }
        let data = start..<start + size
        let hasChecksum = bytes.count >= data.upperBound + 2
        let sum = hasChecksum ? UInt16(bytes[data.upperBound]) | UInt16(bytes[data.upperBound + 1]) << 8 : 0
        let isDamaged = !hasChecksum || sum != crc(bytes[..<data.upperBound])
        var reader = Records(bytes: bytes, position: data.lowerBound, end: data.upperBound)
        return (try reader.all(), isDamaged)
    }

    /// Reads definitions and data in turn.
    private struct Records {
        let bytes: [UInt8]
        var position: Int
        let end: Int
        var definitions: [UInt8: Definition] = [:]
        /// The last time of a message, from which headers with a compressed time count.
        var timestamp: UInt32 = 0

        struct Definition {
            var number: UInt16
            var isBigEndian: Bool
            var fields: [(number: UInt8, size: Int)] = []
            /// The bytes of the developer's fields, which are skipped.
            var extra = 0
        }

        mutating func all() throws(TextError) -> [Message] {
            var messages: [Message] = []
            while position < end {
                let header = try byte()
                if header & 0x80 != 0 {
                    // The lower five bits of a time that is at most 31 s later.
                    let step = (UInt32(header) &- timestamp) & 0x1F
                    messages.append(try message(header >> 5 & 3, at: timestamp &+ step))
                } else if header & 0x40 != 0 {
                    try define(header & 0xF, hasDeveloperFields: header & 0x20 != 0)
                } else {
                    messages.append(try message(header & 0xF))
                }
            }
            return messages
        }

        private mutating func take(_ count: Int) throws(TextError) -> ArraySlice<UInt8> {
            guard position + count <= end else { throw TextError(localized("the FIT file ends inside a record")) }
            defer { position += count }
            return bytes[position..<position + count]
        }

        private mutating func byte() throws(TextError) -> UInt8 { try take(1).first ?? 0 }

        private mutating func define(_ local: UInt8, hasDeveloperFields: Bool) throws(TextError) {
            _ = try byte()
            let isBigEndian = try byte() == 1
            let (first, second) = (UInt16(try byte()), UInt16(try byte()))
            var definition = Definition(
                number: isBigEndian ? first << 8 | second : second << 8 | first, isBigEndian: isBigEndian)
            for _ in 0..<(try byte()) {
                let (number, size) = (try byte(), Int(try byte()))
                _ = try byte()
                definition.fields.append((number, size))
            }
            if hasDeveloperFields {
                for _ in 0..<(try byte()) {
                    _ = try byte()
                    definition.extra += Int(try byte())
                    _ = try byte()
                }
            }
            definitions[local] = definition
        }

        private mutating func message(_ local: UInt8, at time: UInt32? = nil) throws(TextError) -> Message {
            guard let definition = definitions[local] else {
                throw TextError(localized("a record of the FIT file has no definition"))
            }
            var message = Message(number: definition.number, fields: [:], isBigEndian: definition.isBigEndian)
            for field in definition.fields { message.fields[field.number] = Array(try take(field.size)) }
            _ = try take(definition.extra)
            if let time {
                let bytes = FITBytes.little(time, bytes: 4)
                message.fields[253] = definition.isBigEndian ? bytes.reversed() : bytes
            }
            timestamp = message.number(253) ?? timestamp
            return message
        }
    }
}
