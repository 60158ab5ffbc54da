internal import Scores

/// The texts said at times of a plan: each as soon after its time as nothing else is heard, but before the next name.
struct RemarkQueue: Sendable {
    /// A text that has not been said yet.
    private struct Waiting: Sendable {
        var text: String
        /// The time at which it is to begin.
        var time: Duration
        /// The position in the passage; nil for a word of Barline's own.
        var position: Duration?
        /// The time by which it must have ended, if it comes after the last interval.
        var end: Duration?
    }

    struct Interval: Sendable {
        var times: Range<Duration>
        /// The shortest announcement of the next interval; nil for none.
        var name: String?
    }

    /// What becomes of a text.
    enum Outcome {
        case said(SpokenWord, Range<Duration>)
        case missed(MissedWord)
    }

    /// The intervals in which a text may be said, in order.
    var intervals: [Interval] = []
    /// The times of clicks inside intervals.
    private(set) var signals: [Duration] = []
    private var waiting: [Waiting] = []
    /// The position in the passage before which all texts have been taken; nil at the start.
    private var taken: Duration?
    /// The texts that have been said, each with its position and its time.
    private var said: [(position: Duration, text: String, time: Duration)] = []

    /// How late a text may be.
    private static let patience = Duration.seconds(60)

    /// Starts again at a time. Texts that have begun before that are not said again.
    mutating func restart(from time: Duration?) {
        (intervals, signals, waiting, taken) = ([], [], [], nil)
        said.removeAll { word in time.map { word.time >= $0 } ?? true }
    }

    /// Adds a word of Barline's own, at a signal or after the end.
    mutating func add(_ text: String, at time: Duration, until end: Duration? = nil, isSignal: Bool = false) {
        if isSignal { signals.append(time) }
        waiting.append(Waiting(text: text, time: time, position: nil, end: end))
    }

    /// Takes the texts of a passage before a time.
    mutating func take(before time: Duration, from earliest: Duration, _ passage: Passage, _ anchor: Anchor) {
        intervals.removeAll { $0.times.upperBound < earliest }
        signals.removeAll { $0 + SignalQueue.clickLength < earliest }
        said.removeAll { $0.time < earliest - RemarkQueue.patience * 2 }
        // A sound that is not ready by now will not come.
        waiting.removeAll { $0.time + RemarkQueue.patience * 2 < earliest }
        guard !passage.timeline.remarks.isEmpty else { return }
        // After a new start, a text that is late may still be waiting for its room.
        let begin = max(anchor.position, anchor.position(at: earliest - RemarkQueue.patience))
        let range = (taken ?? begin)..<max(taken ?? begin, anchor.position(at: time))
        taken = range.upperBound
        for (position, text) in passage.remarks(in: range) {
            let isSaid = said.contains { $0.position == position && $0.text == text && $0.time >= anchor.time }
            if !isSaid { waiting.append(Waiting(text: text, time: anchor.time(of: position), position: position)) }
        }
    }

    /// What becomes of the next text for which this is certain; nil if there is none.
    mutating func next(from earliest: Duration, besides cues: SignalQueue, _ speaker: any Speaker) -> Outcome? {
        for (index, word) in waiting.enumerated() {
            guard let spoken = speaker.word(word.text) else { continue }
            if let times = place(word, spoken.duration, from: earliest, besides: cues, speaker) {
                waiting.remove(at: index)
                if let position = word.position { said.append((position, word.text, times.lowerBound)) }
                return .said(spoken, times)
            }
            let isOver = intervals.last.map { $0.times.upperBound >= word.time + RemarkQueue.patience } ?? true
            guard isOver || word.end != nil || earliest > word.time + RemarkQueue.patience else { continue }
            waiting.remove(at: index)
            return .missed(.remark(word.text))
        }
        return nil
    }

    private func place(
        _ word: Waiting, _ length: Duration, from earliest: Duration, besides cues: SignalQueue,
        _ speaker: any Speaker
    ) -> Range<Duration>? {
        let obstacles = cues.obstacles
        if let end = word.end { return obstacles.earliest(length, from: max(word.time, earliest), endingBy: end) }
        for interval in intervals where interval.times.upperBound > word.time {
            let begin = max(word.time, interval.times.lowerBound + SignalQueue.clickLength, earliest)
            let due = interval.times.upperBound
            var end = (cues.countdowns.first { $0.times.upperBound == due }?.times.lowerBound ?? due) - SignalQueue.gap
            if let name = interval.name, !cues.said.contains(where: { $0.end == due }) {
                // A second, until the sound of the name is ready.
                end -= (speaker.word(name)?.duration ?? .seconds(1)) + SignalQueue.gap
            }
            if let times = obstacles.earliest(length, from: begin, endingBy: end) { return times }
        }
        return nil
    }
}
