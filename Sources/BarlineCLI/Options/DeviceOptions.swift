internal import ArgumentParser
internal import Playback

#if canImport(Glibc)
    internal import Glibc
#endif

/// By which clock a live performance goes.
enum ClockChoice: String, ExpressibleByArgument, CaseIterable {
    /// The card's frames are taken at the nominal rate.
    case card
}

/// Where a live performance sounds.
struct DeviceOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The ALSA device (see `barline devices`). Default: default.", valueName: "name"))
    var device: String?

    @Option(help: "The clock that boundaries go by; card counts the card's frames.")
    var clock = ClockChoice.card

    @Flag(help: "Without a sound card, fail instead of counting silently.")
    var requireAudio = false

    @OptionGroup var formatOptions: FormatOptions

    /// Opens the device. Without a sound card, and where nobody insists, there is a silent output and a note.
    func open() throws -> (output: any Output, sound: Status.Sound) {
        let name = device ?? Card.defaultDevice
        do throws(CardError) {
            let request = Card.Request(formatOptions.format, isExact: formatOptions.isExact)
            return (try Card(name, request), .device(name))
        } catch {
            // A card that is there and cannot be used is an error: whoever has one wants to hear it.
            if device != nil || requireAudio || error.isOfCard { throw Failure.exit(.noDevice, error.sentence) }
            let reason = error.isMissing ? "no sound card" : error.description
            Failure.say("\(reason): counting silently (--require-audio makes this an error)")
            return (SilentOutput(), .silent(error.description))
        }
    }
}

extension Card {
    /// The device where nobody names one.
    static let defaultDevice = "default"
}

extension CardError {
    /// Whether there is a card, which cannot be used now or in this way.
    var isOfCard: Bool { [EBUSY, EAGAIN, EACCES, EPERM, EINVAL].contains(errno) }

    /// Whether there is no such device.
    var isMissing: Bool { [ENOENT, ENODEV, ENXIO].contains(errno) }

    /// What is wrong, in words that also suit who named no device.
    var sentence: String { isMissing && device == Card.defaultDevice ? "there is no sound card" : description }
}
