extension Score {
    /// The name and clicks of one of several voices that sound at the same time, each with its own bars and tempo.
    public struct VoiceMark: Sendable, Equatable {
        /// Its name, different from that of every other voice; empty if the score has only one voice.
        public var name: String
        /// The output channel that carries its clicks, 1 ... 32; nil for the channels of all clicks.
        public var channel: Int?
        /// How its clicks sound: the sound is that with which bars begin, the level is for all clicks.
        public var click: BarClick

        /// The valid channels.
        public static let channelRange = 1...32

        /// Makes a voice.
        public init(_ name: String = "", channel: Int? = nil, click: BarClick = BarClick()) {
            (self.name, self.channel, self.click) = (name, channel, click)
        }
    }

    /// A voice that sounds together with the score's sections, which are the leading voice.
    public struct Companion: Sendable, Equatable {
        /// Who it is.
        public var voice: VoiceMark
        /// Its page: sections, fragments, tempo and numbers of bars. It begins together with the leading voice.
        /// Everything else in it, such as drone or speed, has no effect: the leading voice's is for all.
        public var music: Score

        /// Makes a companion.
        public init(_ voice: VoiceMark, _ music: Score) {
            (self.voice, self.music) = (voice, music)
        }
    }

    /// The most voices in a score.
    public static let voiceLimit = 15

    /// The names of all voices, the leading one first; empty if there is only one.
    public var voiceNames: [String] { companions.isEmpty ? [] : [voice.name] + companions.map(\.voice.name) }

    /// The score with only some of its voices, the first of which leads. Drone, speed and everything else that concerns
    /// all voices stays. Names that no voice has are ignored; nil if none is left. A voice that is left alone is heard
    /// on the channels of all clicks.
    public func with(voices names: [String]) -> Score? {
        var score = written(voices: names)
        if score?.companions.isEmpty == true { score?.voice.channel = nil }
        return score
    }

    /// The same, to be written: a voice that is left alone keeps its channel.
    package func written(voices names: [String]) -> Score? {
        let all = [Companion(voice, self)] + companions
        var chosen: [Companion] = []
        for name in names where !chosen.contains(where: { $0.voice.name == name }) {
            if let found = all.first(where: { $0.voice.name == name }) { chosen.append(found) }
        }
        guard let lead = chosen.first else { return nil }
        var score = self
        score.voice = lead.voice
        score.takePage(of: lead.music)
        score.companions = chosen.dropFirst().map { companion in
            var companion = companion
            companion.music.companions = []
            return companion
        }
        return score
    }

    /// Takes over what a voice has of its own.
    private mutating func takePage(of other: Score) {
        sections = other.sections
        fragments = other.fragments
        writtenTempo = other.writtenTempo
        firstBar = other.firstBar
        pickup = other.pickup
        orders = other.orders
        order = other.order
    }
}
