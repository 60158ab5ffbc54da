internal import CZlib
internal import Languages
internal import Scores

/// The files of a zip archive; its bytes are not trusted.
///
/// Source: APPNOTE.TXT, PKWARE, 6.3; zip64, encryption and methods other than "stored" and "deflate" are errors.
struct ZipArchive {
    private let bytes: [UInt8]
    /// The files' names, each with the place of its row of the directory.
    private var entries: [(name: String, place: Int)] = []

    /// Whether bytes begin as a zip archive does.
    static func recognizes(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0x50, 0x4B, 3, 4]) }

    /// Reads the directory. Errors: it is missing, or it does not fit the file.
    init(_ bytes: [UInt8]) throws(Problem) {
        self.bytes = bytes
        guard let end = Self.end(bytes) else {
            throw Problem(bytes.count, localized("this zip file is cut off: its directory is missing"))
        }
        let count = try number(at: end + 10, of: 2)
        var position = try number(at: end + 16, of: 4)
        guard position != 0xFFFF_FFFF, count != 0xFFFF else {
            throw Problem(end, localized("zip64 files cannot be read"))
        }
        for _ in 0..<count {
            let place = position
            guard place < end, try number(at: place, of: 4) == 0x0201_4B50 else {
                throw Problem(min(place, end), localized("the directory of this zip file is damaged"))
            }
            let nameLength = try number(at: place + 28, of: 2)
            let rest = try number(at: place + 30, of: 2) + number(at: place + 32, of: 2)
            position = place + 46 + nameLength + rest
            guard position <= end else {
                throw Problem(place, localized("the directory of this zip file is damaged"))
            }
            let name = bytes[place + 46..<place + 46 + nameLength]
            entries.append((String(decoding: name, as: UTF8.self), place))
        }
    }

    /// The content of a file; nil if there is no file with this name.
    ///
    /// Errors: it is larger than a score may be, encrypted, packed in an unknown way, or damaged.
    func content(of name: String) throws(Problem) -> [UInt8]? {
        guard let place = entries.first(where: { $0.name == name })?.place else { return nil }
        let shown = TextError.quoted(name)
        guard try number(at: place + 8, of: 2) & 1 == 0 else {
            throw Problem(place, localized("\(shown) in this zip file is encrypted"))
        }
        let method = try number(at: place + 10, of: 2)
        let (packedSize, size) = (try number(at: place + 20, of: 4), try number(at: place + 24, of: 4))
        guard size <= SourceText.byteLimit else {
            throw Problem(place, localized("\(shown) in this zip file has more than 64 MiB"))
        }
        let header = try number(at: place + 42, of: 4)
        guard try number(at: header, of: 4) == 0x0403_4B50 else {
            throw Problem(
                min(header, bytes.count), localized("this zip file is damaged: \(shown) does not begin here"))
        }
        let start = try header + 30 + number(at: header + 26, of: 2) + number(at: header + 28, of: 2)
        guard start <= bytes.count, packedSize <= bytes.count - start else {
            throw Problem(header, localized("this zip file is cut off within \(shown)"))
        }
        let packed = bytes[start..<start + packedSize]
        let content: [UInt8]?
        switch method {
        case 0: content = packed.count == size ? Array(packed) : nil
        case 8: content = Self.inflated(packed, size: size)
        default:
            throw Problem(
                place, localized("\(shown) in this zip file is packed in an unknown way (method \(method))"),
                hint: localized("pack it with deflate"))
        }
        guard let content, try Self.checksum(content) == number(at: place + 16, of: 4) else {
            throw Problem(start, localized("this zip file is damaged: \(shown) does not unpack"))
        }
        return content
    }

    /// Where the end record of the directory begins; only a comment can follow it.
    private static func end(_ bytes: [UInt8]) -> Int? {
        guard bytes.count >= 22 else { return nil }
        let last = bytes.count - 22
        return (max(0, last - 0xFFFF)...last).last { bytes[$0...].starts(with: [0x50, 0x4B, 5, 6]) }
    }

    /// A number with its lowest byte first.
    private func number(at place: Int, of count: Int) throws(Problem) -> Int {
        guard place >= 0, place <= bytes.count - count else {
            throw Problem(bytes.count, localized("this zip file is cut off here"))
        }
        return (0..<count).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
    }

    /// Unpacks raw deflate data; nil if they do not give exactly `size` bytes.
    private static func inflated(_ packed: ArraySlice<UInt8>, size: Int) -> [UInt8]? {
        var stream = z_stream()
        guard inflateInit2_(&stream, -MAX_WBITS, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            return nil
        }
        defer { inflateEnd(&stream) }
        var input = Array(packed)
        // One byte more than expected, so that a longer content is noticed and an empty one has a place.
        var output = [UInt8](repeating: 0, count: size + 1)
        let status = input.withUnsafeMutableBufferPointer { from in
            output.withUnsafeMutableBufferPointer { to in
                (stream.next_in, stream.avail_in) = (from.baseAddress, uInt(from.count))
                (stream.next_out, stream.avail_out) = (to.baseAddress, uInt(to.count))
                return inflate(&stream, Z_FINISH)
            }
        }
        guard status == Z_STREAM_END, Int(stream.total_out) == size else { return nil }
        output.removeLast()
        return output
    }

    private static func checksum(_ content: [UInt8]) -> Int {
        content.withUnsafeBufferPointer { Int(crc32(0, $0.baseAddress, uInt($0.count))) }
    }
}
