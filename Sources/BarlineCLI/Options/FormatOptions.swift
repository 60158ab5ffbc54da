internal import Application
internal import ArgumentParser
internal import Languages
internal import Playback
internal import Timing

/// The values of `--bits`.
enum BitsChoice: String, ExpressibleByArgument, CaseIterable {
    case bits16 = "16"
    case bits24 = "24"
    case float32 = "32f"

    var samples: SampleFormat {
        switch self {
        case .bits16: .bits16
        case .bits24: .bits24
        case .float32: .float32
        }
    }
}

/// Bits, rate and channels of the sound that is played or written.
struct FormatOptions: ParsableArguments {
    @Option(help: .localized("Bits of a sample: 16 (dithered), 24, or 32f. Default: 16."))
    var bits: BitsChoice?

    @Option(
        help: .localized("Frames per second, 8000 to 192000, such as 44100 or 96000. Default: 48000.", valueName: "Hz"))
    var rate: Int?

    @Option(
        help: .localized(
            "1 for mono, 2 for stereo, up to 32. Default: 2; a plan whose channels are alike is mono in MP3, Ogg and Opus.",
            valueName: "n"))
    var channels: Int?

    @Option(
        help: .localized("The channels for clicks and speech: 1, or 1,2. Default: all.", valueName: "list"),
        transform: FormatOptions.channelSet)
    var clickChannels: ChannelSet?

    @Option(
        help: .localized("The channels for the drone: 2, or 3,4. Default: all.", valueName: "list"),
        transform: FormatOptions.channelSet)
    var droneChannels: ChannelSet?

    func validate() throws {
        if let rate, !(8000...192_000).contains(rate) {
            throw ValidationError(localized("--rate must be 8000 to 192000 Hz"))
        }
        if let channels, !(1...32).contains(channels) { throw ValidationError(localized("--channels must be 1 to 32")) }
        let count = channels ?? 2
        for (set, name) in [(clickChannels, "--click-channels"), (droneChannels, "--drone-channels")] {
            if let set, count < 32, set.rawValue >> UInt32(count) != 0 {
                throw ValidationError(
                    localized("\(name) names a channel above \(count): use --channels for more channels"))
            }
        }
    }

    private static func channelSet(_ text: String) throws -> ChannelSet {
        let words = text.split(separator: ",", omittingEmptySubsequences: false)
        let numbers = words.compactMap { Int($0.filter { $0 != " " }) }
        guard numbers.count == words.count, numbers.allSatisfy({ (1...32).contains($0) }) else {
            throw ValidationError(localized("channels must be numbers from 1 to 32, such as 1 or 1,2"))
        }
        return ChannelSet(numbers)
    }

    /// The same for the application.
    var request: FormatRequest {
        var request = FormatRequest()
        (request.samples, request.rate, request.channels) = (bits?.samples, rate, channels)
        (request.clickChannels, request.droneChannels) = (clickChannels, droneChannels)
        return request
    }
}
