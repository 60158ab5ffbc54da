public import Scores

/// Everything that decides what is played: a passage through a score and how it is to sound. A pure value.
public struct Performance: Sendable {
    /// The title to show; empty for none.
    public var title: String
    /// Who wrote it; empty where nobody says.
    public var composer: String
    /// The boundaries.
    public var passage: Passage
    /// The boundary with which it begins.
    public var first = 0
    /// The speed at the start.
    public var speed: Speed
    /// How long clicks count before time zero, in real seconds: 0 to an hour.
    public var countIn: Duration {
        didSet { countIn = Performance.held(countIn) }
    }
    /// The level of every click.
    public var clickLevel: Level
    /// The drone, or nil for none.
    public var drone: Score.Drone?
    /// A4 in Hz.
    public var a4: Double
    /// Countdowns, signals, speech.
    public var cues = CueSettings()
    /// Who speaks; nil for nobody.
    public var speaker: (any Speaker)?
    /// What the other notes are tuned to.
    public var tuning = Tuning()
    /// Whether the drone changes where the score says so.
    public var followsDroneChanges = true
    /// Which clicks inside bars are heard.
    public var inner: InnerSettings
    /// The time brackets of the score, for showing.
    public var brackets: [Bracket] = []
    /// Which bars go without clicks, for testing one's own time; nil for none.
    public var silence: Silence?
    /// Whether a jump is counted in, as the start is.
    public var countsInJumps = false
    /// Whether no click is heard for now, whatever their level.
    public var isClickMuted = false
    /// Whether the drone is silent for now, whatever its level.
    public var isDroneMuted = false
    /// With which clicks bars begin.
    public var barSounds = BarSounds()
    /// Whether the music waits where the score has a hold until a cue; otherwise such a hold takes its nominal length.
    public var waits = false

    /// Bars that are played without clicks: the last so many of every so many.
    public struct Silence: Sendable, Equatable {
        /// How many bars of each group are silent, 1 or more and fewer than `of`.
        public let bars: Int
        /// How many bars make a group.
        public let of: Int

        /// Makes a silence of some bars of every group; nil unless 1 ≤ `bars` < `of` ≤ 10 000.
        public init?(bars: Int, of group: Int) {
            guard bars >= 1, bars < group, group <= 10_000 else { return nil }
            (self.bars, of) = (bars, group)
        }

        /// Whether the bar of boundary `n` is silent.
        public func isSilent(_ n: Int) -> Bool { n % of >= of - bars }
    }

    /// The level of clicks where nobody says another.
    public static let standardClickLevel = Level(decibels: -6)
    /// The longest that the drone takes to go when the player ends the performance.
    public static let longestEnd = Duration.seconds(2)

    /// The longest that the drone takes to come and to go.
    static let longestFade = Duration.seconds(3600)

    private static func held(_ countIn: Duration) -> Duration { min(max(countIn, .zero), .seconds(3600)) }

    /// A performance of a passage as the score asks for it; change what the user wants otherwise.
    public init(of score: Score, passage: Passage) {
        title = score.title ?? ""
        composer = score.composer ?? ""
        self.passage = passage
        speed = score.speed
        countIn = Performance.held(score.countIn)
        clickLevel = Performance.standardClickLevel
        drone = score.drone
        a4 = score.a4
        tuning = score.tuning
        inner = InnerSettings(score)
        brackets = score.playedBrackets
    }

    /// How long it lasts behind time zero at its speed; nil without end.
    public var length: Duration? { passage.total.map(speed.realDuration(of:)) }

    /// The frequency of the drone's first note in Hz; nil without a drone.
    public var droneHertz: Double? { drone.map { tuning.frequency(of: $0.pitch, a4: a4) } }

    /// The drone behind what a page makes of it; nil for none.
    public func drone(after change: DroneChange) -> Score.Drone? {
        guard !change.isOff else { return nil }
        var drone = drone ?? Score.Drone()
        drone.notes = change.notes ?? drone.notes
        drone.level = change.level ?? drone.level
        drone.fade = change.fade ?? drone.fade
        return drone
    }

    /// Whether a drone's notes become others without a new sound: by less than half a semitone each.
    func glides(from before: Score.Drone, to after: Score.Drone) -> Bool {
        guard before.notes.count == after.notes.count else { return false }
        return zip(before.notes, after.notes).allSatisfy { old, new in
            let ratio = tuning.frequency(of: new.pitch, a4: a4) / tuning.frequency(of: old.pitch, a4: a4)
            return (0.9715...1.0293).contains(ratio)
        }
    }

    /// The frame of time zero when the count-in begins at frame 0.
    package func zeroFrame(rate: Int) -> Int64 {
        NominalMapping(rate: rate, zero: 0).frame(atOrAfter: countIn)
    }
}
