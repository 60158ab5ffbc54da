internal import Playback
package import UserSettings

/// What is done with the sound of a microphone while music plays.
package struct RecordRequest: OptionRequest {
    package var options = OptionValues()
    /// The path of the recording.
    package var record: String?
    /// Whether it is shown how early or late each bar begins, and how far each note is out of tune.
    package var listen = false

    package init() {}

    /// The microphone that is meant.
    var device: String { get throws { try LoadedSettings.get(options)[Setting.input] } }
}

extension Microphone {
    /// Opens the microphone that a command listens to, by its ALSA name. Errors end the command.
    static func opened(_ input: String, rate: Int = 48_000) throws -> Microphone {
        try Failure.exitOnError(.noDevice) { try Microphone(input, rate: rate) }
    }
}
