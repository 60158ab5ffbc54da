internal import CSampleRate
internal import CSndFile
internal import Files
internal import Glibc
internal import Languages
internal import SystemPackage

/// Sound from a file, mixed to one channel.
package struct SoundReading {
    package var samples: [Float]
    package var rate: Int

    /// Reads any file that libsndfile knows, of at most `seconds`.
    package init(_ path: String, limit seconds: Int) throws(SoundReadingError) {
        var info = SF_INFO()
        guard access(path, R_OK) == 0 else { throw SoundReadingError(Errno.last.reason) }
        guard let handle = sf_open(path, Int32(SFM_READ), &info) else {
            throw SoundReadingError(localized("it is not a known type of sound file"))
        }
        defer { sf_close(handle) }
        guard info.channels > 0, info.samplerate > 0, info.frames > 0 else { throw .empty }
        guard info.frames <= Int64(seconds) * Int64(info.samplerate) else {
            throw SoundReadingError(localized("it is longer than \(seconds) s"))
        }
        if let problem = SoundReader.missingEnd(handle) { throw SoundReadingError(problem) }
        let (frames, channels) = (Int(info.frames), Int(info.channels))
        samples = [Float](repeating: 0, count: frames * channels)
        let read = Int(sf_readf_float(handle, &samples, sf_count_t(frames)))
        guard read > 0 else { throw SoundReadingError(localized("it cannot be read")) }
        guard read == frames || !SoundReader.knowsFrames(info, path) else {
            throw SoundReadingError(SoundReader.endsEarly)
        }
        rate = Int(info.samplerate)
        for frame in 0..<read {
            var sum: Float = 0
            for channel in 0..<channels { sum += samples[frame * channels + channel] }
            let mean = sum / Float(channels)
            samples[frame] = mean.isFinite ? max(-1, min(mean, 1)) : 0
        }
        samples.removeLast(samples.count - read)
    }

    /// The quality of a conversion to another rate.
    package enum Care {
        /// For a voice: the error is 97 dB below it.
        case speech
        /// For the user's own sounds: the error is 121 dB below them.
        case sound

        fileprivate var converter: Int32 {
            switch self {
            case .speech: Int32(SRC_SINC_FASTEST)
            case .sound: Int32(SRC_SINC_MEDIUM_QUALITY)
            }
        }
    }

    /// The samples at another rate, converted by libsamplerate.
    package func resampled(to wanted: Int, _ care: Care = .sound) throws(SoundReadingError) -> [Float] {
        guard wanted != rate else { return samples }
        let ratio = Double(wanted) / Double(rate)
        guard src_is_valid_ratio(ratio) != 0 else {
            throw SoundReadingError(localized("its rate of \(rate) Hz cannot be converted"))
        }
        var output = [Float](repeating: 0, count: Int((Double(samples.count) * ratio).rounded(.up)) + 16)
        var made = 0
        let status = samples.withUnsafeBufferPointer { from in
            output.withUnsafeMutableBufferPointer { to in
                var data = SRC_DATA()
                data.data_in = from.baseAddress
                data.input_frames = from.count
                data.data_out = to.baseAddress
                data.output_frames = to.count
                data.src_ratio = ratio
                defer { made = data.output_frames_gen }
                return src_simple(&data, care.converter, 1)
            }
        }
        guard status == 0 else { throw SoundReadingError(String(cString: src_strerror(status))) }
        output.removeLast(output.count - made)
        return output
    }
}

/// A sound that cannot be used.
public struct SoundReadingError: Error, Equatable, CustomStringConvertible {
    /// The reason, as a phrase.
    public let reason: String

    init(_ reason: String) { self.reason = reason }

    static let empty = SoundReadingError(localized("it is empty"))

    /// A phrase that follows the file's name.
    public var description: String { localized("cannot be used: \(reason)") }
}

extension OwnSound {
    /// The longest click, in seconds.
    public static let longest = 10

    /// Reads a click from a file for an engine at `rate`: WAV, FLAC, Ogg and any other format that libsndfile knows.
    public init(_ path: String, rate: Int) throws(SoundReadingError) {
        // Oversampled, so that it can begin between two frames.
        let rate = min(max(rate, 0), 1_000_000)
        let phases = rate < 96_000 ? 4 : 2
        var points = try SoundReading(path, limit: OwnSound.longest).resampled(to: rate * phases)
        while points.count % phases != 0 { points.append(0) }
        self.init(points: points, phases: phases)
    }
}
