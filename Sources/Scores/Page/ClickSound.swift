/// What a click marks; each has a sound of its own. The raw value is its name in scores and options.
public enum ClickSound: String, Sendable, CaseIterable {
    /// A bar within a line.
    case bar
    /// The first bar of a line.
    case line
    /// The first bar of a section.
    case section
    /// A beat within a bar.
    case beat
    /// A beat with an accent.
    case accent
    /// A part of a beat.
    case subdivision
    /// A second before the start.
    case countIn = "count-in"
    /// What is about to come: the last bar of a line, a countdown.
    case warning
    /// Now run.
    case run
    /// Now walk.
    case walk
    /// The end.
    case end
}
