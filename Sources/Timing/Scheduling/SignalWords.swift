internal import Scores

/// A word for which there was no room.
package enum MissedWord: Sendable, Hashable {
    /// A text at a time of a plan.
    case remark(String)
    /// The announcement of an interval of a plan, with the name of the interval.
    case announcement(String)
}

// Where words go: before their moments, and around countdowns and each other.
extension SignalQueue {
    enum WordPlace {
        case found(SpokenWord, Range<Duration>)
        /// Its sound is not ready yet.
        case notReady
        case noRoom
    }

    /// Finds a place for a word, or for the longest announcement that has one.
    mutating func place(_ word: Unspoken, from earliest: Duration, _ speaker: any Speaker) -> WordPlace {
        var spoken: [SpokenWord] = []
        for text in word.texts {
            guard let ready = speaker.word(text) else { return .notReady }
            spoken.append(ready)
            let times =
                if let begin = word.begin, word.isCount {
                    counted(ready.duration, at: begin, from: earliest)
                } else if let begin = word.begin {
                    late(ready.duration, from: max(begin, earliest))
                } else if word.isAnnouncement {
                    announcement(word, ready.duration, from: earliest)
                } else {
                    place(word, ready.duration, from: earliest)
                }
            if let times { return .found(ready, times) }
        }
        guard word.isAnnouncement, word.begin == nil else { return .noRoom }
        // If other words are in the way, it comes before them.
        for ready in spoken {
            let soonest = max(earliest, word.room ?? earliest)
            if let times = obstacles.latest(ready.duration, endingBy: word.end, from: soonest) {
                return .found(ready, times)
            }
        }
        if let name = spoken.last, let times = replaceCountdown(word, name.duration, from: earliest) {
            return .found(name, times)
        }
        return .noRoom
    }

    /// The place of the number of a beat: at the beat, if the number before it has ended.
    private func counted(_ length: Duration, at begin: Duration, from earliest: Duration) -> Range<Duration>? {
        let times = begin..<(begin + length)
        return begin < earliest || said.contains { $0.times.overlaps(times) } ? nil : times
    }

    /// The place of a word that could not be said before its moment: at once, if no other word and no countdown is there.
    private func late(_ length: Duration, from begin: Duration) -> Range<Duration>? {
        let times = begin..<(begin + length)
        return (countdowns.map(\.times) + said.map(\.times)).contains { $0.overlaps(times) } ? nil : times
    }

    /// The place of an announcement before the countdown or at its moment, over no click or word; nil if it has none.
    private func announcement(_ word: Unspoken, _ length: Duration, from earliest: Duration) -> Range<Duration>? {
        let end = countdown(to: word.end).map { $0.times.lowerBound - SignalQueue.gap } ?? word.end
        let times = (end - length)..<end
        let isFree = times.lowerBound >= max(earliest, word.room ?? earliest)
        return isFree && !obstacles.contains { $0.overlaps(times) } ? times : nil
    }

    /// Puts a name in the place of the countdown if the interval is too short for both; nil if there is no room.
    private mutating func replaceCountdown(
        _ word: Unspoken, _ length: Duration, from earliest: Duration
    ) -> Range<Duration>? {
        guard let countdown = countdown(to: word.end), !countdown.isFixed, let room = word.room, room >= earliest else {
            return nil
        }
        var rest = self
        rest.remove(countdown)
        guard let times = rest.obstacles.latest(length, endingBy: word.end, from: room) else { return nil }
        remove(countdown)
        return times
    }

    private func countdown(to end: Duration) -> Countdown? { countdowns.first { $0.times.upperBound == end } }

    /// The times that announcements and remarks keep free.
    var obstacles: [Range<Duration>] {
        said.map { ($0.times.lowerBound - SignalQueue.gap)..<($0.times.upperBound + SignalQueue.gap) }
            + countdowns.map { ($0.times.lowerBound - SignalQueue.gap)..<$0.times.upperBound }
            + remarks.signals.map { $0..<($0 + SignalQueue.clickLength) }
    }

    /// Finds a place for a word; nil if it would cover another word or is too late. The word ends at its moment, or
    /// earlier: before the first tick of a countdown that it would cover, and before other words of that moment. If
    /// there is no room for that, it replaces the countdown, provided that no tick has sounded.
    private mutating func place(_ word: Unspoken, _ length: Duration, from earliest: Duration) -> Range<Duration>? {
        let soonest = max(earliest, word.room ?? earliest)
        if let times = times(word, length, besides: countdowns), times.lowerBound >= soonest { return times }
        guard let times = times(word, length, besides: []), times.lowerBound >= earliest else { return nil }
        let covered = countdowns.filter { $0.times.overlaps(times) }
        let isWhole = covered.allSatisfy { countdown in
            countdown.times.lowerBound >= earliest
                && waiting.count { $0.countdown == countdown.number } == countdown.ticks
        }
        guard isWhole else { return nil }
        for countdown in covered { remove(countdown) }
        return times
    }

    /// The latest place for a word in which it covers no other word and none of these countdowns; nil if there is none.
    private func times(_ word: Unspoken, _ length: Duration, besides countdowns: [Countdown]) -> Range<Duration>? {
        var times = (word.end - length)..<word.end
        // Each turn moves the word back, before one countdown or word.
        for _ in 0...(countdowns.count + said.count) {
            let ticks = countdowns.first { $0.times.overlaps(times) }
            let other = said.first { $0.times.overlaps(times) }
            if let other, other.end != word.end { return nil }
            guard let begin = ticks?.times.lowerBound ?? other?.times.lowerBound else { return times }
            times = (begin - SignalQueue.gap - length)..<(begin - SignalQueue.gap)
        }
        return nil
    }
}

extension [Range<Duration>] {
    /// The latest time of a length between `start` and `end` that overlaps none of these; nil if there is none.
    func latest(_ length: Duration, endingBy end: Duration, from start: Duration) -> Range<Duration>? {
        var times = (end - length)..<end
        while times.lowerBound >= start {
            guard let obstacle = first(where: { $0.overlaps(times) }) else { return times }
            times = (obstacle.lowerBound - length)..<obstacle.lowerBound
        }
        return nil
    }

    /// The earliest time of a length between `start` and `end` that overlaps none of these; nil if there is none.
    func earliest(_ length: Duration, from start: Duration, endingBy end: Duration) -> Range<Duration>? {
        var times = start..<(start + length)
        while times.upperBound <= end {
            guard let obstacle = first(where: { $0.overlaps(times) }) else { return times }
            times = obstacle.upperBound..<(obstacle.upperBound + length)
        }
        return nil
    }
}
