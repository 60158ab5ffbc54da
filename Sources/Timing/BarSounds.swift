public import Scores

/// The clicks at the beginning of bars, unless the score asks for others.
public struct BarSounds: Sendable, Equatable {
    /// Whether every bar begins with the click of a bar within a line.
    public var areAlike = false
    /// The click of the first bar of a line.
    public var line = ClickSound.line

    /// The usual clicks: bar, line and section each have their own.
    public init() {}

    /// The click that begins a bar.
    public func sound(beginning bar: TimedBar) -> ClickSound {
        if areAlike { return .bar }
        return bar.isSectionStart && !bar.section.isEmpty ? .section : bar.bar == 1 ? line : .bar
    }
}
