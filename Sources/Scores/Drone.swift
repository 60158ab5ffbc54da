extension Score {
    /// The sustained sound under the piece: a note, or several.
    public struct Drone: Sendable, Equatable {
        /// The notes, 1 ... `noteLimit`.
        public var notes: [Note]
        /// The peak level of a note.
        public var level: Level
        /// The voice.
        public var waveform: Waveform
        /// -1 ... 1: 6 dB an octave duller ... brighter than the voice is.
        public var brightness: Double
        /// How far the level wanders down, slowly, in dB, 0 ... 24.
        public var variation: Double
        /// Beats in Hz against a softer second sound, 0 ... 20; 0 for none.
        public var beating: Double
        /// The same seed gives the same variations.
        public var seed: UInt32
        /// How long it takes to come and to go, and from one chord to another.
        public var fade: Duration

        /// One note of a drone.
        public struct Note: Sendable, Hashable {
            /// The pitch.
            public var pitch: Pitch
            /// How much softer than the drone's level, in dB, 0 or less.
            public var level: Level
            /// -1 left ... 1 right.
            public var pan: Double

            /// Makes a note, in the middle where nothing is said.
            public init(_ pitch: Pitch, level: Level = Level(decibels: 0), pan: Double = 0) {
                self.pitch = pitch
                self.level = level
                self.pan = pan
            }
        }

        /// The level of a drone where the score says nothing: soft, as under a solo instrument.
        public static let standardLevel = Level(decibels: -24)
        /// How long a drone takes to come and to go where nobody says.
        public static let standardFade = Duration.milliseconds(50)
        /// The most notes at once.
        public static let noteLimit = 8
        /// The beats that can be asked for, in Hz.
        public static let beatingRange = 0.0...20.0
        /// The variations that can be asked for, in dB.
        public static let variationRange = 0.0...24.0

        /// Makes a drone; B4, soft, a sine where nothing is said.
        public init(pitch: Pitch = .b4, level: Level = standardLevel, waveform: Waveform = .sine) {
            self.init(notes: [Note(pitch)], level: level, waveform: waveform)
        }

        /// Makes a drone of several notes.
        public init(notes: [Note], level: Level = standardLevel, waveform: Waveform = .sine) {
            self.notes = Array(notes.prefix(Drone.noteLimit))
            self.level = level
            self.waveform = waveform
            brightness = 0
            variation = 0
            beating = 0
            seed = 0
            fade = Drone.standardFade
        }

        /// The pitch of the first note; to set it leaves one note.
        public var pitch: Pitch {
            get { notes.first?.pitch ?? .b4 }
            set { notes = [Note(newValue)] }
        }
    }

    /// The voice of the drone. All but the sine are sums of harmonics below half the frame rate and 24 kHz.
    public enum Waveform: String, Sendable, CaseIterable {
        /// A pure tone.
        case sine
        /// Odd harmonics falling with the square of their number.
        case triangle
        /// All harmonics, falling with their number.
        case sawtooth
        /// Odd harmonics, falling with their number.
        case square
        /// A harmonium, simply modeled.
        case reedOrgan = "reed-organ"
        /// An oboe that never breathes, simply modeled.
        case oboe
        /// A bowed section, simply modeled; its beats are two, and irregular.
        case strings
        /// A shruti box, simply modeled.
        case shruti
    }
}
