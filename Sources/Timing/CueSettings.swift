/// Signals in addition to the clicks of the boundaries. By default, only the ends of holds have some.
public struct CueSettings: Sendable, Equatable {
    /// The length of the countdown to a boundary in seconds, one tick per second; 0 = off. It is shorter if there is
    /// not enough time after the last boundary that had a countdown.
    public var countdown = 0 {
        didSet { countdown = min(max(countdown, 0), CueSettings.longestCountdown) }
    }
    /// The boundaries that have a countdown.
    public var countdownTo = Place.lines
    /// How the end of a hold is announced.
    public var holdEnd = HoldEnd.countdown(3)
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

    /// How the end of a hold that ends by itself is announced.
    public enum HoldEnd: Sendable, Equatable {
        /// Not at all.
        case off
        /// A click where the music goes on, if a bar does not begin there anyway.
        case click
        /// The same, after a tick at each of the last seconds, 1 ... 10; fewer if the hold is shorter.
        case countdown(Int)

        var ticks: Int {
            if case .countdown(let count) = self { min(max(count, 1), CueSettings.longestCountdown) } else { 0 }
        }
    }

    /// The longest countdown, in seconds.
    public static let longestCountdown = 10
    /// The length of the signal at the end, by which it makes the performance longer.
    static let endSignal = Duration.milliseconds(650)
    /// The most time that the word at the end takes, by which it makes the performance longer.
    static let endWord = Duration.milliseconds(1500)

    /// How much longer than the music the performance is: by the signal at the end, and the word after it.
    var tail: Duration {
        (end ? CueSettings.endSignal : .zero) + (speech?.finish == true ? CueSettings.endWord : .zero)
    }

    /// All off, except the countdown at the ends of holds.
    public init() {}

    /// Whether any signal other than `lastBar` is on.
    var isAny: Bool { countdown > 0 || halfTime || minuteLeft || end || speech != nil }
}
