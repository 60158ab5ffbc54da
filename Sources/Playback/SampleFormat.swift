internal import CDrone
internal import CSndFile
internal import Languages
public import Timing

/// How samples are stored.
public enum SampleFormat: String, Sendable, CaseIterable {
    /// 16-bit integers, dithered.
    case bits16 = "16"
    /// 24-bit integers.
    case bits24 = "24"
    /// 32-bit floating point.
    case float32 = "32f"

    /// Bytes of one sample in a file.
    public var bytes: Int { codes.bytes }

    /// Bytes of one sample in a file, and the names of the format in CDrone and libsndfile.
    private var codes: (bytes: Int, drone: drone_format, sndfile: Int) {
        switch self {
        case .bits16: (2, DRONE_S16, SF_FORMAT_PCM_16)
        case .bits24: (3, DRONE_S24_3, SF_FORMAT_PCM_24)
        case .float32: (4, DRONE_F32, SF_FORMAT_FLOAT)
        }
    }

    var drone: drone_format { codes.drone }
    var sndfile: Int32 { Int32(codes.sndfile) }
}

/// Rate, channels and format of a sound.
public struct SoundFormat: Sendable, Equatable {
    /// Frames per second, 8000 ... 384000.
    public var rate: Int
    /// 1 ... 32.
    public var channels: Int
    /// The channels that carry clicks and speech; empty means all.
    public var clickChannels: ChannelSet = []
    /// The channels that carry the drone; empty means all.
    public var droneChannels: ChannelSet = []
    /// The channels that carry the clicks of each voice, in their order; an empty or no set means those of all clicks.
    public var voiceChannels: [ChannelSet] = []
    /// The channels that carry timecode, and nothing else; empty means none.
    public var timecodeChannels: ChannelSet = []
    /// How samples are stored.
    public var samples: SampleFormat

    /// Makes a format; 48 kHz, stereo, 16 bit by default.
    public init(rate: Int = 48000, channels: Int = 2, samples: SampleFormat = .bits16) {
        (self.rate, self.channels, self.samples) = (rate, channels, samples)
    }

    /// Whether the channels of the clicks, the drone or the timecode have been chosen.
    public var hasSeparateChannels: Bool {
        !clickChannels.isEmpty || !droneChannels.isEmpty || !timecodeChannels.isEmpty
    }

    /// The highest channel that a voice of a piece names; 0 if none names one.
    public static func highestChannel(of timeline: Timeline) -> Int { timeline.voices.compactMap(\.channel).max() ?? 0 }

    /// The format with the channels of a piece's voices, and as many channels as they need.
    public func carrying(_ timeline: Timeline) -> SoundFormat {
        var format = self
        format.voiceChannels = timeline.voices.map { ChannelSet([$0.channel].compactMap(\.self)) }
        format.channels = max(channels, min(SoundFormat.highestChannel(of: timeline), 32))
        return format
    }

    /// The format for an encoder of a sound without music: one channel where both would be alike, which is half the work.
    package func narrowed(for performance: Performance, _ type: FileType) -> SoundFormat {
        let isCentered = performance.drone?.notes.allSatisfy { $0.pan == 0 } ?? true
        guard !type.isLossless, channels == 2, isCentered, !hasSeparateChannels, voiceChannels.allSatisfy(\.isEmpty)
        else { return self }
        var format = self
        format.channels = 1
        return format
    }

    /// The format on a device with fewer channels: voices on missing ones are heard on the channels of all clicks.
    package func limited(toChannels count: Int) -> SoundFormat {
        let all = ChannelSet(1...max(count, 1))
        var format = self
        format.voiceChannels = voiceChannels.map { $0.intersection(all) }
        format.timecodeChannels.formIntersection(all)
        return format
    }

    /// The same for the synthesizer, which renders from frame 0 on.
    var config: drone_config {
        var config = drone_config()
        config.rate = UInt32(clamping: rate)
        config.channels = UInt32(clamping: channels)
        config.format = samples.drone
        config.click_channels = clickChannels.rawValue
        config.drone_channels = droneChannels.rawValue
        config.timecode_channels = timecodeChannels.rawValue
        withUnsafeMutableBytes(of: &config.voice_channels) { bytes in
            let voices = bytes.bindMemory(to: UInt32.self)
            // Voice 0 is heard on the channels of all clicks.
            for (voice, set) in zip(1..<voices.count, voiceChannels) { voices[voice] = set.rawValue }
        }
        return config
    }

    /// Whether the rate and the number of channels are in range.
    package var isValid: Bool { (8000...384_000).contains(rate) && (1...32).contains(channels) }

    /// What is wrong with the chosen channels: the sound does not have them all. nil if nothing is.
    var channelFault: String? {
        let sets = [clickChannels, droneChannels, timecodeChannels] + voiceChannels.dropFirst()
        let highest = 32 - sets.reduce(0) { $0 | $1.rawValue }.leadingZeroBitCount
        return highest <= channels
            ? nil : localized("there is no channel \(highest): the sound has only \(channels)")
    }

    /// Bytes of one frame in a file; 0 if the number of channels is out of range.
    public var bytesPerFrame: Int { (1...32).contains(channels) ? channels * samples.bytes : 0 }
}

/// Channels of a sound; the first is 1.
public struct ChannelSet: OptionSet, Sendable, Equatable {
    /// Bit n is channel n + 1.
    public let rawValue: UInt32

    /// Makes a set from bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Makes a set from channel numbers, 1 ... 32; others are ignored.
    public init(_ channels: some Sequence<Int>) {
        rawValue = channels.reduce(0) { (1...32).contains($1) ? $0 | 1 << UInt32($1 - 1) : $0 }
    }
}
