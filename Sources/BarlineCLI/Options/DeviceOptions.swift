internal import ArgumentParser
internal import Glibc
internal import Languages
internal import Playback
internal import Timing
internal import UserSettings

/// Options for the sound device of a live performance.
struct DeviceOptions: ParsableArguments {
    @Option(
        help: .localized("The ALSA device (see `barline devices`). Default: default.", valueName: "name"),
        completion: .device)
    var device: String?

    @Flag(help: .localized("Without a sound card, fail instead of counting silently."))
    var requireAudio = false

    @Option(
        help: .localized(
            "How to fill the device's buffer: rewind (far ahead, rewound for commands), small, or auto.",
            valueName: "policy"), completion: .values(Card.Policy.self),
        transform: { try OptionText.word($0, "--output-policy") })
    var outputPolicy = Card.Policy.auto

    @OptionGroup var formatOptions: FormatOptions

    /// Opens the device for a piece; if there is none and none was asked for, a silent output, with a note.
    func open(
        for timeline: Timeline, with timecode: TimecodeOptions? = nil
    ) throws -> (output: any Output, sound: Status.Sound) {
        let settings = try LoadedSettings.get()
        let wanted = device ?? settings.given(Setting.device)
        let name = wanted ?? Card.defaultDevice
        var format = try formatOptions.format(for: timeline)
        if let timecode { format = try timecode.carried(by: format, channels: formatOptions.channels, isLive: true) }
        do throws(CardError) {
            let card = try Card(name, format, isExact: formatOptions.isExact, policy: outputPolicy)
            if SoundFormat.highestChannel(of: timeline) > card.channels {
                Failure.say(
                    localized(
                        "note: '\(name)' has only \(card.channels) channels; voices on higher ones are heard on all of them"
                    ))
            }
            return (card, .device(name))
        } catch {
            // A card that exists but cannot be used is an error: its owner wants to hear it.
            if wanted != nil || requireAudio || error.isOfCard { throw failure(error, settings) }
            let reason = error.isMissing ? localized("no sound card") : error.description
            Failure.say(localized("\(reason): counting silently (--require-audio makes this an error)"))
            return (SilentOutput(), .silent(error.description))
        }
    }

    /// The error about a device, with the setting that named it unless that was an option.
    private func failure(_ error: CardError, _ settings: Settings) -> ExitCode {
        let origin = settings.found(Setting.device.setting).origin
        let place = device == nil && origin != .standard ? localized("; this device is set by \(origin)") : ""
        return Failure.exit(.noDevice, error.sentence + place)
    }
}

extension Card {
    /// The device if none is named.
    static let defaultDevice = "default"
}

extension CardError {
    /// Whether the card exists, but cannot be used now or in this way.
    var isOfCard: Bool { [EBUSY, EAGAIN, EACCES, EPERM, EINVAL].contains(errno) }

    /// Whether the device does not exist.
    var isMissing: Bool { [ENOENT, ENODEV, ENXIO].contains(errno) }

    /// The error message; it does not name the default device if that is missing, because the user did not name it.
    var sentence: String {
        isMissing && device == Card.defaultDevice ? localized("there is no sound card") : description
    }
}
