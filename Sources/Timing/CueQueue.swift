internal import Scores

/// Signals that come before or between boundaries, drawn up ahead of time, in the order of their moments.
struct CueQueue: Sendable {
    /// One signal.
    struct Cue: Sendable {
        /// When it begins.
        var time: Duration
        /// What sounds.
        var kind: Event.Kind
        /// The boundary that it counts down to; nil for what is no countdown.
        var countsTo: Int?
    }

    /// What is to be said, and not there yet.
    private struct Unspoken: Sendable {
        /// When the word is to have ended.
        var end: Duration
        var text: String
        /// When it begins at the earliest where it makes room for a countdown.
        var room: Duration?
    }

    /// A countdown, from its first tick to its boundary.
    private struct Countdown: Sendable {
        var boundary: Int
        var ticks: Int
        var times: Range<Duration>
    }

    /// A word in its place.
    private struct Said: Sendable {
        /// When it was to have ended.
        var end: Duration
        var times: Range<Duration>
    }

    private(set) var waiting: ArraySlice<Cue> = []
    private var unspoken: [Unspoken] = []
    /// When the word that was asked for last is to have ended.
    private var lastAsked: Duration?
    /// The `time` of the last `fill` that looked for words.
    private var looked: Duration?
    private var countdowns: [Countdown] = []
    /// When the last boundary begins that was counted down to.
    private var lastCounted: Duration?
    private var said: [Said] = []
    /// The next boundary whose signals have not been drawn up; the end counts as one.
    private var next = 0

    /// Signals begin at most so long before their boundary.
    private static let reach = Duration.seconds(12)
    /// No word is shorter. Of two moments that are closer than this, only the first can have a word.
    private static let shortestWord = Duration.milliseconds(200)
    /// What is between a word and what follows it.
    private static let gap = Duration.milliseconds(100)

    /// Begins anew: the signals of boundary `n` are the next to be drawn up.
    mutating func restart(at n: Int) {
        waiting = []
        unspoken = []
        (lastAsked, looked, lastCounted) = (nil, nil, nil)
        countdowns = []
        said = []
        next = n
    }

    mutating func removeFirst() { waiting.removeFirst() }

    /// Draws up what may begin before `time`; nothing can begin before `earliest` any more.
    ///
    /// Each boundary is drawn up once, and words are looked for once per `time`: a further call before each event costs a
    /// comparison.
    mutating func fill(
        before time: Duration, from earliest: Duration, _ performance: Performance, _ anchor: Anchor
    ) {
        let passage = performance.passage
        let first = next
        while passage.count.map({ next <= $0 }) ?? true {
            let due = anchor.time(of: passage.position(of: next))
            // Half time and the last minute may lie anywhere behind the boundary before, however long that bar is.
            let begin = next > 0 ? anchor.time(of: passage.position(of: next - 1)) : due
            guard begin < time + CueQueue.reach else { break }
            drawUp(due, performance, anchor)
            next += 1
        }
        guard next > first || looked != time else { return }
        looked = time
        countdowns.removeAll { $0.times.upperBound < earliest }
        said.removeAll { $0.times.upperBound < earliest }
        speak(from: earliest, performance)
    }

    private mutating func drawUp(_ due: Duration, _ performance: Performance, _ anchor: Anchor) {
        let (passage, cues, n) = (performance.passage, performance.cues, next)
        let tick = Event.Kind.click(.warning, amplitude: performance.clickLevel.amplitude)
        if n > 0, let total = passage.total {
            // Behind the boundary before, up to this one.
            let span = passage.position(of: n - 1)..<passage.position(of: n)
            let half = total / 2
            if cues.halfTime, span.contains(half) { signal(anchor.time(of: half), performance, \.halfTime) }
            let end = anchor.time(of: total)
            let left = end - .seconds(60)
            if cues.minuteLeft, left > .zero, (anchor.time(of: span.lowerBound)..<due).contains(left) {
                signal(left, performance, \.minuteLeft)
            }
        }
        guard passage.has(boundary: n) else {
            if cues.end { add(due, .click(.end, amplitude: performance.clickLevel.amplitude)) }
            return
        }
        if n > 0, cues.countdown > 0, isCounted(passage.bar(of: n), cues.countdownTo) {
            let before = anchor.time(of: cues.countdownTo == .bars ? passage.position(of: n - 1) : .zero)
            let room = due - (lastCounted ?? before)
            lastCounted = due
            let ticks = (0..<cues.countdown).prefix { .seconds($0 + 1) < room }.count
            for k in 0..<ticks { add(due - .seconds(k + 1), tick, countsTo: n) }
            let times = (due - .seconds(ticks))..<due
            if ticks > 0 { countdowns.append(Countdown(boundary: n, ticks: ticks, times: times)) }
        }
        if let speech = cues.speech, canAsk(for: due) {
            let text = speech.text(forBoundary: n, in: passage, speed: anchor.speed)
            let isClose = n > 0 && cues.countdown > 0 && cues.countdownTo == .bars
            let room = isClose ? anchor.time(of: passage.position(of: n - 1)) + CueQueue.gap : nil
            if !text.isEmpty { ask(for: text, before: due, room: room) }
        }
    }

    /// Whether a word can be said that is to have ended at a moment. Several words of one moment follow each other.
    private func canAsk(for moment: Duration) -> Bool {
        guard let lastAsked, moment != lastAsked else { return true }
        return moment >= lastAsked + CueQueue.shortestWord || moment <= lastAsked - CueQueue.shortestWord
    }

    private mutating func ask(for text: String, before moment: Duration, room: Duration? = nil) {
        unspoken.append(Unspoken(end: moment, text: text, room: room))
        lastAsked = max(moment, lastAsked ?? moment)
    }

    /// A signal by a sound, and a word where there is speech.
    private mutating func signal(
        _ time: Duration, _ performance: Performance, _ words: KeyPath<SpokenLanguage, String>
    ) {
        add(time, .click(.section, amplitude: performance.clickLevel.amplitude))
        if let speech = performance.cues.speech, canAsk(for: time) {
            ask(for: speech.language[keyPath: words], before: time)
        }
    }

    private func isCounted(_ bar: TimedBar, _ place: CueSettings.Place) -> Bool {
        switch place {
        case .sections: bar.isSectionStart
        case .lines: bar.bar == 1
        case .bars: true
        }
    }

    /// Puts words in their places as they come. What has no word by then is not said.
    private mutating func speak(from earliest: Duration, _ performance: Performance) {
        guard !unspoken.isEmpty, let speaker = performance.speaker, let speech = performance.cues.speech else {
            unspoken = []
            return
        }
        var still: [Unspoken] = []
        for word in unspoken where word.end > earliest {
            guard let spoken = speaker.word(word.text) else {
                still.append(word)
                continue
            }
            guard let times = place(word, spoken.duration, from: earliest) else { continue }
            said.append(Said(end: word.end, times: times))
            add(times.lowerBound, .speech(spoken, amplitude: speech.level.amplitude))
        }
        unspoken = still
    }

    /// Where a word is said: it ends at its moment, or before the first tick of a countdown that it would cover, and
    /// before what else is said of that moment. Without room for that it takes the place of the countdown, as long as no
    /// tick has sounded; nil where it would still cover another word, or has come too late.
    private mutating func place(_ word: Unspoken, _ length: Duration, from earliest: Duration) -> Range<Duration>? {
        let soonest = max(earliest, word.room ?? earliest)
        if let times = times(word, length, besides: countdowns), times.lowerBound >= soonest { return times }
        guard let times = times(word, length, besides: []), times.lowerBound >= earliest else { return nil }
        let covered = countdowns.filter { $0.times.overlaps(times) }
        let isWhole = covered.allSatisfy { countdown in
            countdown.times.lowerBound >= earliest
                && waiting.count { $0.countsTo == countdown.boundary } == countdown.ticks
        }
        guard isWhole else { return nil }
        for countdown in covered { waiting.removeAll { $0.countsTo == countdown.boundary } }
        countdowns.removeAll { $0.times.overlaps(times) }
        return times
    }

    /// The last place for a word in which it covers no word and none of these countdowns; nil where there is none.
    private func times(_ word: Unspoken, _ length: Duration, besides countdowns: [Countdown]) -> Range<Duration>? {
        var times = (word.end - length)..<word.end
        // Each turn goes further back, past one of what there is.
        for _ in 0...(countdowns.count + said.count) {
            let ticks = countdowns.first { $0.times.overlaps(times) }
            let other = said.first { $0.times.overlaps(times) }
            if let other, other.end != word.end { return nil }
            guard let begin = ticks?.times.lowerBound ?? other?.times.lowerBound else { return times }
            times = (begin - CueQueue.gap - length)..<(begin - CueQueue.gap)
        }
        return nil
    }

    private mutating func add(_ time: Duration, _ kind: Event.Kind, countsTo boundary: Int? = nil) {
        let place = waiting.lastIndex { $0.time <= time }.map { $0 + 1 } ?? waiting.startIndex
        waiting.insert(Cue(time: time, kind: kind, countsTo: boundary), at: place)
    }
}
