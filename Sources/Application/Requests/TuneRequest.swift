internal import Playback
package import Scores
internal import Screens
internal import Timing
package import UserSettings

/// A tuner, perhaps over a drone, until stopped.
package struct TuneRequest: OptionRequest {
    package var options = OptionValues()
    /// The notes of the drone; nil for none.
    package var notes: [Score.Drone.Note]?
    /// Where lines are written, a note is told at most every so often.
    package var every: Duration?
    package var sound = PropertyChanges<Score.Drone>()
    package var tuning = TuningRequest()
    /// Whether a user at a terminal has a picture and keys.
    package var atTerminal = false

    package init() {}

    /// Shows it until the end. Errors: `ProgramEnd`, whose reason has been told.
    package func play() async throws {
        let settings = try LoadedSettings.get(self.options)
        let drone = notes.map { Score.Drone(notes: $0) }
        let performance = try DroneAlone.performance(drone, sound, tuning, settings)
        let hearing = LiveHearing()
        var options = Conductor.Options()
        hearing.listen(to: &options)
        let pitch = try LivePitch(settings[Setting.input], hearing)
        let device = settings[Setting.device]
        let output: any Output = drone == nil ? SilentOutput() : try Card.opened(device)
        let listening = Task { await pitch.run() }
        let every = Int64((every ?? .seconds(2)) / .nanoseconds(1))
        _ = try await LivePlay.run(
            performance, output: output, sound: .device(device), as: .tuning(every: every) { hearing.tuner },
            options: options, atTerminal: atTerminal)
        pitch.end()
        await listening.value
    }
}
