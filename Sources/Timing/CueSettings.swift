/// Signals in addition to the clicks of the boundaries; all off by default.
public struct CueSettings: Sendable, Equatable {
    /// The length of the countdown to a boundary in seconds, one tick per second; 0 = off. It is shorter if there is
    /// not enough time after the last boundary that had a countdown.
    public var countdown = 0 {
        didSet { countdown = min(max(countdown, 0), CueSettings.longestCountdown) }
    }
    /// The boundaries that have a countdown.
    public var countdownTo = Place.lines
    /// Whether the last bar of a line has a special sound.
    public var lastBar = false
    /// Whether there is a signal at half time.
    public var halfTime = false
    /// Whether there is a signal one minute before the end.
    public var minuteLeft = false
    /// Whether there is a signal at the end.
    public var end = false
    /// The speech; nil = off.
    public var speech: SpeechSettings?

    /// The boundaries that have a countdown.
    public enum Place: String, Sendable, CaseIterable {
        /// The first bars of sections.
        case sections
        /// The first bars of lines.
        case lines
        /// Every bar, if the bar before it is long enough.
        case bars
    }

    /// The longest countdown, in seconds.
    public static let longestCountdown = 10
    /// The length of the signal at the end, by which it makes the performance longer.
    static let endSignal = Duration.milliseconds(650)

    /// All off.
    public init() {}

    /// Whether any signal other than `lastBar` is on.
    var isAny: Bool { countdown > 0 || halfTime || minuteLeft || end || speech != nil }
}
