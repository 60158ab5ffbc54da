extension OSCMessage {
    /// Reads a datagram: a message, or the messages of a bundle, whatever its time tag. nil if it is not OSC.
    ///
    /// Values of the other kinds that are known are passed over.
    package static func read(_ datagram: [UInt8]) -> [OSCMessage]? { read(datagram[...], depth: 0) }

    /// How deep bundles may lie in bundles.
    private static let deepest = 4

    private static func read(_ bytes: ArraySlice<UInt8>, depth: Int) -> [OSCMessage]? {
        guard bytes.count.isMultiple(of: 4), depth <= deepest else { return nil }
        guard bytes.starts(with: Array("#bundle".utf8) + [0]) else { return message(bytes).map { [$0] } }
        var rest = bytes.dropFirst(8)
        guard rest.count >= 8 else { return nil }
        rest = rest.dropFirst(8)
        var found: [OSCMessage] = []
        while !rest.isEmpty {
            guard let size = takeNumber(&rest), size <= UInt32(rest.count),
                let part = read(rest.prefix(Int(size)), depth: depth + 1)
            else { return nil }
            found += part
            rest = rest.dropFirst(Int(size))
        }
        return found
    }

    private static func message(_ bytes: ArraySlice<UInt8>) -> OSCMessage? {
        var rest = bytes
        guard bytes.first == UInt8(ascii: "/"), let address = takeText(&rest) else { return nil }
        // Old senders leave out the tags of a message without values.
        guard !rest.isEmpty else { return OSCMessage(address) }
        guard rest.first == UInt8(ascii: ","), let tags = takeText(&rest) else { return nil }
        var message = OSCMessage(address)
        for tag in tags.utf8.dropFirst() {
            switch tag {
            case UInt8(ascii: "i"):
                guard let bits = takeNumber(&rest) else { return nil }
                message.values.append(.int(Int32(bitPattern: bits)))
            case UInt8(ascii: "f"):
                guard let bits = takeNumber(&rest) else { return nil }
                message.values.append(.float(Float(bitPattern: bits)))
            case UInt8(ascii: "s"), UInt8(ascii: "S"):
                guard let text = takeText(&rest) else { return nil }
                message.values.append(.string(text))
            case UInt8(ascii: "h"):
                guard let bits = takeWideNumber(&rest) else { return nil }
                message.values.append(.int(Int32(clamping: Int64(bitPattern: bits))))
            case UInt8(ascii: "d"):
                guard let bits = takeWideNumber(&rest) else { return nil }
                message.values.append(.float(Float(Double(bitPattern: bits))))
            case UInt8(ascii: "T"): message.values.append(.int(1))
            case UInt8(ascii: "F"): message.values.append(.int(0))
            case UInt8(ascii: "N"), UInt8(ascii: "I"), UInt8(ascii: "["), UInt8(ascii: "]"): continue
            case UInt8(ascii: "t"): guard takeWideNumber(&rest) != nil else { return nil }
            case UInt8(ascii: "c"), UInt8(ascii: "r"), UInt8(ascii: "m"):
                guard takeNumber(&rest) != nil else { return nil }
            case UInt8(ascii: "b"):
                guard let size = takeNumber(&rest), size <= UInt32(rest.count) else { return nil }
                rest = rest.dropFirst((Int(size) + 3) / 4 * 4)
            // The length of a value of any other kind is not known.
            default: return nil
            }
        }
        return message
    }

    private static func takeNumber(_ bytes: inout ArraySlice<UInt8>) -> UInt32? {
        guard bytes.count >= 4 else { return nil }
        defer { bytes = bytes.dropFirst(4) }
        return bytes.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }

    private static func takeWideNumber(_ bytes: inout ArraySlice<UInt8>) -> UInt64? {
        guard bytes.count >= 8, let high = takeNumber(&bytes), let low = takeNumber(&bytes) else { return nil }
        return UInt64(high) << 32 | UInt64(low)
    }

    private static func takeText(_ bytes: inout ArraySlice<UInt8>) -> String? {
        guard let end = bytes.firstIndex(of: 0), let text = String(validating: bytes[..<end], as: UTF8.self) else {
            return nil
        }
        let length = (end - bytes.startIndex) / 4 * 4 + 4
        guard length <= bytes.count else { return nil }
        bytes = bytes.dropFirst(length)
        return text
    }
}
