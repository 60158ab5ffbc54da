internal import Glibc
internal import Languages
internal import Playback
package import Scores
internal import Timing
package import UserSettings

/// A drone alone, until stopped.
package struct DroneRequest: OptionRequest {
    package var options = OptionValues()
    /// The notes; nil for those of the settings.
    package var notes: [Score.Drone.Note]?
    package var level: Level?
    /// The note to which it glides and back; nil for a steady drone.
    package var sweepTo: Pitch?
    /// How long the glide takes one way.
    package var sweepTime: Duration?
    package var sound = PropertyChanges<Score.Drone>()
    package var tuning = TuningRequest()
    /// Whether a user at a terminal has keys.
    package var atTerminal = false

    package init() {}

    /// Silent bars: one for a steady drone; for a sweep, many short ones, each a small step higher or lower.
    private func bars(_ note: Score.Drone.Note, _ tuning: Tuning, a4: Double) -> [Score.Bar] {
        guard let sweepTo else { return [Score.Bar(.seconds(3600))] }
        let (low, high) = (tuning.frequency(of: note.pitch, a4: a4), tuning.frequency(of: sweepTo, a4: a4))
        let step = Duration.milliseconds(20)
        let count = Int((sweepTime ?? .seconds(10)) / step)
        return (0..<(2 * count)).map { n in
            let way = Double(n < count ? n : 2 * count - n) / Double(count)
            var bar = Score.Bar(step)
            bar.details.drone = DroneChange(pitch: .frequency(low * exp2(log2(high / low) * way)))
            return bar
        }
    }

    /// The notes of the drone in the user's settings; B4 if there are none, or too many for a sweep.
    private func wantedNotes(_ settings: Settings) -> [Score.Drone.Note] {
        guard case .notes(let notes) = settings[Setting.drone], sweepTo == nil || notes.count == 1 else {
            return [Score.Drone.Note(.b4)]
        }
        return notes
    }

    /// Plays the drone until the end. Errors: `ProgramEnd`, whose reason has been told.
    package func play() async throws {
        let settings = try LoadedSettings.get(options)
        let notes = notes ?? wantedNotes(settings)
        var performance = try DroneAlone.performance(
            Score.Drone(notes: notes), sound, tuning, settings
        ) { tuning, a4 in bars(notes[0], tuning, a4: a4) }
        if let level { performance.drone?.level = level }
        if let sweepTo,
            !Pitch.frequencyRange.contains(performance.tuning.frequency(of: sweepTo, a4: performance.a4))
        {
            throw Failure.exit(.usage, localized("--sweep-to is outside the range of a drone (16 to 8000 Hz)"))
        }
        let device = settings[Setting.device]
        let card = try Card.opened(device)
        _ = try await LivePlay.run(
            performance, output: card, sound: .device(device), as: .drone, atTerminal: atTerminal)
    }
}
