/// What a click marks; each kind has its own sound. The raw value is its name in scores and options.
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
    /// A second of the count-in.
    case countIn = "count-in"
    /// A warning of what comes next: the last bar of a line, a countdown.
    case warning
    /// The signal to run.
    case run
    /// The signal to walk.
    case walk
    /// The signal to warm up.
    case warmUp = "warm-up"
    /// The signal to cool down.
    case coolDown = "cool-down"
    /// The end.
    case end
}
