internal import CSndFile
internal import Languages
internal import Scores

/// The kinds of sound files that can be written.
public enum FileType: String, Sendable, CaseIterable {
    /// Uncompressed; RF64 if the file is larger than WAV can be.
    case wav
    /// Uncompressed, as RF64 from the first byte.
    case rf64
    /// Compressed without loss.
    case flac
    /// Ogg Vorbis.
    case ogg
    /// Ogg Opus.
    case opus
    /// MPEG layer III.
    case mp3
    /// Uncompressed; AIFF-C if the samples are floating-point numbers.
    case aiff

    /// The type that the extension of a file's name stands for: WAV if there is none, nil if it is not known.
    public init?(path: String) {
        let name = path.split(separator: "/").last ?? ""
        guard let end = name.split(separator: ".").dropFirst().last?.lowercased() else {
            self = .wav
            return
        }
        guard let type = FileType.allCases.first(where: { $0.extensions.contains(end) }) else { return nil }
        self = type
    }

    /// The extensions of file names for this type, in lower case, the usual one first.
    public var extensions: [String] {
        switch self {
        case .ogg: ["ogg", "oga"]
        case .aiff: ["aiff", "aif"]
        default: [rawValue]
        }
    }

    /// Whether samples are stored without loss.
    public var isLossless: Bool { [.wav, .rf64, .flac, .aiff].contains(self) }

    /// How many markers can be stored: 9999 cue points, 999 CHAPTERxxx comments, 255 entries of an ID3v2 table.
    public var markerLimit: Int {
        switch self {
        case .wav, .rf64, .aiff: 9999
        case .flac, .ogg, .opus: 999
        case .mp3: 255
        }
    }

    /// Why a format cannot be stored, in words; nil if it can.
    public func refusal(of format: SoundFormat) -> String? {
        let rates = [8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000]
        switch self {
        case .wav, .rf64, .aiff: return nil
        case .flac where format.samples == .float32: return localized("FLAC supports 16 or 24 bits")
        case .flac: return format.channels > 8 ? localized("FLAC supports at most 8 channels") : nil
        case .ogg: return format.channels > 8 ? localized("Ogg Vorbis files can have at most 8 channels") : nil
        case .opus:
            guard [8000, 12_000, 16_000, 24_000, 48_000].contains(format.rate) else {
                return localized("Opus supports 8000, 12000, 16000, 24000 or 48000 Hz")
            }
            return format.channels > 8 ? localized("Opus supports at most 8 channels") : nil
        case .mp3:
            guard rates.contains(format.rate) else {
                return localized("MP3 does not support \(format.rate) Hz; use 44100 or 48000 Hz")
            }
            return format.channels > 2 ? localized("MP3 supports at most 2 channels") : nil
        }
    }

    /// The error for a file whose name has an unknown extension.
    package static func unknownExtension(_ path: String) -> String {
        let known = allCases.flatMap(\.extensions).map { "." + $0 }
        return localized("'\(path)' has no known extension: use \(WordText.list(known))")
    }

    func sndfile(_ samples: SampleFormat, isLarge: Bool) -> Int32 {
        switch self {
        case .wav: Int32(isLarge ? SF_FORMAT_RF64 : SF_FORMAT_WAV) | samples.sndfile
        case .rf64: Int32(SF_FORMAT_RF64) | samples.sndfile
        case .flac: Int32(SF_FORMAT_FLAC) | samples.sndfile
        case .ogg: Int32(SF_FORMAT_OGG) | Int32(SF_FORMAT_VORBIS)
        case .opus: Int32(SF_FORMAT_OGG) | Int32(SF_FORMAT_OPUS)
        case .mp3: Int32(SF_FORMAT_MPEG) | Int32(SF_FORMAT_MPEG_LAYER_III)
        case .aiff: Int32(SF_FORMAT_AIFF) | samples.sndfile
        }
    }
}
