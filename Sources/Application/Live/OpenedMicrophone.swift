package import Playback

extension Microphone {
    /// Opens the microphone that a command listens to, by its ALSA name. Errors end the command.
    package static func opened(_ input: String, rate: Int = 48_000) throws -> Microphone {
        try Failure.exitOnError(.noDevice) { try Microphone(input, rate: rate) }
    }
}
