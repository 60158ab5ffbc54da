internal import ArgumentParser
internal import Glibc
internal import Playback
internal import UserSettings

extension Card.Policy {
    /// How `--output-policy` names them.
    static let names = allCases.map(\.rawValue).joined(separator: ", ")
}

/// Where a live performance sounds.
struct DeviceOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The ALSA device (see `barline devices`). Default: default.", valueName: "name"))
    var device: String?

    @Flag(help: "Without a sound card, fail instead of counting silently.")
    var requireAudio = false

    @Option(
        help: ArgumentHelp(
            "How the device's buffer is used: rewind (far ahead, taken back at a command), small, or auto.",
            valueName: "policy"),
        transform: DeviceOptions.policy)
    var outputPolicy = Card.Policy.auto

    @OptionGroup var formatOptions: FormatOptions

    private static func policy(_ text: String) throws -> Card.Policy {
        guard let policy = Card.Policy(rawValue: text) else {
            throw ValidationError("--output-policy is one of \(Card.Policy.names)")
        }
        return policy
    }

    /// Opens the device. Without a sound card, and where nobody insists, there is a silent output and a note.
    func open() throws -> (output: any Output, sound: Status.Sound) {
        let settings = try LoadedSettings.get()
        let wanted = device ?? settings.given(Setting.device)
        let name = wanted ?? Card.defaultDevice
        do throws(CardError) {
            let request = Card.Request(
                formatOptions.format, isExact: formatOptions.isExact, policy: outputPolicy)
            return (try Card(name, request), .device(name))
        } catch {
            // A card that is there and cannot be used is an error: whoever has one wants to hear it.
            if wanted != nil || requireAudio || error.isOfCard { throw failure(error, settings) }
            let reason = error.isMissing ? "no sound card" : error.description
            Failure.say("\(reason): counting silently (--require-audio makes this an error)")
            return (SilentOutput(), .silent(error.description))
        }
    }

    /// What is wrong with a device, and who asked for it where that was no option.
    private func failure(_ error: CardError, _ settings: Settings) -> ExitCode {
        let origin = settings.found(Setting.device.setting).origin
        let place = device == nil && origin != .standard ? "; it is the device of \(origin)" : ""
        return Failure.exit(.noDevice, error.sentence + place)
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
