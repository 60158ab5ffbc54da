/// A piece of music or a plan, timed in seconds: lines of bars, the drone under them, and how it is meant to be played.
///
/// A score is a pure value. It knows durations, not frames or devices: `Timing` turns it into boundaries.
public struct Score: Sendable, Equatable {
    /// The title, or nil if the score has none.
    public var title: String?
    /// Who wrote it, or nil.
    public var composer: String?
    /// The tuning of A4 in Hz, 380 ... 480.
    public var a4: Double
    /// The drone, or nil where the piece has none.
    public var drone: Drone?
    /// How long clicks count before the first bar; zero for none. Real seconds: speed does not change them.
    public var countIn: Duration
    /// The speed as written in the score; 100 % where it says nothing.
    public var speed: Speed
    /// The lines in order, at least one, each with at least one bar.
    public var lines: [Line]

    /// The A4 that a score has where it says nothing, in Hz.
    public static let standardA4 = 440.0
    /// The values of A4 that can be asked for, in Hz.
    public static let a4Range = 380.0...480.0

    /// Makes a score of lines; everything else has the defaults of a score file.
    public init(
        title: String? = nil, composer: String? = nil, a4: Double = standardA4, drone: Drone? = nil,
        countIn: Duration = .zero, speed: Speed = .asWritten, lines: [Line]
    ) {
        self.title = title
        self.composer = composer
        self.a4 = a4
        self.drone = drone
        self.countIn = countIn
        self.speed = speed
        self.lines = lines
    }
}

extension Score {
    /// A line (system) of the score: bars that are read from left to right, played `passes` times.
    public struct Line: Sendable, Equatable {
        /// The label or rehearsal letter; empty for none.
        public var label: String
        /// How many times the line is played, 1 or more. Each pass counts as a line of its own.
        public var passes: Int
        /// The bars, at least one.
        public var bars: [Bar]

        /// Makes a line.
        public init(label: String = "", passes: Int = 1, bars: [Bar]) {
            self.label = label
            self.passes = passes
            self.bars = bars
        }
    }

    /// A bar: a duration, and what few bars have beside it.
    ///
    /// 40 bytes a bar: what only some bars carry stands in one indirect field.
    public struct Bar: Sendable, Equatable {
        /// The duration as written, exact to the attosecond; more than zero.
        public var duration: Duration
        /// The label; empty for none.
        public var label: String
        private var extras: Extras

        /// A word for the player, shown as the bar begins; empty for none.
        public var cue: String {
            get { if case .some(let cue) = extras { cue } else { "" } }
            set { extras = newValue.isEmpty ? .none : .some(cue: newValue) }
        }

        /// Makes a bar.
        public init(_ duration: Duration, label: String = "", cue: String = "") {
            self.duration = duration
            self.label = label
            self.extras = cue.isEmpty ? .none : .some(cue: cue)
        }

        private indirect enum Extras: Sendable, Equatable {
            case none
            case some(cue: String)
        }
    }

    /// The sustained note under the piece.
    public struct Drone: Sendable, Equatable {
        /// The pitch.
        public var pitch: Pitch
        /// The peak level.
        public var level: Level
        /// The waveform.
        public var waveform: Waveform

        /// The level of a drone where the score says nothing: soft, as under a solo instrument.
        public static let standardLevel = Level(decibels: -24)

        /// Makes a drone; B4, soft, a sine where nothing is said.
        public init(pitch: Pitch = .b4, level: Level = standardLevel, waveform: Waveform = .sine) {
            self.pitch = pitch
            self.level = level
            self.waveform = waveform
        }
    }

    /// The shape of the drone's oscillation.
    public enum Waveform: String, Sendable, CaseIterable {
        /// A pure tone.
        case sine
        /// Odd harmonics falling with the square of their number, none above half the frame rate.
        case triangle
    }
}
