internal import Scores

/// A voice during a bar of the leading one, for the clicks that announce its entries and the ends of its holds.
struct SignalVoice {
    /// The voice by itself, and how it sounds.
    let performance: Performance
    /// When the positions of its own bars are heard. It begins where the voice goes on without a jump up to this bar.
    let anchor: Anchor
    /// Its number, as in `Event`.
    let number: Int
    /// Its bars that sound meanwhile.
    let bars: Range<Int>

    /// The leading voice.
    init(leading performance: Performance, _ anchor: Anchor) {
        (self.performance, self.anchor, bars) = (performance, anchor, 0..<performance.passage.timeline.barCount)
        number = performance.passage.timeline.voices.isEmpty ? 0 : 1
    }

    /// A companion, from 0, during the bar of boundary `n`.
    init(companion: Int, _ performance: Performance, _ anchor: Anchor, inBar n: Int) {
        let (passage, voice) = (performance.passage, performance.passage.timeline.companions[companion])
        let (index, speed) = (passage.bar(of: n).index, passage.stretch(of: n).speed)
        let span = passage.timeline.start(ofBar: index)..<passage.timeline.start(ofBar: index + 1)
        var own = performance
        own.passage = Passage(voice, [Passage.Stretch(0..<voice.barCount, speed: speed)])
        // Silent bars are those of the leading voice.
        (own.first, own.silence) = (0, nil)
        // In a stretch, all voices go on together.
        let first = passage.boundaries(aroundBoundary: n).lowerBound
        let start = passage.timeline.start(ofBar: passage.bar(of: first).index)
        let here = Anchor(
            time: anchor.time(of: passage.position(of: first)), position: speed.realDuration(of: start),
            speed: anchor.speed)
        let begin = max(anchor.time, here.time)
        self.performance = own
        self.anchor = Anchor(time: begin, position: here.position(at: begin), speed: anchor.speed)
        (number, bars) = (companion + 2, voice.bars(during: span))
    }

    /// When its bar `n` begins.
    func begin(ofBar n: Int) -> Duration { anchor.time(of: performance.passage.position(of: n)) }

    /// The clicks that warn of its bar `n`, from the last to the first.
    func warnings(before n: Int) -> [Performance.Warning] {
        performance.warns && performance.passage.has(boundary: n) ? performance.warnings(before: n, anchor) : []
    }

    func click(_ sound: ClickSound, _ level: Level) -> Event.Kind {
        .click(sound, amplitude: level.amplitude, voice: number)
    }
}

extension SignalQueue {
    /// Announces the ends of holds in bar `n` of a voice. Returns the ticks before the next bar, from the last to the first, if
    /// a hold ends there.
    mutating func endHolds(
        inBar n: Int, _ voice: SignalVoice, where isMeant: (HeldTime) -> Bool = { _ in true },
        _ isHeard: (Duration) -> Bool = { _ in true }
    ) -> [Event.Kind] {
        let (performance, anchor) = (voice.performance, voice.anchor)
        guard performance.announcesHolds, let level = performance.announcementLevel(inBar: n) else { return [] }
        for held in performance.heldTimes(inBar: n, anchor) where held.end >= anchor.time && isMeant(held) {
            let room = held.end - max(held.begin, anchor.time, lastCounted ?? held.begin)
            // A hold of exactly three seconds has three ticks: the first when it begins.
            let count = (0..<performance.cues.holdEnd.ticks).prefix { .seconds($0 + 1) <= room }.count
            let ticks = Array(repeating: voice.click(.warning, level), count: count)
            if held.endsBar { return ticks }
            countDown(ticks, to: held.end, where: isHeard)
            if isHeard(held.end) { add(held.end, voice.click(.beat, level)) }
        }
        return []
    }

    /// Adds the clicks that warn of the entry of a voice with its bar `n`; returns their times.
    @discardableResult
    mutating func warn(
        before n: Int, _ voice: SignalVoice, where isHeard: (Duration) -> Bool = { _ in true }
    ) -> [Performance.Warning] {
        let warnings = voice.warnings(before: n)
        for warning in warnings where isHeard(warning.time) {
            add(warning.time, voice.click(.warning, voice.performance.warningLevel))
        }
        return warnings
    }

    /// Announces the holds and the entries of the other voices from the boundary before `n` to this one.
    mutating func drawUpCompanions(
        before n: Int, _ due: Duration, _ performance: Performance, _ anchor: Anchor
    ) {
        let (passage, counted) = (performance.passage, lastCounted)
        guard !passage.timeline.companions.isEmpty, performance.announcesHolds || performance.warns else { return }
        // A tick that all hear is not doubled, and silent bars are those of the leading voice.
        let ticks = waiting.filter { if case .click(.warning, _, voice: 0) = $0.kind { true } else { false } }
        func isHeard(_ time: Duration) -> Bool {
            !ticks.contains { $0.time.isSame(as: time) }
                && performance.silence?.isSilent(passage.boundary(at: anchor.position(at: time))) != true
        }
        for companion in passage.timeline.companions.indices {
            if n > 0 {
                let voice = SignalVoice(companion: companion, performance, anchor, inBar: n - 1)
                let begin = anchor.time(of: passage.position(of: n - 1))
                for bar in voice.bars {
                    // Each voice counts by itself.
                    lastCounted = nil
                    let start = voice.begin(ofBar: bar)
                    if start > begin, !start.isSame(as: begin) {
                        warn(before: bar, voice, where: isHeard)
                    }
                    let held = endHolds(inBar: bar, voice, where: { $0.isIn(begin..<due) }, isHeard)
                    // Warnings take the place of a countdown here, too.
                    guard voice.warnings(before: bar + 1).isEmpty else { continue }
                    countDown(held, to: voice.begin(ofBar: bar + 1), where: isHeard)
                }
            }
            guard passage.has(boundary: n) else { continue }
            let voice = SignalVoice(companion: companion, performance, anchor, inBar: n)
            if let bar = voice.bars.first, voice.begin(ofBar: bar).isSame(as: due) {
                warn(before: bar, voice, where: isHeard)
            }
        }
        lastCounted = counted
    }
}
