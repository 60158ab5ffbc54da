package import Scores

/// Everything that the synthesizer needs to know about a drone; without notes it fades to silence.
package struct DroneSound: Sendable, Equatable {
    /// The notes that sound.
    package var notes: [Note]
    /// Their timbre.
    package var voice: Score.Voice
    /// Whether other pitches are crossfaded in; otherwise they change at once.
    package var crossfades: Bool

    /// One note.
    package struct Note: Sendable, Equatable {
        /// The frequency in Hz if the card ran at its nominal rate.
        package var hertz: Double
        /// The peak amplitude, 0 ... 1.
        package var amplitude: Double
        /// The position in the stereo field, -1 (left) ... 1 (right).
        package var pan: Double

        /// Makes a note, in the middle by default.
        package init(hertz: Double, amplitude: Double, pan: Double = 0) {
            self.hertz = hertz
            self.amplitude = amplitude
            self.pan = pan
        }
    }

    /// Makes the sound of a drone in a tuning; the notes of a silent drone have amplitude 0. `deviation` is the
    /// deviation of the card's rate, positive if it is fast.
    package init(
        _ drone: Score.Drone, tuning: Tuning, a4: Double, deviation: Double = 0, isSounding: Bool = true,
        crossfades: Bool = false
    ) {
        notes = drone.notes.map {
            Note(
                hertz: tuning.frequency(of: $0.pitch, a4: a4) / (1 + deviation),
                amplitude: isSounding ? drone.level.amplitude * $0.level.amplitude : 0, pan: $0.pan)
        }
        voice = drone.voice
        self.crossfades = crossfades
    }
}
