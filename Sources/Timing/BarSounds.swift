public import Scores

/// With which clicks bars begin where the score does not say so itself.
public struct BarSounds: Sendable, Equatable {
    /// Whether every bar begins with the same click, that of a bar within a line.
    public var areAlike = false
    /// The click of the first bar of a line.
    public var line = ClickSound.line

    /// As usual: bar, line and section each have their own.
    public init() {}

    /// The click of a bar.
    public func sound(beginning bar: TimedBar) -> ClickSound {
        if areAlike { return .bar }
        return bar.isSectionStart && !bar.section.isEmpty ? .section : bar.bar == 1 ? line : .bar
    }
}
