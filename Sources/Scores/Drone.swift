extension Score {
    /// The sustained sound under the piece: its notes, and the properties of its timbre, such as `drone.brightness`.
    @dynamicMemberLookup
    public struct Drone: Sendable, Equatable {
        /// The notes, 1 ... `noteLimit`.
        public var notes: [Note]
        /// The peak level of a note.
        public var level: Level
        /// The timbre, which is the same for all notes.
        public var timbre: Timbre
        /// How long the drone takes to fade in and out, and to change from one chord to another.
        public var fade = Drone.standardFade

        /// One note of a drone.
        public struct Note: Sendable, Hashable {
            /// The pitch.
            public var pitch: Pitch
            /// How much softer the note is than the drone's level, in dB, 0 or less.
            public var level: Level
            /// The position between left (-1) and right (1).
            public var pan: Double

            /// Makes a note, centered by default.
            public init(_ pitch: Pitch, level: Level = Level(decibels: 0), pan: Double = 0) {
                (self.pitch, self.level, self.pan) = (pitch, level, pan)
            }
        }

        /// The default level of a drone: soft, as under a solo instrument.
        public static let standardLevel = Level(decibels: -24)
        /// The default time in which a drone fades in and out.
        public static let standardFade = Duration.milliseconds(50)
        /// The maximum number of notes at once.
        public static let noteLimit = 8

        /// Makes a drone of one note; by default a soft sine on B4.
        public init(pitch: Pitch = .b4, level: Level = standardLevel, waveform: Waveform = .sine) {
            self.init(notes: [Note(pitch)], level: level, waveform: waveform)
        }

        /// Makes a drone of several notes.
        public init(notes: [Note], level: Level = standardLevel, waveform: Waveform = .sine) {
            self.notes = Array(notes.prefix(Drone.noteLimit))
            self.level = level
            timbre = Timbre(waveform)
        }

        /// The pitch of the first note; setting it replaces all notes by one.
        public var pitch: Pitch {
            get { notes.first?.pitch ?? .b4 }
            set { notes = [Note(newValue)] }
        }

        /// A property of the timbre.
        public subscript<Value>(dynamicMember path: WritableKeyPath<Timbre, Value>) -> Value {
            get { timbre[keyPath: path] }
            set { timbre[keyPath: path] = newValue }
        }
    }
}

/// A change of the drone at a bar; what is nil stays as before on the page. Any change but `off` makes the drone sound.
public struct DroneChange: Sendable, Hashable {
    /// The new notes, 1 ... `Score.Drone.noteLimit`; nil = no change.
    public var notes: [Score.Drone.Note]?
    /// The new level; nil = no change.
    public var level: Level?
    /// How long this change and later ones take; nil = no change.
    public var fade: Duration?
    /// Whether the drone falls silent.
    public var isOff: Bool

    /// Makes a change.
    public init(notes: [Score.Drone.Note]? = nil, level: Level? = nil, fade: Duration? = nil, isOff: Bool = false) {
        self.notes = notes.map { Array($0.prefix(Score.Drone.noteLimit)) }
        self.level = level
        self.fade = fade
        self.isOff = isOff
    }

    /// Makes a change to a single note.
    public init(pitch: Pitch) { self.init(notes: [Score.Drone.Note(pitch)]) }

    /// This change combined with a later one, which takes precedence. A level of `off` turns the drone off, and the change
    /// that brings it back finds the level that it had.
    public func then(_ next: DroneChange) -> DroneChange {
        let silences = next.level?.isSilent ?? false
        return DroneChange(
            notes: next.notes ?? notes, level: silences ? level : next.level ?? level, fade: next.fade ?? fade,
            isOff: next.isOff || silences)
    }

    /// A drone after this change; nil if it is off.
    package func applied(to drone: Score.Drone) -> Score.Drone? {
        guard !isOff else { return nil }
        var drone = drone
        drone.notes = notes ?? drone.notes
        drone.level = level ?? drone.level
        drone.fade = fade ?? drone.fade
        return drone
    }
}
