internal import Application
internal import ArgumentParser
internal import Languages
internal import Playback
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

    /// The same for the application.
    var request: DeviceRequest {
        var request = DeviceRequest()
        request[Setting.device] = device
        (request.requireAudio, request.policy) = (requireAudio, outputPolicy)
        request.format = formatOptions.request
        return request
    }
}
