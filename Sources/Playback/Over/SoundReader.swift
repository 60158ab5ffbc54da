internal import CSampleRate
internal import CSndFile
internal import Glibc
internal import Languages
internal import SystemPackage

/// A sound file that is read from its beginning to its end, a little at a time. It owns one libsndfile handle.
package struct SoundReader: ~Copyable {
    package let path: String
    /// Frames per second.
    package let rate: Int
    /// 1 or 2.
    package let channels: Int
    /// Its length in frames, as it says itself.
    package let frames: Int64
    /// Whether `frames` is what the file says, and neither an estimate from its size nor a length that is not known.
    private let knowsFrames: Bool
    private let handle: OpaquePointer
    private var framesRead: Int64 = 0

    /// Opens a file of any type that libsndfile reads.
    ///
    /// Errors: `noMusic` if it cannot be opened, `badMusic` if it is not a sound file of one or two channels.
    package init(_ path: String) throws(RenderError) {
        let (handle, info) = try SoundReader.opened(path)
        self.path = path
        self.handle = handle
        (rate, channels, frames) = (Int(info.samplerate), Int(info.channels), Int64(info.frames))
        knowsFrames = SoundReader.knowsFrames(info, path)
    }

    /// Whether the frames of `info` are what the file says. The size of an MPEG file is an estimate; a FLAC file that was written
    /// to a pipe, or whose program was killed, has none.
    static func knowsFrames(_ info: SF_INFO, _ path: String) -> Bool {
        guard info.frames < .max else { return false }
        return info.format & Int32(SF_FORMAT_TYPEMASK) != Int32(SF_FORMAT_MPEG) || hasLength(path)
    }

    /// Whether the first frame of an MPEG file is the one that states its length: it has the word Xing, Info or VBRI. Tags
    /// may precede it, whose length is in four bytes of seven bits each (ID3v2, 3.1).
    private static func hasLength(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        var head = [UInt8](repeating: 0, count: 10)
        guard pread(descriptor, &head, 10, 0) == 10 else { return false }
        let tag = head[6..<10].reduce(0) { $0 << 7 | Int($1 & 127) }
        let start = head.starts(with: Array("ID3".utf8)) ? 10 + tag : 0
        var frame = [UInt8](repeating: 0, count: 256)
        let count = pread(descriptor, &frame, frame.count, start)
        return ["Xing", "Info", "VBRI"].contains { frame[..<max(count, 0)].contains(Array($0.utf8)) }
    }

    private static func opened(_ path: String) throws(RenderError) -> (OpaquePointer, SF_INFO) {
        guard access(path, R_OK) == 0 else {
            throw .noMusic(localized("'\(path)' cannot be read: \(Errno.last.reason)"))
        }
        var info = SF_INFO()
        guard let handle = sf_open(path, Int32(SFM_READ), &info) else {
            guard sf_error(nil) != SF_ERR_UNRECOGNISED_FORMAT else {
                throw .badMusic(
                    localized("'\(path)' is no sound file that can be read: it can be MP3, FLAC, Ogg, Opus or WAV"))
            }
            let reason = reason(sf_strerror(nil))
            throw .badMusic(
                localized("'\(path)' is no sound file: \(reason); it can be MP3, FLAC, Ogg, Opus or WAV"))
        }
        guard let problem = problem(info, handle) else { return (handle, info) }
        sf_close(handle)
        throw .badMusic(localized("'\(path)' cannot be read: \(problem)"))
    }

    /// Why a file cannot be read as sound; nil if it can.
    private static func problem(_ info: SF_INFO, _ handle: OpaquePointer) -> String? {
        if info.frames < 1 { return localized("it is empty") }
        if !(1...2).contains(info.channels) {
            return localized("it has \(info.channels) channels; only 1 or 2 are read")
        }
        if !(8000...384_000).contains(info.samplerate) {
            return localized("its rate is \(info.samplerate) Hz; only 8000 to 384000 Hz are read")
        }
        return missingEnd(handle)
    }

    deinit { sf_close(handle) }

    /// libsndfile's reason as a phrase.
    private static func reason(_ text: UnsafePointer<CChar>?) -> String {
        var reason = text.map { String(cString: $0) } ?? localized("unknown error")
        if reason.hasSuffix(".") { reason.removeLast() }
        return reason
    }

    /// Why the file ends too early; nil if it does not. libsndfile plays what is left of a cut WAV or AIFF file, and notes the
    /// size that its header names in its log: "data : 1000 (should be 400)".
    static func missingEnd(_ handle: OpaquePointer) -> String? {
        var log = [CChar](repeating: 0, count: 16384)
        let count = sf_command(handle, Int32(SFC_GET_LOG_INFO), &log, Int32(log.count))
        let text = String(
            decoding: log[..<max(0, min(Int(count), log.count))].map(UInt8.init(bitPattern:)), as: UTF8.self)
        let lines = text.split(separator: "\n").map { $0.drop { $0 == " " } }
        let isCut = lines.contains { line in
            (line.hasPrefix("data") || line.hasPrefix("SSND")) && line.contains("should be")
                || line.contains("does not match value from 'ds64' chunk")
        }
        return isCut ? endsEarly : nil
    }

    static let endsEarly = localized("it ends in the middle")

    /// Reads the next frames, interleaved; fewer than there is room for only at the end, and then none.
    ///
    /// Errors: `badMusic` if the file is damaged, or ends before its length.
    package mutating func read(into room: UnsafeMutableBufferPointer<Float>) throws(RenderError) -> Int {
        let wanted = room.count / channels
        guard wanted > 0, let base = room.baseAddress else { return 0 }
        let count = Int(sf_readf_float(handle, base, sf_count_t(wanted)))
        framesRead += Int64(count)
        if count < wanted {
            let status = sf_error(handle)
            if status != SF_ERR_NO_ERROR {
                throw .badMusic(
                    localized("'\(path)' cannot be read to its end: \(SoundReader.reason(sf_strerror(handle)))"))
            }
            guard framesRead >= frames || !knowsFrames else {
                throw .badMusic(localized("'\(path)' cannot be read: \(SoundReader.endsEarly)"))
            }
        }
        // Files of floating-point numbers can hold what is no number.
        for n in 0..<(count * channels) where !room[n].isFinite { room[n] = 0 }
        return count
    }
}

/// The frames of a sound file at another rate, converted by libsamplerate. At the file's own rate they are the file's.
struct ResampledSound: ~Copyable {
    private var file: SoundReader
    private let ratio: Double
    /// nil if the rates are the same.
    private let converter: OpaquePointer?
    /// Frames of the file that have been read and not converted, and whether more can follow.
    private var read: [Float]
    private var range = 0..<0
    private var hasMore = true

    private static let blockFrames = 4096

    var channels: Int { file.channels }

    init(_ path: String, rate: Int) throws(RenderError) {
        let file = try SoundReader(path)
        converter = rate == file.rate ? nil : try ResampledSound.converter(file.channels)
        ratio = Double(rate) / Double(file.rate)
        read = [Float](repeating: 0, count: ResampledSound.blockFrames * file.channels)
        self.file = file
    }

    private static func converter(_ channels: Int) throws(RenderError) -> OpaquePointer {
        var status: Int32 = 0
        guard let made = src_new(Int32(SRC_SINC_MEDIUM_QUALITY), Int32(channels), &status) else {
            throw .engine(.outOfMemory)
        }
        return made
    }

    deinit { if let converter { src_delete(converter) } }

    /// Reads the next frames, interleaved; fewer than there is room for only at the end, and then none.
    mutating func read(into room: UnsafeMutableBufferPointer<Float>) throws(RenderError) -> Int {
        guard let converter, let base = room.baseAddress else { return try file.read(into: room) }
        let wanted = room.count / channels
        var made = 0
        while made < wanted {
            if range.isEmpty, hasMore { try refill() }
            var data = SRC_DATA()
            data.src_ratio = ratio
            data.end_of_input = hasMore ? 0 : 1
            data.input_frames = range.count
            data.data_out = base + made * channels
            data.output_frames = wanted - made
            let status = read.withUnsafeBufferPointer { from in
                data.data_in = from.baseAddress.map { $0 + range.lowerBound * channels }
                return src_process(converter, &data)
            }
            guard status == 0 else {
                throw .badMusic(
                    localized("'\(file.path)' cannot be converted: \(String(cString: src_strerror(status)))"))
            }
            range = (range.lowerBound + data.input_frames_used)..<range.upperBound
            made += data.output_frames_gen
            if data.output_frames_gen == 0, data.input_frames_used == 0, !hasMore { break }
        }
        return made
    }

    private mutating func refill() throws(RenderError) {
        let count = try read.withUnsafeMutableBufferPointer { room throws(RenderError) in try file.read(into: room) }
        range = 0..<count
        hasMore = count == ResampledSound.blockFrames
    }
}
