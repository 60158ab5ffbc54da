package import Scores

/// Everything that the synthesizer needs to know about a drone; without notes it fades to silence.
package struct DroneSound: Sendable, Equatable {
    package var notes: [Note]
    /// Their timbre.
    package var timbre: Score.Timbre
    /// Whether other pitches are crossfaded in; otherwise they change at once.
    package var crossfades: Bool

    package struct Note: Sendable, Equatable {
        /// The frequency in Hz if the card ran at its nominal rate.
        package var hertz: Double
        /// The peak amplitude, 0 ... 1.
        package var amplitude: Double
        /// The position in the stereo field, -1 (left) ... 1 (right).
        package var pan: Double

        package init(hertz: Double, amplitude: Double, pan: Double = 0) {
            (self.hertz, self.amplitude, self.pan) = (hertz, amplitude, pan)
        }
    }

    /// Makes the sound of a drone; a silent one has amplitude 0. `deviation` is that of the card, positive if fast.
    package init(
        _ drone: Score.Drone, tuning: Tuning, a4: Double, deviation: Double = 0, isSounding: Bool = true,
        crossfades: Bool = false
    ) {
        notes = drone.notes.map {
            Note(
                hertz: tuning.frequency(of: $0.pitch, a4: a4) / (1 + deviation),
                amplitude: isSounding ? drone.level.amplitude * $0.level.amplitude : 0, pan: $0.pan)
        }
        timbre = drone.timbre
        self.crossfades = crossfades
    }
}
