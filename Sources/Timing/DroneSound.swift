internal import Glibc
public import Scores

/// All that the synthesizer has to know of a drone; without notes it falls silent.
public struct DroneSound: Sendable, Equatable {
    /// What sounds.
    public var notes: [Note]
    /// The voice.
    public var waveform: Score.Waveform
    /// -1 ... 1.
    public var brightness: Double
    /// How far the level wanders down, 0 ... 1 of it.
    public var variation: Double
    /// Beats in Hz; 0 for none.
    public var beating: Double
    /// Which variations.
    public var seed: UInt32
    /// Whether other pitches come by a crossfade instead of at once.
    public var crossfades: Bool

    /// One note.
    public struct Note: Sendable, Equatable {
        /// The frequency in frames of the nominal rate, Hz.
        public var hertz: Double
        /// The peak, 0 ... 1.
        public var amplitude: Double
        /// -1 ... 1.
        public var pan: Double

        /// Makes a note, in the middle where nothing is said.
        public init(hertz: Double, amplitude: Double, pan: Double = 0) {
            self.hertz = hertz
            self.amplitude = amplitude
            self.pan = pan
        }
    }

    /// The sound of a drone in a tuning; silent ones have no notes. `deviation` is how much too fast the card is.
    public init(
        _ drone: Score.Drone, tuning: Tuning, a4: Double, deviation: Double = 0, isSounding: Bool = true,
        crossfades: Bool = false
    ) {
        notes = drone.notes.map {
            Note(
                hertz: tuning.frequency(of: $0.pitch, a4: a4) / (1 + deviation),
                amplitude: isSounding ? drone.level.amplitude * $0.level.amplitude : 0, pan: $0.pan)
        }
        waveform = drone.waveform
        brightness = drone.brightness
        variation = 1 - pow(10, -drone.variation / 20)
        beating = drone.beating
        seed = drone.seed
        self.crossfades = crossfades
    }

    /// The loudest note's peak; 0 for silence.
    public var amplitude: Double { notes.map(\.amplitude).max() ?? 0 }
}
