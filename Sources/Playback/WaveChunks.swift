/// The chunks in which a WAV file stores its markers: libsndfile writes their places, but not their names.
enum WaveChunks {
    /// The bytes of a `cue ` chunk: a count, then for each marker its number and place, and the chunk and frame of the
    /// place.
    static func cue(_ markers: [Marker]) -> [UInt8] {
        var bytes = word(markers.count)
        for (n, marker) in markers.enumerated() {
            bytes += word(n + 1) + word(n) + Array("data".utf8) + word(0) + word(0) + word(Int(marker.frame))
        }
        return bytes
    }

    /// The bytes of a `LIST` chunk of type `adtl`: a `labl` for each cue point. Every label is padded to a multiple of
    /// four bytes; otherwise libsndfile cannot open the file again.
    static func labels(_ markers: [Marker]) -> [UInt8] {
        var bytes = Array("adtl".utf8)
        for (n, marker) in markers.enumerated() {
            var text = Array(marker.name.utf8) + [0]
            while text.count % 4 != 0 { text.append(0) }
            bytes += Array("labl".utf8) + word(4 + text.count) + word(n + 1) + text
        }
        return bytes
    }

    private static func word(_ value: Int) -> [UInt8] {
        let value = UInt32(clamping: value)
        return (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}
