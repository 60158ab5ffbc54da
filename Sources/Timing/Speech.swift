public import Languages
public import Scores

/// A spoken word or phrase, as samples at the rate of a performance.
public final class SpokenWord: Sendable, Equatable {
    /// The text that was spoken.
    public let text: String
    /// The samples as 16 bits, the format of speech synthesizers: half the memory.
    private let stored: [Int16]
    /// Frames per second.
    public let rate: Int

    /// Makes a word of samples between -1 and 1.
    public init(_ text: String, samples: [Float], rate: Int) {
        self.text = text
        stored = samples.map { Int16((max(-1, min($0, 1)) * 32767).rounded()) }
        self.rate = rate
    }

    /// The samples between -1 and 1, rounded to 16 bits; one channel.
    public var samples: [Float] { stored.map { Float($0) / 32767 } }
    /// The number of samples.
    public var frameCount: Int { stored.count }

    /// Its duration.
    public var duration: Duration { .nanoseconds(Int64(frameCount) * 1_000_000_000 / Int64(max(rate, 1))) }

    /// Whether both are the same utterance: one object, or equal texts and rates.
    public static func == (a: SpokenWord, b: SpokenWord) -> Bool { a === b || (a.text == b.text && a.rate == b.rate) }
}

/// A speech synthesizer.
public protocol Speaker: Sendable {
    /// The sound of a text; nil if it is being made, or cannot be made. Never waits for long while music plays.
    func word(_ text: String) -> SpokenWord?
}

/// The settings of speech: what is spoken, and how.
public struct SpeechSettings: Sendable, Equatable {
    /// Speaks the number of every nth bar; 0 = off.
    public var bars = 0
    /// Speaks the number of every nth line; 0 = off.
    public var lines = 0
    /// Whether the labels of bars, lines and sections are spoken.
    public var labels = false
    /// Whether a bar's spoken text is spoken, or its cue if it has none.
    public var cues = false
    /// Whether interval numbers are spoken: "interval 5 of 11" and "last one".
    public var intervals = false
    /// Whether the durations of bars are spoken: "1 minute 30 seconds".
    public var durations = false
    /// Whether the planned pace of an interval is spoken: "5 minutes 30 per kilometer".
    public var pace = false
    /// Whether the planned speed of an interval is spoken, as a treadmill shows it: "10.9 kilometers per hour".
    public var speed = false
    /// Whether the distance so far is spoken: "3.4 kilometers so far".
    public var distance = false
    /// Whether the beats of count-ins and of warnings before entries are counted: "1, 2, 3".
    public var counts = false
    /// Whether "finished" is spoken at the end.
    public var finish = false
    /// The language.
    public var language = Language.en
    /// The level of a full-scale voice.
    public var level = Level(decibels: -6)

    /// All off.
    public init() {}

    /// The text for a companion's bar: its name, and what it is told; empty for none.
    package func text(for companion: CompanionBar) -> String {
        let words = companion.bar.words
        return cues && !words.isEmpty ? "\(companion.voice.name), \(words)" : ""
    }

    /// The text for a boundary when the music plays at `speed`; empty for none.
    public func text(forBoundary n: Int, in passage: Passage, speed: Speed = .asWritten) -> String {
        let bar = passage.bar(of: n)
        if bar.announcement != nil { return announcements(ofBoundary: n, in: passage, speed: speed).first ?? "" }
        var parts: [String] = []
        if lines > 0, bar.bar == 1, bar.line % lines == 0 { parts.append(language.line(bar.line)) }
        if bars > 0, let number = bar.spokenNumber(every: bars, lines: lines > 0, passage.timeline.isNumbered) {
            parts.append(language.bar(number))
        }
        if labels, bar.isSectionStart, !bar.section.isEmpty { parts.append(bar.section) }
        if labels, !bar.label.isEmpty, bar.label != bar.section { parts.append(bar.label) }
        if cues, !bar.words.isEmpty { parts.append(bar.words) }
        if durations { parts.append(language.words(speed.realDuration(of: bar.duration))) }
        if intervals, let count = passage.count {
            parts.append(n == count - 1 && count > 1 ? language.lastOne : language.interval(n &+ 1, of: count))
        }
        return parts.joined(separator: ", ")
    }
}

extension TimedBar {
    /// The number that is spoken of every nth bar; nil for the others. If the page has numbers, it is that of the page;
    /// otherwise the bar's place in its line, whose first bar is spoken as the line if `lines` are spoken.
    fileprivate func spokenNumber(every count: Int, lines: Bool, _ isNumbered: Bool) -> BarNumber? {
        guard isNumbered else { return bar % count == 0 && !(lines && bar == 1) ? .counted(bar) : nil }
        guard case .counted(let whole) = number else { return count == 1 ? number : nil }
        return whole % count == 0 ? number : nil
    }

    /// The bar's spoken text, or its cue if it has none; empty for neither.
    fileprivate var words: String {
        let said = written.isPlain ? "" : written.details.say
        return said.isEmpty ? cue : said
    }
}
