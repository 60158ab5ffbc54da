/// A piece of music or a plan as written: sections of lines of bars, or time brackets; a drone, and how to perform it.
///
/// A score is a pure value; `Timing` lays it out in time.
public struct Score: Sendable, Equatable {
    /// The title; nil if the score has none.
    public var title: String?
    /// The composer; nil if the score names none.
    public var composer: String?
    /// The tuning of A4 in Hz, 380 ... 480.
    public var a4: Double
    /// How pitches are tuned relative to A4.
    public var tuning = Tuning()
    /// The drone; nil if the piece has none.
    public var drone: Drone?
    /// The count-in.
    public var countIn: Lead
    /// The clicks that warn of an entry after bars whose clicks are off; a bar may have its own.
    public var warning = Lead.off
    /// The speed as written in the score, 100 % by default.
    public var speed: Speed
    /// The tempo of bars with a meter until the page gives another.
    public var tempo: Tempo {
        get { writtenTempo ?? .standard }
        set { writtenTempo = newValue }
    }
    /// The same if the score gives one; nil if it leaves the tempo open.
    package var writtenTempo: Tempo?
    /// Whether the beats of bars with a meter are heard by default.
    public var beats = false
    /// Into how many parts the beats of bars with a meter are divided by default, `Beat.partRange`.
    public var subdivision = 1
    /// The practice grid of bars of seconds.
    public var grid = Grid.off
    /// The number shown for the first bar after the pickup.
    public var firstBar = 1
    /// The number of bars in the pickup; their numbers count up to `firstBar`.
    public var pickup = 0
    /// The timecode of the film at which the score starts, after its count-in; nil if there is none.
    public var timecode: Timecode?
    /// How long the piece lasts according to its author; nil if the score does not say.
    public var total: Total?
    /// Parts that are used in several places.
    public var fragments: [Fragment] = []
    /// The sections in the order of the page; empty in a score of brackets.
    public var sections: [Section]
    /// Who plays the sections, if the score has several voices; the leading one of them.
    public var voice = VoiceMark()
    /// The other voices, each in its own tempo, in the order of the page; at most 14, and none if there is one voice.
    public var companions: [Companion] = []
    /// The orders in which sections can be played, other than that of the page.
    public var orders: [Order] = []
    /// The name of the order that is played; nil for the order of the page.
    public var order: String?
    /// Time brackets, which replace sections.
    public var brackets: [Bracket] = []
    /// Whether the piece starts again at its end, until stopped.
    public var isEndless = false
    /// The seed of the realization that is played instead of open brackets; nil to play the windows themselves.
    public var realization: UInt64?
    /// The texts that a voice says at times and distances of a plan.
    package var remarks: [Remark] = []

    /// The default frequency of A4, in Hz.
    public static let standardA4 = 440.0
    /// The valid range of A4, in Hz.
    public static let a4Range = 380.0...480.0

    /// Makes a score of sections; everything else has the defaults of a score file.
    public init(
        title: String? = nil, composer: String? = nil, a4: Double = standardA4, drone: Drone? = nil,
        countIn: Lead = .off, speed: Speed = .asWritten, tempo: Tempo = .standard, sections: [Section]
    ) {
        self.title = title
        self.composer = composer
        self.a4 = a4
        self.drone = drone
        self.countIn = countIn
        self.speed = speed
        writtenTempo = tempo == .standard ? nil : tempo
        self.sections = sections
    }

    /// Makes a score of lines in one section without a label.
    public init(
        title: String? = nil, composer: String? = nil, a4: Double = standardA4, drone: Drone? = nil,
        countIn: Lead = .off, speed: Speed = .asWritten, lines: [Line]
    ) {
        self.init(
            title: title, composer: composer, a4: a4, drone: drone, countIn: countIn, speed: speed,
            sections: lines.isEmpty ? [] : [Section(parts: lines.map(Part.line))])
    }

    /// The lines of all sections in the order of the page; groups are expanded, fragments left out.
    public var lines: [Line] { sections.flatMap { $0.parts.flatMap(\.lines) } }

    /// The notes to which the drone changes at bars, in the order of the page, fragments first.
    package var notesOfChanges: [Drone.Note] {
        (fragments.flatMap { $0.parts.flatMap(\.lines) } + lines).flatMap { line in
            line.bars.lazy.filter { !$0.isPlain }.flatMap { $0.details.drone?.notes ?? [] }
        }
    }

    /// The messages of all bars to other machines: of the fragments, the sections, and then of the other voices.
    package var messages: [StageMessage] {
        let own = (fragments.flatMap { $0.parts.flatMap(\.lines) } + lines).flatMap { line in
            line.bars.lazy.filter { !$0.isPlain }.flatMap { $0.details.sends }
        }
        return own + companions.flatMap { $0.music.messages }
    }
}

extension Score.Part {
    /// The lines of the part, in the order of the page; fragments are left out.
    var lines: [Score.Line] {
        switch self {
        case .line(let line): [line]
        case .group(let group): (group.parts + group.endings.flatMap(\.parts)).flatMap(\.lines)
        case .use: []
        }
    }
}
