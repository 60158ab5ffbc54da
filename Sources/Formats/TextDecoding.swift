internal import Scores

// Converts texts from older encodings and other systems to UTF-8.
extension SourceText {
    /// The same text in UTF-8. UTF-16 is recognized by its byte order mark or its zero bytes, UTF-8 stays unchanged,
    /// and anything else is taken as Windows-1252, which has the letters of ISO 8859-1.
    var transcoded: SourceText {
        if let order = utf16ByteOrder { return SourceText(Self.utf8(fromUTF16: bytes, order), file: file) }
        return isUTF8 ? self : SourceText(Self.utf8(fromWindows1252: bytes), file: file)
    }

    private var isUTF8: Bool { (try? UTF8Span(validating: bytes.span)) != nil }

    private static func utf8(fromUTF16 bytes: [UInt8], _ order: ByteOrder) -> [UInt8] {
        let (high, low) = order == .big ? (0, 1) : (1, 0)
        var units: [UInt16] = []
        units.reserveCapacity(bytes.count / 2)
        for i in stride(from: 0, to: bytes.count - 1, by: 2) {
            units.append(UInt16(bytes[i + high]) << 8 | UInt16(bytes[i + low]))
        }
        if units.first == 0xFEFF { units.removeFirst() }
        // Half a character at the end becomes U+FFFD.
        return Array(String(decoding: units, as: UTF16.self).utf8) + (bytes.count % 2 == 1 ? [0xEF, 0xBF, 0xBD] : [])
    }

    private static func utf8(fromWindows1252 bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count + bytes.count / 8)
        for byte in bytes {
            if byte < 0x80 {
                text.append(byte)
            } else {
                text.append(
                    contentsOf: UTF8.encode(Unicode.Scalar(windows1252: byte)) ?? UTF8.encodedReplacementCharacter)
            }
        }
        return text
    }
}

extension Unicode.Scalar {
    /// The character of a byte from 0x80 on in Windows-1252; the five unassigned bytes stand for themselves.
    init(windows1252 byte: UInt8) {
        let special: [Unicode.Scalar] = [
            "€", "\u{81}", "‚", "ƒ", "„", "…", "†", "‡", "ˆ", "‰", "Š", "‹", "Œ", "\u{8D}", "Ž", "\u{8F}",
            "\u{90}", "‘", "’", "“", "”", "•", "–", "—", "˜", "™", "š", "›", "œ", "\u{9D}", "ž", "Ÿ",
        ]
        self = (0x80..<0xA0).contains(byte) ? special[Int(byte) - 0x80] : Unicode.Scalar(byte)
    }

    /// The byte of a character in Windows-1252; nil if it has none.
    var windows1252: UInt8? {
        if value < 0x80 || (0xA0...0xFF).contains(value) { return UInt8(value) }
        return (0x80..<0xA0).first { Unicode.Scalar(windows1252: $0) == self }
    }
}
