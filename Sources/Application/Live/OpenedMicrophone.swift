package import Playback

extension Microphone {
    /// Opens the microphone that a command listens to, by its ALSA name. Errors end the command.
    package static func opened(_ input: String, rate: Int = 48_000) throws -> Microphone {
        do throws(MicrophoneError) { return try Microphone(input, rate: rate) } catch {
            throw Failure.exit(.noDevice, "\(error)")
        }
    }
}
