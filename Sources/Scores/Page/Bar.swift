extension Score {
    /// A bar: a duration or a meter, and what few bars have beside it.
    ///
    /// 40 bytes a bar: what only some bars carry stands in one indirect field, which copies of a bar share.
    public struct Bar: Sendable, Equatable {
        /// The duration as written, exact to the attosecond; zero for a bar with a meter, whose tempo tells it.
        public var duration: Duration
        /// The label; empty for none.
        public var label: String
        private var extras: Extras

        /// What few bars have.
        public var details: Details {
            get { if case .some(let details) = extras { details } else { .none } }
            set { extras = newValue == .none ? .none : .some(newValue) }
        }

        /// Whether the bar has details: a quick look.
        public var isPlain: Bool { if case .none = extras { true } else { false } }

        /// A word for the player, shown as the bar begins; empty for none.
        public var cue: String {
            get { if case .some(let details) = extras { details.cue } else { "" } }
            set { if newValue != cue { details.cue = newValue } }
        }

        /// The meter; nil for a bar of seconds.
        public var meter: Meter? { if case .some(let details) = extras { details.meter } else { nil } }

        /// Makes a bar of seconds.
        public init(_ duration: Duration, label: String = "", cue: String = "") {
            self.duration = duration
            self.label = label
            extras = .none
            self.cue = cue
        }

        /// Makes a bar with a meter.
        public init(_ meter: Meter, label: String = "", cue: String = "") {
            duration = .zero
            self.label = label
            var details = Details.none
            details.meter = meter
            details.cue = cue
            extras = .some(details)
        }

        private indirect enum Extras: Sendable, Equatable {
            case none
            case some(Details)
        }
    }

    /// What few bars have beside a duration and a label.
    public struct Details: Sendable, Equatable {
        /// The meter; nil for a bar of seconds.
        public var meter: Meter?
        /// The tempo from here on; nil for no change.
        public var tempo: TempoMark?
        /// The gradual change of tempo that begins here.
        public var ramp: Ramp?
        /// The beats inside the bar; nil for those of the meter, or none in a bar of seconds. The first is the bar's own.
        public var beats: [Beat]?
        /// The practice grid of this bar; nil for the score's.
        public var grid: Grid?
        /// The holds in the bar, in order of their places.
        public var holds: [Hold]
        /// How fast this bar goes beside the score's speed; nil for as written.
        public var speed: Speed?
        /// Where the music goes after the bar; nil for to the next.
        public var jump: Jump?
        /// How the bar's click sounds; nil for as usual.
        public var click: BarClick?
        /// A word for the player, shown as the bar begins; empty for none.
        public var cue: String
        /// A word that is spoken to the player as the bar begins; empty for none.
        public var say: String
        /// What becomes of the drone; nil for no change.
        public var drone: DroneChange?
        /// The color in which the screen flashes at this bar; nil for as usual.
        public var flash: Color?

        /// Nothing.
        public static let none = Details()

        /// No details; set what there is.
        public init() {
            holds = []
            cue = ""
            say = ""
        }
    }
}

/// How the click of one bar sounds.
public struct BarClick: Sendable, Hashable {
    /// The sound; nil for the usual one.
    public var sound: ClickSound?
    /// How much louder or softer than other clicks, in dB, -60 ... 20; the bar's inner clicks too.
    public var decibels: Double
    /// Whether the bar, its inner clicks too, is not heard.
    public var isSilent: Bool

    /// The changes of level that can be asked for, in dB.
    public static let range = -60.0...20.0

    /// Makes a click.
    public init(_ sound: ClickSound? = nil, decibels: Double = 0, isSilent: Bool = false) {
        self.sound = sound
        self.decibels = decibels
        self.isSilent = isSilent
    }
}

/// What becomes of the drone at a bar. What is not said stays as it is on the page; any change but `off` lets it sound.
public struct DroneChange: Sendable, Hashable {
    /// Other notes, 1 ... `Score.Drone.noteLimit`; nil for the same.
    public var notes: [Score.Drone.Note]?
    /// Another level; nil for the same.
    public var level: Level?
    /// How long this change and those behind it take; nil for as before.
    public var fade: Duration?
    /// Whether the drone falls silent.
    public var isOff: Bool

    /// Makes a change.
    public init(
        notes: [Score.Drone.Note]? = nil, level: Level? = nil, fade: Duration? = nil, isOff: Bool = false
    ) {
        self.notes = notes.map { Array($0.prefix(Score.Drone.noteLimit)) }
        self.level = level
        self.fade = fade
        self.isOff = isOff
    }

    /// Makes a change to one note.
    public init(pitch: Pitch) { self.init(notes: [Score.Drone.Note(pitch)]) }

    /// This change with one that comes behind it.
    public func then(_ next: DroneChange) -> DroneChange {
        DroneChange(
            notes: next.notes ?? notes, level: next.level ?? level, fade: next.fade ?? fade, isOff: next.isOff)
    }
}

/// A color of light.
public struct Color: Sendable, Hashable {
    /// Red, 0 ... 255.
    public var red: UInt8
    /// Green, 0 ... 255.
    public var green: UInt8
    /// Blue, 0 ... 255.
    public var blue: UInt8

    /// Makes a color.
    public init(red: UInt8, green: UInt8, blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }
}
