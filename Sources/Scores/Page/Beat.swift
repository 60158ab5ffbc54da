/// A beat of a bar: how it is heard, and how long it is.
public struct Beat: Sendable, Hashable {
    /// How it is heard.
    public var stress: Stress
    /// How long it is, in whole notes; nil for a beat of the meter, or an equal part of a bar of seconds.
    public var value: Fraction?

    /// The valid numbers of parts into which each beat is divided; 1 is the beat alone.
    public static let partRange = 1...16

    /// How a beat is heard.
    public enum Stress: String, Sendable, CaseIterable {
        /// As the beginning of a group.
        case accent = "X"
        /// As a plain beat.
        case beat = "x"
        /// As less than a beat.
        case subdivision = "s"
        /// Not at all.
        case silent = "."
    }

    /// Makes a beat.
    public init(_ stress: Stress, _ value: Fraction? = nil) {
        (self.stress, self.value) = (stress, value)
    }
}

/// Clicks inside a bar, other than its beats, to practice by.
public enum Grid: Sendable, Hashable {
    /// One at every whole second after the beginning of the bar.
    case seconds
    /// At this many equal parts of the bar, 2 ... 1000.
    case parts(Int)
    /// One at every whole second of the piece, independent of the bars.
    case clock
    /// This many per minute from the beginning of the bar, 1 ... 1000: a cadence.
    case perMinute(Int)
    /// No clicks.
    case off

    /// The valid numbers of clicks per minute.
    public static let perMinuteRange = 1...1000
    /// The valid numbers of parts.
    public static let partRange = 2...1000
}
