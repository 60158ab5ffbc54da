internal import CSndFile
internal import Glibc
internal import Scores
internal import SystemPackage
package import Timing

/// When a sound file begins by the timecode of a film: the chunk `bext` of a Broadcast Wave file (EBU Tech 3285).
package struct StartStamp {
    /// The number of frames from midnight to the first of the file.
    package let frames: UInt64
    private let description: String

    /// The stamp of a file in which a performance is rendered; nil if its score has no timecode.
    ///
    /// The file begins with the count-in, so before the timecode of its first bar: if need be, on the day before. A
    /// piece can go on beyond midnight.
    package init?(_ performance: Performance, rate: Int) {
        let settings = performance.linearTimecode ?? performance.timecode.map { LinearTimecode(start: $0) }
        guard let settings, rate > 0 else { return nil }
        let music = performance.film(atBoundary: performance.first, settings)
        let second: Int128 = 1_000_000_000_000_000_000
        let frame = (music.attoseconds * Int128(rate) + second / 2) / second - Int128(performance.zeroFrame(rate: rate))
        let day = (settings.start.rate.day.attoseconds * Int128(rate) + second / 2) / second
        frames = UInt64(clamping: (frame % day + day) % day)
        description = performance.title
    }

    /// Gives the stamp to a file before its samples are written. It has no date: two renderings are the same.
    package func set(_ handle: OpaquePointer) -> Bool {
        var info = SF_BROADCAST_INFO()
        StartStamp.put(description, into: &info.description)
        StartStamp.put("Barline", into: &info.originator)
        info.time_reference_low = UInt32(truncatingIfNeeded: frames)
        info.time_reference_high = UInt32(truncatingIfNeeded: frames >> 32)
        // libsndfile writes version 2, in which this number says that the loudness was not measured.
        info.version = 2
        (info.loudness_value, info.loudness_range) = (.max, .max)
        (info.max_true_peak_level, info.max_momentary_loudness, info.max_shortterm_loudness) = (.max, .max, .max)
        let size = Int32(MemoryLayout<SF_BROADCAST_INFO>.size)
        return sf_command(handle, Int32(SFC_SET_BROADCAST_INFO), &info, size) == Int32(SF_TRUE)
    }

    /// Corrects the coding history of a file of 32-bit samples, which libsndfile has finished: it always says 24 bits of
    /// floating-point samples.
    static func correct(_ descriptor: Int32) throws(RenderError) {
        let (wrong, right) = (Array(",W=24,".utf8), Array(",W=32,".utf8))
        var head = [UInt8](repeating: 0, count: 4096)
        let count = max(pread(descriptor, &head, head.count, 0), 0)
        let places = 0..<max(count - wrong.count, 0)
        guard let place = places.first(where: { head[$0..<$0 + wrong.count].elementsEqual(wrong) }) else { return }
        guard pwrite(descriptor, right, right.count, off_t(place)) == right.count else {
            throw .cannotWrite(Errno.last.reason)
        }
    }

    /// Puts the beginning of a text, in ASCII as the standard asks for, into a field.
    private static func put<Field>(_ text: String, into field: inout Field) {
        withUnsafeMutableBytes(of: &field) { field in
            let bytes = text.unicodeScalars.map {
                (0x20..<0x7F).contains($0.value) ? UInt8($0.value) : UInt8(ascii: "?")
            }
            field.copyBytes(from: bytes.prefix(field.count))
        }
    }
}
