internal import ArgumentParser
internal import Playback

/// The choices of `--bits`.
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

/// Bits, rate and channels of what is played or written.
struct FormatOptions: ParsableArguments {
    @Option(help: "Bits of a sample: 16 (dithered), 24, or 32f. Default: 16.")
    var bits: BitsChoice?

    @Option(help: ArgumentHelp("Frames per second, such as 44100, 48000 or 96000. Default: 48000.", valueName: "Hz"))
    var rate: Int?

    @Option(help: ArgumentHelp("1 for mono, 2 for stereo. Default: 2.", valueName: "n"))
    var channels: Int?

    func validate() throws {
        if let rate, !(8000...192_000).contains(rate) { throw ValidationError("--rate is 8000 to 192000 Hz") }
        if let channels, !(1...2).contains(channels) { throw ValidationError("--channels is 1 or 2") }
    }

    /// The format, with defaults for what was not given.
    var format: SoundFormat {
        SoundFormat(rate: rate ?? 48000, channels: channels ?? 2, samples: bits?.samples ?? .bits16)
    }

    /// Whether a device has to do just this: someone asked for it.
    var isExact: Bool { bits != nil || rate != nil || channels != nil }
}
