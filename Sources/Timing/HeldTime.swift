internal import Scores

// What is announced inside bars: the ends of holds, and entries after rests.

/// A hold that ends by itself, by the times of the music.
struct HeldTime: Sendable, Equatable {
    /// When the music stands still, and when it goes on.
    var begin, end: Duration
    /// Whether the bar ends with it, so that the next bar is heard at its end.
    var endsBar: Bool
    /// Whether it lasts until a cue, where one can be given.
    var waits: Bool

    /// Whether it ends during a bar of the leading voice. One that ends a bar with this one does.
    func isIn(_ span: Range<Duration>) -> Bool {
        span.moments.contains(endsBar ? end - SameMoment.tolerance * 2 : end)
    }
}

extension Performance {
    var announcesHolds: Bool { cues.holdEnd != .off && passage.timeline.anyVoice(\.hasHolds) }

    /// Whether there can be clicks that warn of entries.
    var warns: Bool { warning != .off || passage.timeline.anyVoice(\.hasWarnings) }

    /// The level of the clicks of announcements inside the bar that boundary `n` begins; nil if the bar has no clicks, or its
    /// voice has none.
    func announcementLevel(inBar n: Int) -> Level? {
        guard !clicksAreOff, silence?.isSilent(n) != true else { return nil }
        let (click, voice) = (passage.bar(of: n).written.click ?? BarClick(), passage.timeline.voice.click)
        guard !click.isSilent, !voice.isSilent else { return nil }
        return Level(decibels: clickLevel.decibels + click.decibels + voice.decibels)
    }

    /// The level of the clicks that warn of entries.
    var warningLevel: Level {
        let softer = passage.timeline.voice.click.decibels + SignalQueue.warningDecibels
        return Level(decibels: clickLevel.decibels + softer)
    }

    /// When holds inside the bar of boundary `n` begin and end, those at one place as one; without those that wait.
    func heldTimes(inBar n: Int, _ anchor: Anchor) -> [HeldTime] {
        let (start, speed) = (passage.position(of: n), passage.stretch(of: n).speed)
        func time(_ offset: Duration) -> Duration { anchor.time(of: start + speed.realDuration(of: offset)) }
        return passage.timeline.heldTimes(inBar: passage.bar(of: n).index, inner)
            .filter { !($0.waits && waits) && $0.end > $0.begin }
            .map { HeldTime(begin: time($0.begin), end: time($0.end), endsBar: $0.endsBar, waits: $0.waits) }
    }

    /// Whether the bar before boundary `n` only waits for the player, so that until then no word can be said.
    package func onlyWaits(before n: Int) -> Bool {
        guard waits, n > 0, let last = passage.lastWait, last >= n - 1 else {
            return false
        }
        return passage.timeline.heldTimes(inBar: passage.bar(of: n - 1).index, inner)
            .contains { $0.waits && $0.endsBar && $0.begin < SignalQueue.shortestWord }
    }

    /// A click that warns of an entry, and the number of its beat in its bar; nil between beats.
    typealias Warning = (time: Duration, number: Int?)

    /// The clicks that warn of boundary `n`, from the last to the first; empty if there is no warning. After a rest, which
    /// is a run of bars whose clicks are off, none is earlier than the rest.
    func warnings(before n: Int, _ anchor: Anchor) -> [Warning] {
        guard n > 0, !clicksAreOff, !passage.timeline.voice.click.isSilent, silence?.isSilent(n - 1) != true else {
            return []
        }
        let isAfterRest = passage.bar(of: n - 1).written.isRest
        let due = anchor.time(of: passage.position(of: n))
        let earliest = max(due - Performance.longestWarning, anchor.time)
        func canHave(_ bar: Int) -> Bool { !isAfterRest || passage.bar(of: bar).written.isRest }
        func seconds(_ length: Duration) -> [Warning] {
            guard length > .zero else { return [] }
            let count = max(Int(length.components.seconds), 1)
            return (1...count).map { second -> Warning in (due - min(.seconds(second), length), count + 1 - second) }
                .prefix { $0.time >= earliest && canHave(passage.boundary(at: anchor.position(at: $0.time))) }
        }
        func beats(_ count: Int, ofBars bars: Int) -> [Warning] {
            var found: [Warning] = []
            for bar in (max(n - bars, 0)..<n).reversed() {
                guard found.count < count, found.last.map({ $0.time >= earliest }) ?? true, canHave(bar) else { break }
                found += beatTimes(inBar: bar, anchor).reversed()
            }
            return found.prefix(count).prefix { $0.time >= earliest }
        }
        switch warningLead(before: n) {
        case .time(let length): return seconds(length)
        case .bars(let count): return beats(.max, ofBars: count)
        // A bar without beats: a beat lasts a second, as in count-ins.
        case .beats(let count) where passage.beats(of: n - 1, inner).isEmpty: return seconds(.seconds(count))
        case .beats(let count): return beats(count, ofBars: count)
        }
    }

    /// How the clicks before boundary `n`, which is not the first, warn of it.
    private func warningLead(before n: Int) -> Score.Lead {
        let entry = passage.bar(of: n).written
        let usual = passage.bar(of: n - 1).written.isRest && !entry.isRest ? warning : .off
        return (entry.isPlain ? nil : entry.details.warning?.clamped) ?? usual
    }

    /// Whether the clicks that warn of boundary `n` are beats, which follow the speed.
    package func warnsByBeats(before n: Int) -> Bool {
        guard n > 0, passage.has(boundary: n) else { return false }
        return switch warningLead(before: n) {
        case .time: false
        case .bars: true
        case .beats: !passage.beats(of: n - 1, inner).isEmpty
        }
    }

    /// No click warns of an entry that is farther away.
    static let longestWarning = Duration.seconds(60)

    /// The times and numbers of the beats in the bar of boundary `n`; of its beginning if it has no beats.
    private func beatTimes(inBar n: Int, _ anchor: Anchor) -> [Warning] {
        let (start, beats) = (passage.position(of: n), passage.beats(of: n, inner))
        guard !beats.isEmpty else { return [(anchor.time(of: start), 1)] }
        return beats.map { (anchor.time(of: start + $0.offset), $0.number) }
    }
}

extension Passage {
    /// The beats that are counted in the bar that boundary `n` begins, at the stretch's speed; empty if it has none.
    fileprivate func beats(of n: Int, _ settings: InnerSettings) -> [PlayedBeat] {
        let speed = stretch(of: n).speed
        return timeline.countedBeats(inBar: bar(of: n).index, settings).map { beat in
            var beat = beat
            if speed != .asWritten { beat.offset = speed.realDuration(of: beat.offset) }
            return beat
        }
    }
}

extension Timeline {
    /// Whether the page of one of the voices has something.
    fileprivate func anyVoice(_ hasIt: (Layout) -> Bool) -> Bool {
        hasIt(layout) || companions.contains { hasIt($0.layout) }
    }

    /// The holds inside bar `index`, by times after its beginning, with their nominal lengths.
    func heldTimes(inBar index: Int, _ settings: InnerSettings) -> [HeldTime] {
        guard layout.hasHolds, let (beats, details) = barBeats(index, settings) else { return [] }
        var times: [(at: Duration, held: HeldTime)] = []
        for (at, begin, hold) in beats.placed(details.holds) {
            let end = begin + hold.length
            if let last = times.last, last.at == at {
                times[times.count - 1].held.end = end
                times[times.count - 1].held.waits = last.held.waits || hold.waits
            } else {
                let held = HeldTime(begin: begin, end: end, endsBar: at == beats.music, waits: hold.waits)
                times.append((at, held))
            }
        }
        return times.map(\.held)
    }
}

extension Score.Bar {
    /// How its clicks sound; nil as usual.
    fileprivate var click: BarClick? { isPlain ? nil : details.click }

    /// Whether all its clicks are off.
    fileprivate var isRest: Bool { click?.isSilent ?? false }
}
