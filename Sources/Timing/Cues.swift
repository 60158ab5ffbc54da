/// Signals beside the clicks of the boundaries; all off unless asked for.
public struct CueSettings: Sendable, Equatable {
    /// How many seconds before a boundary it is counted down to, a tick a second; 0 for not.
    public var countdown = 0
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

/// Signals that come before or between boundaries, drawn up ahead of time, in the order of their moments.
struct CueQueue: Sendable {
    /// One signal.
    struct Cue: Sendable {
        /// When it begins.
        var time: Duration
        /// What sounds.
        var kind: Event.Kind
    }

    /// What is to be said, and not there yet.
    private struct Unspoken: Sendable {
        /// When the word is to have ended.
        var end: Duration
        var text: String
    }

    private(set) var waiting: [Cue] = []
    private var unspoken: [Unspoken] = []
    /// The next boundary whose signals have not been drawn up; the end counts as one.
    private var next = 0

    /// Signals begin at most so long before their boundary.
    private static let reach = Duration.seconds(12)

    /// Begins anew: the signals of boundary `n` are the next to be drawn up.
    mutating func restart(at n: Int) {
        waiting = []
        unspoken = []
        next = n
    }

    mutating func removeFirst() { waiting.removeFirst() }

    /// Draws up what may begin before `time`.
    mutating func fill(before time: Duration, _ performance: Performance, _ anchor: Anchor) {
        let walk = performance.walk
        while walk.count.map({ next <= $0 }) ?? true {
            let due = anchor.time(of: walk.position(of: next))
            // Half time and the last minute may lie anywhere behind the boundary before, however long that bar is.
            let begin = next > 0 ? anchor.time(of: walk.position(of: next - 1)) : due
            guard begin < time + CueQueue.reach else { break }
            drawUp(due, performance, anchor)
            next += 1
        }
        speak(before: time, performance)
    }

    private mutating func drawUp(_ due: Duration, _ performance: Performance, _ anchor: Anchor) {
        let (walk, cues, n) = (performance.walk, performance.cues, next)
        let tick = Event.Kind.click(.warning, amplitude: performance.clickLevel.amplitude)
        if n > 0, let total = walk.total {
            // Behind the boundary before, up to this one.
            let span = walk.position(of: n - 1)..<walk.position(of: n)
            let half = total / 2
            if cues.halfTime, span.contains(half) { signal(anchor.time(of: half), performance, \.halfTime) }
            let end = anchor.time(of: total)
            let left = end - .seconds(60)
            if cues.minuteLeft, left > .zero, (anchor.time(of: span.lowerBound)..<due).contains(left) {
                signal(left, performance, \.minuteLeft)
            }
        }
        guard walk.has(boundary: n) else {
            if cues.end { add(due, .click(.end, amplitude: performance.clickLevel.amplitude)) }
            return
        }
        if n > 0, isCounted(walk.bar(of: n), cues.countdownTo) {
            let room = due - anchor.time(of: cues.countdownTo == .bars ? walk.position(of: n - 1) : .zero)
            for k in 0..<cues.countdown where .seconds(k + 1) < room { add(due - .seconds(k + 1), tick) }
        }
        if let speech = cues.speech {
            let text = speech.text(forBoundary: n, in: walk)
            if !text.isEmpty { unspoken.append(Unspoken(end: due, text: text)) }
        }
    }

    /// A signal by a sound, and a word where there is speech.
    private mutating func signal(
        _ time: Duration, _ performance: Performance, _ words: KeyPath<SpokenLanguage, String>
    ) {
        add(time, .click(.section, amplitude: performance.clickLevel.amplitude))
        if let speech = performance.cues.speech {
            unspoken.append(Unspoken(end: time, text: speech.language[keyPath: words]))
        }
    }

    private func isCounted(_ bar: TimedBar, _ place: CueSettings.Place) -> Bool {
        switch place {
        case .sections: bar.isSectionStart
        case .lines: bar.bar == 1
        case .bars: true
        }
    }

    /// Puts words in their places as they come: a word ends at its moment. What has no word by then is not said.
    private mutating func speak(before time: Duration, _ performance: Performance) {
        guard !unspoken.isEmpty, let speaker = performance.speaker, let speech = performance.cues.speech else {
            unspoken = []
            return
        }
        var still: [Unspoken] = []
        for word in unspoken {
            if let spoken = speaker.word(word.text) {
                add(word.end - spoken.duration, .speech(spoken, amplitude: speech.level.amplitude))
            } else if word.end > time - CueQueue.reach {
                still.append(word)
            }
        }
        unspoken = still
    }

    private mutating func add(_ time: Duration, _ kind: Event.Kind) {
        let place = waiting.lastIndex { $0.time <= time }.map { $0 + 1 } ?? 0
        waiting.insert(Cue(time: time, kind: kind), at: place)
    }
}
