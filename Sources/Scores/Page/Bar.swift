extension Score {
    /// A bar: a duration or a meter, and details that only few bars have.
    ///
    /// 40 bytes per bar: the details are in one indirect field, which copies of a bar share.
    public struct Bar: Sendable, Equatable {
        /// The duration as written, exact to the attosecond; zero for a bar with a meter: it depends on the tempo.
        public var duration: Duration
        /// The label; empty if there is none.
        public var label: String
        private var extras: Extras

        /// The details, which only few bars have.
        public var details: Details {
            get { if case .some(let details) = extras { details } else { .none } }
            set { extras = newValue == .none ? .none : .some(newValue) }
        }

        /// Whether the bar has no details; faster than comparing them.
        public var isPlain: Bool { if case .none = extras { true } else { false } }

        /// A word for the player, shown as the bar begins; empty if there is none.
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

    /// The properties that only few bars have, other than duration and label.
    public struct Details: Sendable, Equatable {
        /// The meter; nil for a bar of seconds.
        public var meter: Meter?
        /// Its number on the page; nil if it follows from that of the bar before.
        public var number: BarNumber?
        /// The tempo from here on; nil = no change.
        public var tempo: TempoMark?
        /// The gradual change of tempo that begins here; nil if there is none.
        public var ramp: Ramp?
        /// The changes of tempo inside the bar, in order of their beats; a bar of seconds has none.
        public var tempoChanges: [TempoChange] = []
        /// The beats, the first with the bar's own click; nil for those of the meter, or none in a bar of seconds.
        public var beats: [Beat]?
        /// Into how many parts each beat is divided, `Beat.partRange`; nil for the score's number if the bar has no beats
        /// of its own, otherwise for 1.
        public var subdivision: Int?
        /// The practice grid of this bar; nil for the score's grid in a bar of seconds, and for none in one with a meter,
        /// where it takes the place of the beats.
        public var grid: Grid?
        /// The holds in the bar, in order of their places.
        public var holds: [Hold] = []
        /// The hit points in the bar; the tempo is fitted to them.
        public var hits: [Hit] = []
        /// The speed of this bar, multiplied by the score's speed; nil = as written.
        public var speed: Speed?
        /// Where the music continues after the bar; nil = with the next bar.
        public var jump: Jump?
        /// How the bar's click sounds; nil = as usual.
        public var click: BarClick?
        /// The clicks before the bar that warn of it; nil = as the score says.
        public var warning: Lead?
        /// A word for the player, shown as the bar begins; empty if there is none.
        public var cue = ""
        /// A word that is spoken as the bar begins; empty if there is none.
        public var say = ""
        /// What is announced before the bar if it is an interval of a plan; `say` is the same in fixed words.
        package var announcement: Announcement?
        /// The change of the drone; nil = no change.
        public var drone: DroneChange?
        /// The color in which the screen flashes at this bar; nil = as usual.
        public var flash: Color?
        /// The messages that other machines get as the bar begins.
        public var sends: [StageMessage] = []

        /// Details with nothing set.
        public static let none = Details()

        /// Makes details with nothing set.
        public init() {}
    }
}

/// How the click of one bar sounds.
public struct BarClick: Sendable, Hashable {
    /// The sound; nil for the usual one.
    public var sound: ClickSound?
    /// By how much the bar's clicks, including inner ones, are louder or softer than others, in dB, -60 ... 20.
    /// Values beyond that count as the nearest one, and NaN as 0.
    public var decibels: Double {
        didSet { decibels = BarClick.held(decibels) }
    }
    /// Whether all clicks of the bar, including inner ones, are silent.
    public var isSilent: Bool

    /// The valid changes of level, in dB.
    public static let range = -60.0...20.0

    /// Makes a click.
    public init(_ sound: ClickSound? = nil, decibels: Double = 0, isSilent: Bool = false) {
        (self.sound, self.decibels, self.isSilent) = (sound, BarClick.held(decibels), isSilent)
    }

    private static func held(_ decibels: Double) -> Double {
        decibels.isNaN ? 0 : min(max(decibels, range.lowerBound), range.upperBound)
    }
}
