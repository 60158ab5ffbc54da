public import Scores

/// Something that was spoken, as samples at the rate of a performance.
public final class SpokenWord: Sendable, Equatable {
    /// What was said.
    public let text: String
    /// The samples as 16 bits, as voices make them: half the memory.
    private let stored: [Int16]
    /// Frames per second.
    public let rate: Int

    /// Makes a word of samples between -1 and 1.
    public init(_ text: String, samples: some Collection<Float>, rate: Int) {
        self.text = text
        stored = samples.map { Int16((max(-1, min($0, 1)) * 32767).rounded()) }
        self.rate = rate
    }

    /// The samples, without silence before and behind; one channel.
    public var samples: [Float] { stored.map { Float($0) / 32767 } }
    /// How many there are.
    public var frameCount: Int { stored.count }

    /// How long it sounds.
    public var duration: Duration { .nanoseconds(Int64(frameCount) * 1_000_000_000 / Int64(max(rate, 1))) }

    /// Whether both are the same utterance.
    public static func == (a: SpokenWord, b: SpokenWord) -> Bool { a === b || (a.text == b.text && a.rate == b.rate) }
}

/// Who can speak.
public protocol Speaker: Sendable {
    /// The word for a text, if it is there already; else it is being made, or cannot be. Never waits for long where music
    /// plays.
    func word(_ text: String) -> SpokenWord?
}

/// What is spoken, and how.
public struct SpeechSettings: Sendable, Equatable {
    /// Of every how many bars the number is spoken; 0 for none.
    public var bars = 0
    /// Of every how many lines the number is spoken; 0 for none.
    public var lines = 0
    /// Labels of bars, lines and sections.
    public var labels = false
    /// What the score has to say, and its cues.
    public var cues = false
    /// "interval 5 of 11", and "last one".
    public var intervals = false
    /// How long bars last: "1 minute 30 seconds".
    public var durations = false
    /// The language.
    public var language = SpokenLanguage.en
    /// The level of a full-scale voice.
    public var level = Level(decibels: -6)

    /// Nothing.
    public init() {}

    /// What is said for a boundary where the music goes at a speed; empty for nothing.
    public func text(forBoundary n: Int, in passage: Passage, speed: Speed = .asWritten) -> String {
        let bar = passage.bar(of: n)
        var parts: [String] = []
        if lines > 0, bar.bar == 1, (bar.line - 1) % lines == 0 { parts.append(language.line(bar.line)) }
        if bars > 0, (bar.bar - 1) % bars == 0, !(lines > 0 && bar.bar == 1) { parts.append(language.bar(bar.bar)) }
        if labels, bar.isSectionStart, !bar.section.isEmpty { parts.append(bar.section) }
        if labels, !bar.label.isEmpty, bar.label != bar.section { parts.append(bar.label) }
        if cues {
            let said = bar.written.isPlain ? "" : bar.written.details.say
            if !said.isEmpty || !bar.cue.isEmpty { parts.append(said.isEmpty ? bar.cue : said) }
        }
        if durations { parts.append(language.words(speed.realDuration(of: bar.duration))) }
        if intervals, let count = passage.count {
            parts.append(n == count - 1 && count > 1 ? language.lastOne : language.interval(n &+ 1, of: count))
        }
        return parts.joined(separator: ", ")
    }
}
