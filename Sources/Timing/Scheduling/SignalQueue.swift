internal import Languages
internal import Scores

/// The signals before and between boundaries, prepared ahead of time, sorted by time.
struct SignalQueue: Sendable {
    /// One signal.
    struct Cue: Sendable {
        var time: Duration
        var kind: Event.Kind
        /// The number of the countdown that it belongs to; nil if it is not part of one.
        var countdown: Int?
    }

    /// A text to be spoken whose sound is not ready yet.
    struct Unspoken: Sendable {
        /// The time by which the word must have ended.
        var end: Duration
        /// The text; of an announcement, ever shorter ones, of which the first that has room is spoken.
        var texts: [String]
        /// The earliest time at which it may begin: of announcements, and of others that make room for a countdown.
        var room: Duration?
        /// The time at which it begins, because nobody knew before when its moment comes; nil if it ends at `end`.
        var begin: Duration?
        /// Whether it announces an interval of a plan, and so talks over no click.
        var isAnnouncement = false
        /// Whether it counts a beat: it is said at `begin`, or not at all.
        var isCount = false
    }

    /// A countdown, from its first tick to its boundary or to the end of a hold.
    struct Countdown: Sendable {
        /// Its number, which no other countdown has.
        var number: Int
        var ticks: Int
        var times: Range<Duration>
        /// Whether no word may take its place.
        var isFixed = false
    }

    /// A word that has been placed.
    struct Said: Sendable {
        /// The time by which it must have ended.
        var end: Duration
        var times: Range<Duration>
    }

    private(set) var waiting: ArraySlice<Cue> = []
    private(set) var unspoken: [Unspoken] = []
    /// The texts at times of a plan, and the intervals in which they may be spoken.
    var remarks = RemarkQueue()
    /// The words for which there was no room.
    private(set) var missed: [MissedWord] = []
    /// The end time of the word that was requested last.
    private var lastAsked: Duration?
    /// The `time` of the last `fill` that placed words.
    private var looked: Duration?
    private(set) var countdowns: [Countdown] = []
    /// The number of the next countdown.
    private var number = 0
    /// The time at which the last countdown ends.
    var lastCounted: Duration?
    private(set) var said: [Said] = []
    /// The next boundary whose signals have not been prepared; the end counts as a boundary.
    private var next = 0

    /// How long before its boundary a signal may begin.
    private static func reach(_ performance: Performance, _ countIn: CountIn) -> Duration {
        let usual: Duration = performance.warns ? Performance.longestWarning + .seconds(4) : .seconds(12)
        return performance.cues.speech?.counts == true ? max(usual, countIn.length + .seconds(4)) : usual
    }
    /// The shortest word. Of two moments that are closer than this, only the first can have a word.
    static let shortestWord = Duration.milliseconds(200)
    /// The gap between a word and the sound after it.
    static let gap = Duration.milliseconds(100)
    /// The gap between the beginning of a click and a word after it.
    static let clickLength = Duration.milliseconds(200)

    /// Starts again: the signals of boundary `n` are prepared next. Words that have begun before `time` go on.
    mutating func restart(at n: Int, from time: Duration? = nil) {
        waiting = []
        unspoken = []
        (lastAsked, looked, lastCounted) = (nil, nil, nil)
        countdowns = []
        said.removeAll { word in time.map { word.times.lowerBound >= $0 } ?? true }
        remarks.restart(from: time)
        next = n
    }

    mutating func removeFirst() { waiting.removeFirst() }

    /// Prepares the signals that may begin before `time`; none can begin before `earliest`.
    ///
    /// Boundaries are prepared once, and words placed once per `time`: a repeated call costs only a comparison.
    mutating func fill(
        before time: Duration, from earliest: Duration, _ performance: Performance, _ anchor: Anchor,
        _ countIn: CountIn
    ) {
        let passage = performance.passage
        let first = next
        while passage.count.map({ next <= $0 }) ?? true {
            let due = anchor.time(of: passage.position(of: next))
            // Half time and the last minute may lie anywhere after the previous boundary, however long that bar is.
            let begin = next > 0 ? anchor.time(of: passage.position(of: next - 1)) : due
            guard begin < time + SignalQueue.reach(performance, countIn) else { break }
            drawUp(due, performance, anchor, countIn)
            next += 1
        }
        guard next > first || looked != time else { return }
        looked = time
        if performance.cues.speech != nil {
            remarks.take(
                before: time + SignalQueue.reach(performance, countIn), from: earliest, performance.passage, anchor)
        }
        countdowns.removeAll { $0.times.upperBound < earliest }
        said.removeAll { max($0.end, $0.times.upperBound) < earliest }
        speak(from: earliest, until: time + SignalQueue.reach(performance, countIn), performance)
    }

    private mutating func drawUp(_ due: Duration, _ performance: Performance, _ anchor: Anchor, _ countIn: CountIn) {
        let (passage, cues, n) = (performance.passage, performance.cues, next)
        let isPlan = passage.bar(of: n).announcement != nil
        let isCountedIn = n == countIn.target && countIn.length > .zero && due == anchor.time
        let held = n > 0 ? endHolds(inBar: n - 1, SignalVoice(leading: performance, anchor)) : []
        defer { drawUpCompanions(before: n, due, performance, anchor) }
        if n > 0, let total = passage.total {
            // From the previous boundary up to this one.
            let span = passage.position(of: n - 1)..<passage.position(of: n)
            let half = total / 2
            // Nobody knows the half or the last minute of music that still waits for the player.
            let lastWait = performance.waits ? passage.lastWait ?? -1 : -1
            // A jump leaves out what was to come before its target, also while the target is counted in.
            if cues.halfTime, lastWait < 0, span.contains(half), half >= anchor.position {
                signal(anchor.time(of: half), performance, \.halfTime)
            }
            let end = anchor.time(of: total)
            let left = end - .seconds(60)
            if cues.minuteLeft, lastWait < n - 1, left > .zero, left >= anchor.time,
                (anchor.time(of: span.lowerBound)..<due).contains(left)
            {
                signal(left, performance, \.minuteLeft)
            }
        }
        if n > 0 {
            announce(passage.companionBars(during: n - 1), performance, anchor) { $0 > passage.position(of: n - 1) }
        }
        guard passage.has(boundary: n) else {
            countDown(held, to: due)
            if cues.end { add(due, .click(.end, amplitude: performance.clickLevel.amplitude)) }
            if isPlan { remarks.intervals.append(.init(times: anchor.time(of: passage.position(of: n - 1))..<due)) }
            if let speech = cues.speech, speech.finish {
                let begin = due + (cues.end ? CueSettings.endSignal : SignalQueue.clickLength)
                remarks.add(speech.language.finished, at: begin, until: due + cues.tail)
            }
            return
        }
        let warnings = warn(before: n, SignalVoice(leading: performance, anchor))
        if !warnings.isEmpty {
            // They take the place of a countdown.
            lastCounted = due
        } else if isPlan, isCountedIn {
            // Words make room for the ticks of the count-in.
            if (1..<Int.max).contains(countIn.ticks) { note(ticks: countIn.ticks, to: due, isFixed: true) }
        } else if n > 0, cues.countdown > 0, isCounted(passage.bar(of: n), cues.countdownTo) {
            let before = anchor.time(of: cues.countdownTo == .bars ? passage.position(of: n - 1) : .zero)
            let room = due - (lastCounted ?? before)
            let ticks = (0..<cues.countdown).prefix { .seconds($0 + 1) < room }.count
            let tick = Event.Kind.click(.warning, amplitude: performance.clickLevel.amplitude)
            countDown(Array(repeating: tick, count: ticks) + held.dropFirst(ticks), to: due)
            lastCounted = due
        } else {
            countDown(held, to: due)
        }
        if let speech = cues.speech, speech.counts, !isPlan {
            let beats: [(time: Duration, number: Int)] =
                isCountedIn
                ? countIn.numbers.map { (due - $0.lead, $0.number) }
                : warnings.reversed().compactMap { warning in warning.number.map { (warning.time, $0) } }
            count(beats, to: due)
        }
        if isPlan {
            announce(n, due, performance, anchor, isCountedIn: isCountedIn)
        } else if let speech = cues.speech, canAsk(for: due) {
            let text = speech.text(forBoundary: n, in: passage, speed: anchor.speed)
            let isClose = n > 0 && cues.countdown > 0 && cues.countdownTo == .bars
            let room = isClose ? anchor.time(of: passage.position(of: n - 1)) + SignalQueue.gap : nil
            if !text.isEmpty { ask(for: [text], at: due, isLate: performance.onlyWaits(before: n), room: room) }
        }
        announce(passage.companionBars(during: n), performance, anchor) { $0 == passage.position(of: n) }
    }

    /// Asks for the words of companions whose bars begin at certain positions. The music does not come to those before the anchor.
    private mutating func announce(
        _ bars: [CompanionBar], _ performance: Performance, _ anchor: Anchor, where isMeant: (Duration) -> Bool
    ) {
        guard let speech = performance.cues.speech else { return }
        for bar in bars where bar.span.lowerBound >= anchor.position && isMeant(bar.span.lowerBound) {
            let (text, due) = (speech.text(for: bar), anchor.time(of: bar.span.lowerBound))
            if !text.isEmpty, canAsk(for: due) { ask(for: [text], at: due) }
        }
    }

    /// Asks for the announcement of the interval that boundary `n` of a plan begins, unless it is being said already.
    private mutating func announce(
        _ n: Int, _ due: Duration, _ performance: Performance, _ anchor: Anchor, isCountedIn: Bool
    ) {
        guard let speech = performance.cues.speech else { return }
        let begin = n > 0 && !isCountedIn ? anchor.time(of: performance.passage.position(of: n - 1)) : nil
        let texts = speech.announcements(
            ofBoundary: n, in: performance.passage, speed: anchor.speed, isPracticed: !performance.countsPasses)
        if let begin { remarks.intervals.append(.init(times: begin..<due, name: texts.last)) }
        let isSaid = said.contains { abs(($0.end - due) / .seconds(1)) < 0.05 }
        guard !texts.isEmpty, !isSaid, canAsk(for: due) else { return }
        let room = begin.map { $0 + SignalQueue.clickLength }
        ask(for: texts, at: due, isLate: performance.onlyWaits(before: n), room: room, isAnnouncement: true)
    }

    /// How much softer than other clicks those are that warn of an entry, in dB.
    static let warningDecibels = -6.0

    /// Adds ticks at the last seconds before a time, from the last to the first, if they may be heard.
    mutating func countDown(
        _ ticks: [Event.Kind], to end: Duration, where isHeard: (Duration) -> Bool = { _ in true }
    ) {
        let heard = ticks.enumerated().map { (end - .seconds($0 + 1), $1) }.filter { isHeard($0.0) }
        guard !heard.isEmpty else { return }
        for (time, tick) in heard { add(time, tick, of: number) }
        note(ticks: heard.count, from: heard[heard.count - 1].0, to: end)
    }

    /// Notes ticks before a time; those that others make are fixed.
    private mutating func note(ticks: Int, from begin: Duration? = nil, to end: Duration, isFixed: Bool = false) {
        let times = (begin ?? end - .seconds(ticks))..<end
        countdowns.append(Countdown(number: number, ticks: ticks, times: times, isFixed: isFixed))
        number += 1
        lastCounted = end
    }

    /// Asks for the numbers of beats, each at its time. Words of the boundary to which they lead come before them.
    private mutating func count(_ beats: [(time: Duration, number: Int)], to end: Duration) {
        guard let first = beats.first, first.time < end else { return }
        countdowns.append(Countdown(number: number, ticks: beats.count, times: first.time..<end, isFixed: true))
        number += 1
        for (time, number) in beats {
            unspoken.append(
                Unspoken(end: time + .milliseconds(1), texts: ["\(number)"], begin: time, isCount: true))
        }
    }

    /// Whether a word that ends at `moment` is possible. Several words of one moment follow each other.
    private func canAsk(for moment: Duration) -> Bool {
        guard let lastAsked, moment != lastAsked else { return true }
        return moment >= lastAsked + SignalQueue.shortestWord || moment <= lastAsked - SignalQueue.shortestWord
    }

    /// Asks for a word that ends at a moment. A late one begins after the click of the moment, at most `latest` later:
    /// before the player goes on, nobody knows when that will be.
    private mutating func ask(
        for texts: [String], at moment: Duration, isLate: Bool = false, room: Duration? = nil,
        isAnnouncement: Bool = false
    ) {
        unspoken.append(
            Unspoken(
                end: isLate ? moment + SignalQueue.latest : moment, texts: texts, room: room,
                begin: isLate ? moment + SignalQueue.clickLength : nil, isAnnouncement: isAnnouncement))
        lastAsked = max(moment, lastAsked ?? moment)
    }

    /// How late a word may be that begins after its moment, if its sound was not ready.
    private static let latest = Duration.seconds(2)

    /// Adds a signal: a click, and a word if there is speech.
    private mutating func signal(_ time: Duration, _ performance: Performance, _ words: KeyPath<Language, String>) {
        add(time, .click(.section, amplitude: performance.clickLevel.amplitude))
        guard let speech = performance.cues.speech else { return }
        let text = speech.language[keyPath: words]
        if performance.passage.bar(of: next).announcement != nil {
            // In a plan, words talk over no click: this one follows its signal.
            remarks.add(text, at: time, isSignal: true)
        } else if canAsk(for: time) {
            ask(for: [text], at: time)
        }
    }

    private func isCounted(_ bar: TimedBar, _ place: CueSettings.Place) -> Bool {
        switch place {
        case .sections: bar.isSectionStart
        case .lines: bar.bar == 1
        case .bars: true
        }
    }

    /// Places the words whose sound is ready. A word that is not ready in time is dropped. Announcements after `horizon`
    /// wait: texts of the plan that come before them take their room first.
    private mutating func speak(from earliest: Duration, until horizon: Duration, _ performance: Performance) {
        guard let speaker = performance.speaker, let speech = performance.cues.speech else {
            unspoken = []
            return
        }
        func say(_ word: SpokenWord, _ times: Range<Duration>, before end: Duration) {
            said.append(Said(end: end, times: times))
            add(times.lowerBound, .speech(word, amplitude: speech.level.amplitude))
        }
        var remarks = remarks
        while let remark = remarks.next(from: earliest, besides: self, speaker) {
            switch remark {
            case .said(let word, let times): say(word, times, before: times.upperBound)
            case .missed(let word): missed.append(word)
            }
        }
        self.remarks = remarks
        var still: [Unspoken] = []
        for word in unspoken where word.end > earliest {
            if word.isAnnouncement, word.end > horizon {
                still.append(word)
                continue
            }
            switch place(word, from: earliest, speaker) {
            case .found(let spoken, let times):
                let late = word.isCount ? nil : word.begin
                say(spoken, times, before: late.map { $0 - SignalQueue.clickLength } ?? word.end)
            case .notReady: still.append(word)
            case .noRoom: if word.isAnnouncement { missed.append(.announcement(word.texts.last ?? "")) }
            }
        }
        unspoken = still
    }

    mutating func remove(_ countdown: Countdown) {
        waiting.removeAll { $0.countdown == countdown.number }
        countdowns.removeAll { $0.number == countdown.number }
    }

    mutating func add(_ time: Duration, _ kind: Event.Kind, of countdown: Int? = nil) {
        let place = waiting.lastIndex { $0.time <= time }.map { $0 + 1 } ?? waiting.startIndex
        waiting.insert(Cue(time: time, kind: kind, countdown: countdown), at: place)
    }
}
