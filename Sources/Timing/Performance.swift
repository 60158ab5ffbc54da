internal import Languages
public import Scores

/// Everything that decides what is played: a passage through a score, and how it sounds. A pure value.
public struct Performance: Sendable {
    /// The title to show; empty for none.
    public var title: String
    /// The composer; empty if unknown.
    public var composer: String
    /// The boundaries to play.
    public var passage: Passage {
        didSet { first = held(first) }
    }
    /// The boundary at which it begins, one of the passage: a value outside it becomes the nearest one.
    public var first = 0 {
        didSet { first = held(first) }
    }
    /// Whether the time that is shown goes on from pass to pass, as in a score that repeats forever and in a plan.
    public var countsPasses: Bool
    /// The speed at the start.
    public var speed: Speed
    /// The count-in before time zero; at most an hour.
    public var countIn: Score.Lead {
        didSet { countIn = countIn.clamped }
    }
    /// The clicks that warn of an entry after bars whose clicks are off; a bar may have its own.
    public var warning: Score.Lead {
        didSet { warning = warning.clamped }
    }
    /// The level of every click.
    public var clickLevel: Level
    /// The drone; nil if there is none.
    public var drone: Score.Drone?
    /// A4 in Hz.
    public var a4: Double
    /// Countdowns, signals, speech.
    public var cues = CueSettings()
    /// The speaker; nil if nothing is spoken.
    public var speaker: (any Speaker)?
    /// The tuning of all notes relative to A4.
    public var tuning = Tuning()
    /// Whether the drone follows the changes in the score.
    public var followsDroneChanges = true
    /// Which clicks inside bars are heard.
    public var inner: InnerSettings
    /// The time brackets of the score, for display.
    public var brackets: [Bracket] = []
    /// The bars that are played without clicks, for players to test their time; nil if there are none.
    public var silence: Silence?
    /// Finds the bars that go wrong again and again, by the practice log; for the program `weak`. It may read files, so it is
    /// called only where this program is asked for.
    package var weakBars: @Sendable () -> [Int] = { [] }
    /// Whether a jump has a count-in, like the start.
    public var countsInJumps = false
    /// Whether all clicks are muted, whatever their level.
    public var isClickMuted = false
    /// Whether no click sounds: they are muted, or have no level.
    package var clicksAreOff: Bool { isClickMuted || clickLevel.isSilent }
    /// Whether the drone is muted, whatever its level.
    public var isDroneMuted = false
    /// The clicks that begin bars.
    public var barSounds = BarSounds()
    /// Whether the music waits for the player at a hold until a cue; otherwise such a hold takes its nominal length.
    public var waits = false

    /// The timecode of the film at the beginning of the score; nil if there is none.
    public var timecode: Timecode?
    /// The timecode that goes out beside the sound; nil if none does.
    public var linearTimecode: LinearTimecode?

    /// The default level of clicks.
    public static let standardClickLevel = Level(decibels: -6)
    /// The longest fade-out of the drone when the player ends the performance.
    public static let longestEnd = Duration.seconds(2)

    /// The longest fade of the drone.
    static let longestFade = Duration.seconds(3600)

    /// Makes a performance of a passage as the score asks for; then change what the user wants otherwise.
    public init(of score: Score, passage: Passage) {
        title = score.title ?? ""
        composer = score.composer ?? ""
        self.passage = passage
        countsPasses = score.isEndless
        speed = score.speed
        countIn = score.countIn.clamped
        warning = score.warning.clamped
        clickLevel = Performance.standardClickLevel
        drone = score.drone
        a4 = score.a4
        tuning = score.tuning
        inner = InnerSettings(score)
        brackets = score.playedBrackets
        timecode = score.timecode
    }

    private func held(_ boundary: Int) -> Int { max(min(boundary, (passage.count ?? .max) - 1), 0) }

    /// How long the count-in before time zero lasts, at the initial speed.
    public var countInLength: Duration { CountIn(self, to: first, at: speed).length }

    /// Whether the count-in has seconds instead of beats, because the bar at which the performance begins has no beats.
    package var countsSecondsForBeats: Bool {
        guard case .beats = countIn else { return false }
        return !CountedBars(before: first, passage, inner).haveBeats
    }

    /// Whether only the end of the count-in is left, because the whole would last too long.
    package var cutsCountIn: Bool { CountIn(self, to: first, at: speed).isCut }

    /// The duration after time zero, from its first boundary on, at its initial speed; nil if it has no end.
    public var length: Duration? { passage.total.map { speed.realDuration(of: $0 - passage.position(of: first)) } }

    /// The number of boundaries from the first one on; nil if it has no end.
    public var count: Int? { passage.count.map { $0 - first } }

    /// The frequency of the drone's first note in Hz; nil without a drone.
    public var droneHertz: Double? { drone.map { tuning.frequency(of: $0.pitch, a4: a4) } }

    /// What is wrong with A4, or with a note of the drone or of later changes: it is out of range. nil if nothing is.
    package func pitchFault(ofChanges changes: [Score.Drone.Note] = []) -> String? {
        guard Score.a4Range.contains(a4) else { return localized("A4 must be 380 Hz to 480 Hz") }
        return ((drone?.notes ?? []) + changes).lazy.compactMap { note in
            let hertz = tuning.frequency(of: note.pitch, a4: a4)
            return Pitch.frequencyRange.contains(hertz)
                ? nil
                : localized(
                    "in this tuning, \(note.pitch) has \(hertz) Hz, outside the range of a drone (16 to 8000 Hz)")
        }.first
    }

    /// The drone after a change that a page has made; nil if there is none.
    public func drone(after change: DroneChange) -> Score.Drone? { change.applied(to: drone ?? Score.Drone()) }

    /// Whether a change of the drone is a glide instead of a new sound: each note moves by less than half a semitone.
    func glides(from before: Score.Drone, to after: Score.Drone) -> Bool {
        guard before.notes.count == after.notes.count else { return false }
        return zip(before.notes, after.notes).allSatisfy { old, new in
            let ratio = tuning.frequency(of: new.pitch, a4: a4) / tuning.frequency(of: old.pitch, a4: a4)
            return (0.9715...1.0293).contains(ratio)
        }
    }

    /// The frame of time zero when the count-in begins at frame 0.
    package func zeroFrame(rate: Int) -> Int64 { NominalMapping(rate: rate, zero: 0).frame(atOrAfter: countInLength) }
}
