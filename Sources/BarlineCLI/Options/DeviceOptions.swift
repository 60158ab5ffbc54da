internal import ArgumentParser
internal import Playback

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

    /// Opens the device. Without one, and where nobody insists, there is a silent output and a note.
    func open() throws -> (output: any Output, sound: Status.Sound) {
        let name = device ?? "default"
        do throws(CardError) {
            let request = Card.Request(formatOptions.format, isExact: formatOptions.isExact)
            return (try Card(name, request), .device(name))
        } catch {
            if device != nil || requireAudio { throw Failure.exit(.noDevice, error) }
            Failure.say("no sound: \(error). Counting silently; --require-audio makes this an error.")
            return (SilentOutput(), .silent(error.description))
        }
    }
}
