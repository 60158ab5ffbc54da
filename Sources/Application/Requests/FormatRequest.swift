internal import Languages
package import Playback
internal import Timing

/// Bits, rate and channels of the sound that is played or written, as far as they are chosen.
package struct FormatRequest: Sendable {
    package var samples: SampleFormat?
    package var rate: Int?
    package var channels: Int?
    package var clickChannels: ChannelSet?
    package var droneChannels: ChannelSet?

    package init() {}

    /// The format, with defaults for what is not chosen.
    package var format: SoundFormat {
        var format = SoundFormat(rate: rate ?? 48000, channels: channels ?? 2, samples: samples ?? .bits16)
        format.clickChannels = clickChannels ?? []
        format.droneChannels = droneChannels ?? []
        return format
    }

    /// The format for a piece, whose voices may name channels. Errors: the user wants fewer channels.
    func format(for timeline: Timeline) throws -> SoundFormat {
        let highest = SoundFormat.highestChannel(of: timeline)
        if let channels, highest > channels {
            throw Failure.exit(
                .usage, localized("--channels \(channels): a voice of the score is on channel \(highest)"))
        }
        return format.carrying(timeline)
    }

    /// Whether the device must support exactly this format, because the user asked for it.
    var isExact: Bool { samples != nil || rate != nil || channels != nil }

    /// Whether anything is chosen.
    var isGiven: Bool { isExact || clickChannels != nil || droneChannels != nil }
}
