package import Scores

/// All that the synthesizer has to know of a drone; without notes it falls silent.
package struct DroneSound: Sendable, Equatable {
    /// What sounds.
    package var notes: [Note]
    /// What they sound like.
    package var voice: Score.Voice
    /// Whether other pitches come by a crossfade instead of at once.
    package var crossfades: Bool

    /// One note.
    package struct Note: Sendable, Equatable {
        /// The frequency in frames of the nominal rate, Hz.
        package var hertz: Double
        /// The peak, 0 ... 1.
        package var amplitude: Double
        /// -1 ... 1.
        package var pan: Double

        /// Makes a note, in the middle where nothing is said.
        package init(hertz: Double, amplitude: Double, pan: Double = 0) {
            self.hertz = hertz
            self.amplitude = amplitude
            self.pan = pan
        }
    }

    /// The sound of a drone in a tuning; silent ones have no notes. `deviation` is how much too fast the card is.
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

    /// The loudest note's peak; 0 for silence.
    package var amplitude: Double { notes.map(\.amplitude).max() ?? 0 }
}
