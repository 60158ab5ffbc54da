internal import Playback
internal import UserSettings

/// What is done with the sound of a microphone while music plays.
package struct RecordRequest: Sendable {
    /// The path of the recording.
    package var record: String?
    /// Whether it is shown how early or late each bar begins, and how far each note is out of tune.
    package var listen = false
    /// The microphone; nil for that of the settings.
    package var input: String?

    package init() {}

    /// The microphone that is meant.
    var device: String { get throws { try input ?? LoadedSettings.get()[Setting.input] } }
}

extension Microphone {
    /// Opens the microphone that a command listens to, by its ALSA name. Errors end the command.
    static func opened(_ input: String, rate: Int = 48_000) throws -> Microphone {
        try Failure.exitOnError(.noDevice) { try Microphone(input, rate: rate) }
    }
}
