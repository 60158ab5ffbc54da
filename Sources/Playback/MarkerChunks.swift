internal import Glibc
internal import SystemPackage

/// The chunks in which WAV and AIFF files store their markers.
///
/// They follow the samples. Before these, libsndfile has room for 64 KiB; with more, it writes a file without samples.
enum MarkerChunks {
    /// Appends markers to a file that libsndfile has finished. Other types, and what is not a regular file, get none.
    static func append(_ markers: [Marker], to descriptor: Int32, _ type: FileType) throws(RenderError) {
        var about = stat()
        guard !markers.isEmpty, fstat(descriptor, &about) == 0, about.st_mode & S_IFMT == S_IFREG else { return }
        let end = Int(about.st_size)
        // A chunk begins at an even place.
        var bytes = [UInt8](repeating: 0, count: end % 2)
        switch type {
        case .wav, .rf64: bytes += little("cue ", cue(markers)) + little("LIST", labels(markers))
        case .aiff: bytes += Array("MARK".utf8) + marks(markers)
        case .flac, .ogg, .opus, .mp3: return
        }
        try write(bytes, at: end, descriptor)
        // The size of the whole file, without the eight bytes of its first name and size.
        let size = end + bytes.count - 8
        switch type {
        case .rf64: try write(number(size, 8), at: 20, descriptor)
        case .aiff: try write(number(size, 4).reversed(), at: 4, descriptor)
        default: try write(number(size, 4), at: 4, descriptor)
        }
    }

    /// The content of a `cue ` chunk: a count, and for each marker its number, its frame, and the chunk that it is in.
    private static func cue(_ markers: [Marker]) -> [UInt8] {
        var bytes = number(markers.count, 4)
        for (n, marker) in markers.enumerated() {
            let frame = number(Int(min(marker.frame, 0xFFFF_FFFF)), 4)
            bytes += number(n + 1, 4) + frame + Array("data".utf8) + number(0, 4) + number(0, 4) + frame
        }
        return bytes
    }

    /// The content of a `LIST` chunk of type `adtl`: a `labl` for each cue point. Every label is padded to a multiple of
    /// four bytes; otherwise libsndfile cannot open the file again.
    private static func labels(_ markers: [Marker]) -> [UInt8] {
        var bytes = Array("adtl".utf8)
        for (n, marker) in markers.enumerated() {
            var text = Array(marker.name.utf8) + [0]
            while text.count % 4 != 0 { text.append(0) }
            bytes += little("labl", number(n + 1, 4) + text)
        }
        return bytes
    }

    /// The size and content of a `MARK` chunk: a count, then for each marker its number, frame and name.
    private static func marks(_ markers: [Marker]) -> [UInt8] {
        var bytes = big(markers.count, 2)
        for (n, marker) in markers.enumerated() {
            // A name has at most 255 bytes, and fills an even number of them with the byte for its length.
            var name = marker.name
            while name.utf8.count > 255 { name.unicodeScalars.removeLast() }
            let text = [UInt8(name.utf8.count)] + Array(name.utf8)
            bytes += big(n + 1, 2) + big(Int(min(marker.frame, 0xFFFF_FFFF)), 4) + text
            if text.count % 2 == 1 { bytes.append(0) }
        }
        return big(bytes.count, 4) + bytes
    }

    private static func little(_ name: String, _ content: [UInt8]) -> [UInt8] {
        Array(name.utf8) + number(content.count, 4) + content
    }

    /// A number in little-endian order.
    private static func number(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private static func big(_ value: Int, _ count: Int) -> [UInt8] { number(value, count).reversed() }

    private static func write(_ bytes: [UInt8], at place: Int, _ descriptor: Int32) throws(RenderError) {
        do { try FileDescriptor(rawValue: descriptor).writeAll(toAbsoluteOffset: Int64(place), bytes) } catch {
            throw .cannotWrite((error as? Errno)?.reason ?? "\(error)")
        }
    }
}
