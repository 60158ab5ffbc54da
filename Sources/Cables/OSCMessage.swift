/// A message of Open Sound Control 1.0: an address and its values.
package struct OSCMessage: Sendable, Equatable {
    /// The address, such as `/barline/bar`.
    package var address: String
    package var values: [Value]

    package enum Value: Sendable, Equatable {
        case int(Int32)
        case float(Float)
        case string(String)
    }

    package init(_ address: String, _ values: [Value] = []) { (self.address, self.values) = (address, values) }

    /// The bytes of the message.
    package var bytes: [UInt8] {
        var bytes = OSCMessage.padded(address)
        var tags = ","
        var arguments: [UInt8] = []
        for value in values {
            switch value {
            case .int(let number):
                tags += "i"
                arguments += OSCMessage.bigEndian(UInt32(bitPattern: number))
            case .float(let number):
                tags += "f"
                arguments += OSCMessage.bigEndian(number.bitPattern)
            case .string(let text):
                tags += "s"
                arguments += OSCMessage.padded(text)
            }
        }
        bytes += OSCMessage.padded(tags) + arguments
        return bytes
    }

    /// A text with one to four zeros after it, which make its length a multiple of four. A zero ends the text.
    private static func padded(_ text: String) -> [UInt8] {
        let bytes = Array(text.utf8.prefix { $0 != 0 })
        return bytes + Array(repeating: 0, count: 4 - bytes.count % 4)
    }

    static func bigEndian<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }
}

/// Messages that belong to one moment.
package struct OSCPacket: Sendable, Equatable {
    package var messages: [OSCMessage]
    /// The moment, in ns since 1970; nil for messages that count when they arrive.
    package var time: Int64?

    package init(_ messages: [OSCMessage], at time: Int64? = nil) { (self.messages, self.time) = (messages, time) }

    /// From 1900, where the time tags of OSC begin, to 1970, in s.
    private static let epoch: Int64 = 2_208_988_800

    /// What is sent, one datagram each: a bundle with its time tag, or the messages by themselves.
    package var datagrams: [[UInt8]] {
        guard let time else { return messages.map(\.bytes) }
        var bundle = Array("#bundle".utf8) + [0]
        let (seconds, rest) = (time / 1_000_000_000, time % 1_000_000_000)
        bundle += OSCMessage.bigEndian(UInt32(truncatingIfNeeded: seconds + OSCPacket.epoch))
        bundle += OSCMessage.bigEndian(UInt32((UInt64(rest) << 32) / 1_000_000_000))
        for message in messages {
            let bytes = message.bytes
            bundle += OSCMessage.bigEndian(UInt32(bytes.count)) + bytes
        }
        return [bundle]
    }
}
