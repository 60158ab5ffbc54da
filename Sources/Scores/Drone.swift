extension Score {
    /// The sustained sound under the piece: a note, or several. What its voice has, it has: `drone.brightness`.
    @dynamicMemberLookup
    public struct Drone: Sendable, Equatable {
        /// The notes, 1 ... `noteLimit`.
        public var notes: [Note]
        /// The peak level of a note.
        public var level: Level
        /// What it sounds like, whatever its notes.
        public var voice: Voice
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

        /// Makes a drone; B4, soft, a sine where nothing is said.
        public init(pitch: Pitch = .b4, level: Level = standardLevel, waveform: Waveform = .sine) {
            self.init(notes: [Note(pitch)], level: level, waveform: waveform)
        }

        /// Makes a drone of several notes.
        public init(notes: [Note], level: Level = standardLevel, waveform: Waveform = .sine) {
            self.notes = Array(notes.prefix(Drone.noteLimit))
            self.level = level
            voice = Voice(waveform)
            fade = Drone.standardFade
        }

        /// The pitch of the first note; to set it leaves one note.
        public var pitch: Pitch {
            get { notes.first?.pitch ?? .b4 }
            set { notes = [Note(newValue)] }
        }

        /// A part of the voice.
        public subscript<Value>(dynamicMember path: WritableKeyPath<Voice, Value>) -> Value {
            get { voice[keyPath: path] }
            set { voice[keyPath: path] = newValue }
        }
    }
}
