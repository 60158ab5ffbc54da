/// Signals beside the clicks of the boundaries; all off unless asked for.
public struct CueSettings: Sendable, Equatable {
    /// How many seconds before a boundary it is counted down to, a tick a second, as far as there is room after the last
    /// boundary that was counted down to; 0 for not.
    public var countdown = 0 {
        didSet { countdown = min(max(countdown, 0), CueSettings.longestCountdown) }
    }
    /// Before which boundaries.
    public var countdownTo = Place.lines
    /// Whether the last bar of a line has a sound of its own.
    public var lastBar = false
    /// Whether half of the time has a signal.
    public var halfTime = false
    /// Whether the moment a minute before the end has one.
    public var minuteLeft = false
    /// Whether the end has one.
    public var end = false
    /// What is spoken; nil for nothing.
    public var speech: SpeechSettings?

    /// Boundaries that can be counted down to.
    public enum Place: String, Sendable, CaseIterable {
        /// The first bars of sections.
        case sections
        /// The first bars of lines.
        case lines
        /// Every bar, as far as the bar before it has room.
        case bars
    }

    /// The longest countdown, in seconds.
    public static let longestCountdown = 10
    /// How long the signal of the end sounds: the performance is so much longer.
    static let endSignal = Duration.milliseconds(650)

    /// None.
    public init() {}

    /// Whether there is anything to be done.
    var isAny: Bool { countdown > 0 || halfTime || minuteLeft || end || speech != nil }
}
