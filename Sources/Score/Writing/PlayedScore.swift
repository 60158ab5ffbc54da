/// A score as it is played, for formats that know times and no page: bars one behind another, repeats and jumps taken.
///
/// All times are those of a clock, at the speed of the performance, from the first bar that is played.
public struct PlayedScore: Sendable {
    /// The page that is played.
    public var score: Score
    /// The speed at which it is played.
    public var speed: Speed
    /// How many bars are played, at least one.
    public var barCount: Int
    /// How long they last together.
    public var total: Duration
    /// Bar 0 ..< `barCount`.
    public var bar: @Sendable (Int) -> PlayedBar

    /// Makes a score as it is played.
    public init(
        _ score: Score, speed: Speed, barCount: Int, total: Duration, bar: @escaping @Sendable (Int) -> PlayedBar
    ) {
        self.score = score
        self.speed = speed
        self.barCount = barCount
        self.total = total
        self.bar = bar
    }

    /// The most bars that are written into a file.
    public static let barLimit = 1_000_000
}

/// A bar as it is played.
public struct PlayedBar: Sendable {
    /// When it begins and when it ends.
    public var start, end: Duration
    /// The line it is played in, from 1.
    public var line: Int
    /// Its place in the line, from 1.
    public var bar: Int
    /// The label of its section; empty for none.
    public var section: String
    /// Whether it is the first bar of its section.
    public var isSectionStart: Bool
    /// Its label; empty for none.
    public var label: String
    /// What is written.
    public var written: Score.Bar
    /// Its beats and clicks, in order; none for a bar with nothing inside.
    public var beats: [PlayedBeat]

    /// Makes a bar.
    public init(
        start: Duration, end: Duration, line: Int, bar: Int, section: String, isSectionStart: Bool, label: String,
        written: Score.Bar, beats: [PlayedBeat]
    ) {
        self.start = start
        self.end = end
        self.line = line
        self.bar = bar
        self.section = section
        self.isSectionStart = isSectionStart
        self.label = label
        self.written = written
        self.beats = beats
    }

    /// How long it lasts.
    public var duration: Duration { end - start }
    /// The label; where it has none and a section begins with it, the section's.
    public var title: String { label.isEmpty && isSectionStart ? section : label }
    /// Its place, such as `5.7`.
    public var place: String { "\(line).\(bar)" }
    /// Whether the click that begins it is silent.
    public var isSilent: Bool {
        written.details.click?.isSilent ?? false
            || beats.first.map { $0.offset == .zero && $0.stress == .silent } ?? false
    }
}

/// Something inside a bar: a beat of its meter, heard or not, or a click of the practice grid.
public struct PlayedBeat: Sendable, Equatable {
    /// How long after the beginning of the bar.
    public var offset: Duration
    /// How many whole notes after the beginning of the bar; nil at its beginning, and in a bar of seconds.
    public var position: Fraction?
    /// How it is heard.
    public var stress: Beat.Stress
    /// Whether it is asked for: beats of a meter are there even when nobody wants to hear them.
    public var isHeard: Bool

    /// Makes a beat.
    public init(offset: Duration, position: Fraction?, stress: Beat.Stress, isHeard: Bool) {
        self.offset = offset
        self.position = position
        self.stress = stress
        self.isHeard = isHeard
    }
}
