internal import Languages
internal import Playback
internal import Scores
internal import Timing

/// The words of a page that plays by itself: when each is said in music that is played from its beginning, and its sound.
struct SentSpeech {
    /// Frames per second of the words.
    static let rate = 16_000
    /// The longest sound of all words, in s.
    static let longest = 900.0

    /// A word that has been placed.
    private struct Placed {
        var word: SpokenWord
        /// When it begins and ends, in s after time zero.
        var begin: Double
        var end: Double { begin + word.duration / .seconds(1) }
    }

    /// Takes the words of a scheduler.
    private struct Words: EventSink {
        let zero: Int64
        var words: [Placed] = []
        var hasRoom: Bool { true }

        mutating func push(_ event: Event) -> Bool {
            guard case .speech(let word, _) = event.kind else { return true }
            words.append(Placed(word: word, begin: Double(event.position.frame - zero) / Double(SentSpeech.rate)))
            return true
        }
    }

    /// The moment at which a word begins, in the music or by the clock.
    private enum Place {
        /// It begins so many seconds before a boundary, at every speed; or after it, because the player decides when that is.
        case before(Int, lead: Double, isAwaited: Bool = false)
        /// It counts a beat so many seconds before a boundary; if it follows the speed, at that of the file.
        case count(Int, lead: Double, follows: Bool)
        /// It begins so many seconds after a moment in the bar of a boundary: `offset` is music, and follows the speed.
        case after(Int, offset: Double, delay: Double)
    }

    /// The sounds of the page, each text once.
    private struct Clips {
        private(set) var words: [SpokenWord] = []
        private var numbers: [String: Int] = [:]
        private var seconds = 0.0

        /// The number of a word. Errors: with it, all last too long.
        mutating func number(_ word: SpokenWord) throws(TextError) -> Int {
            if let number = numbers[word.text] { return number }
            seconds += word.duration / .seconds(1)
            guard seconds <= SentSpeech.longest else {
                throw TextError(
                    localized("the words of the voice last more than 15 minutes, too long for a page"),
                    hint: localized("let it say less, or write a part of the piece"))
            }
            numbers[word.text] = words.count
            words.append(word)
            return words.count - 1
        }
    }

    private let performance: Performance
    private let speech: SpeechSettings
    /// Whether its bars are the intervals of a plan.
    private let isPlan: Bool
    /// The texts at places of a plan, with the time of each.
    private let remarks: [(text: String, position: Duration, time: Double)]
    /// The words at half time and at the last minute, with the time of their click: they are said wherever that is heard.
    private let signals: [(name: String, text: String, time: Double)]

    private init(_ performance: Performance, _ speech: SpeechSettings) {
        (self.performance, self.speech) = (performance, speech)
        isPlan = performance.passage.bar(of: 0).announcement != nil
        let (passage, speed, cues) = (performance.passage, performance.speed, performance.cues)
        let (from, end) = (passage.position(of: performance.first), passage.total ?? .zero)
        func seconds(_ position: Duration) -> Double { speed.realDuration(of: position - from) / .seconds(1) }
        remarks = passage.remarks(in: from..<max(end, from)).map { ($0.text, $0.position, seconds($0.position)) }
        let halfTime = ("halfTime", speech.language.halfTime, seconds(end / 2))
        let minuteLeft = ("minuteLeft", speech.language.minuteLeft, seconds(end) - 60)
        signals = (cues.halfTime ? [halfTime] : []) + (cues.minuteLeft ? [minuteLeft] : [])
    }

    /// The words of a performance that has a speaker of words at `rate`, as JSON.
    ///
    /// Errors: they are too long.
    static func json(_ performance: Performance) throws(TextError) -> JSON {
        guard let speech = performance.cues.speech, let speaker = performance.speaker else { return .null }
        return try SentSpeech(performance, speech).json(speaker)
    }

    private func json(_ speaker: any Speaker) throws(TextError) -> JSON {
        let words = placed() + awaited(speaker)
        var (clips, said): (Clips, [Int: [JSON]]) = (Clips(), [:])
        for each in words where !signals.contains(where: { $0.text == each.word.text }) {
            let place = place(each)
            let number = try clips.number(each.word)
            switch place {
            case .before(let n, let lead, let isAwaited):
                let other = try atOtherSpeeds(each.word, n, speaker).map { word throws(TextError) in
                    try clips.number(word)
                }
                said[n, default: []].append(
                    .list([.number(isAwaited ? 2 : 0), .number("\(lead)"), .number(number), .number(other ?? -1)]))
            case .count(let n, let lead, let follows):
                said[n, default: []].append(
                    .list([.number(3), .number("\(lead)"), .number(number), .number(follows ? 1 : 0)]))
            case .after(let n, let offset, let delay):
                said[n, default: []].append(
                    .list([.number(1), .number("\(offset)"), .number(number), .number("\(delay)")]))
            }
        }
        var signalled: [(String, JSON)] = []
        for (name, text, time) in signals {
            guard let word = speaker.word(text) else { continue }
            // In a plan it follows the click, otherwise it ends there.
            let usual = isPlan ? 0.2 : -(word.duration / .seconds(1))
            let delay = words.first { $0.word.text == text }.map { $0.begin - time } ?? usual
            signalled.append((name, .list([.number(try clips.number(word)), .number("\(delay)")])))
        }
        return .object([
            "level": .number("\(speech.level.isSilent ? -999 : speech.level.decibels)"),
            "rate": .number(SentSpeech.rate),
            "said": .fields(said.sorted { $0.key < $1.key }.map { ("\($0.key)", .list($0.value)) }),
            "signals": .fields(signalled),
            "clips": .list(clips.words.map { .text(Base64.text(ADPCM.encoded($0.samples))) }),
            "lengths": .list(clips.words.map { .number("\($0.duration / .seconds(1))") }),
            "texts": .list(clips.words.map { .text($0.text) }),
        ])
    }

    // MARK: - Texts

    /// What can be said of a boundary, ever shorter, at a speed or at that of the file.
    private func texts(_ n: Int, at speed: Speed? = nil) -> [String] {
        let (passage, speed) = (performance.passage, speed ?? performance.speed)
        guard passage.has(boundary: n) else { return [] }
        if isPlan {
            return speech.announcements(
                ofBoundary: n, in: passage, speed: speed, isPracticed: !performance.countsPasses)
        }
        var short = speech
        short.durations = false
        return [speech, short].map { $0.text(forBoundary: n, in: passage, speed: speed) }.filter { !$0.isEmpty }
    }

    /// The word that takes the place of another one before a boundary if the page plays at another speed than the file. It
    /// leaves out what would be wrong then; nil if nothing is left.
    private func atOtherSpeeds(_ word: SpokenWord, _ n: Int, _ speaker: any Speaker) -> SpokenWord? {
        let texts = texts(n)
        guard texts.contains(word.text) else { return word }
        let others = self.texts(n, at: performance.speed == .asWritten ? Speed(millionths: 500_000) : .asWritten)
        let text = ([word.text] + texts).first(where: others.contains)
        return text == word.text ? word : text.flatMap(speaker.word)
    }

    // MARK: - Times

    /// The words in the order of their beginnings, as the program places them when nobody touches anything.
    private func placed() -> [Placed] {
        var performance = performance
        performance.waits = false
        var scheduler = Scheduler(performance, rate: SentSpeech.rate)
        var sink = Words(zero: performance.zeroFrame(rate: SentSpeech.rate))
        let end = (scheduler.endFrame ?? 0) + 10 * Int64(SentSpeech.rate)
        for frame in stride(from: Int64(0), through: end, by: 4 * SentSpeech.rate) {
            _ = scheduler.schedule(before: frame, into: &sink)
        }
        return sink.words
    }

    /// The announcements of intervals that come when the player goes on; the page says them after that moment.
    private func awaited(_ speaker: any Speaker) -> [Placed] {
        let passage = performance.passage
        guard performance.waits, isPlan else { return [] }
        return (performance.first..<max(passage.count ?? 0, performance.first)).compactMap { n in
            guard performance.onlyWaits(before: n), let word = texts(n).first.flatMap(speaker.word) else { return nil }
            return Placed(word: word, begin: due(n) - word.duration / .seconds(1))
        }
    }

    /// The seconds from the beginning to a boundary.
    private func due(_ n: Int) -> Double {
        let passage = performance.passage
        let position = passage.position(of: n) - passage.position(of: performance.first)
        return performance.speed.realDuration(of: position) / .seconds(1)
    }

    /// The last boundary that is due by a time.
    private func boundary(at time: Double) -> Int {
        var (low, high) = (performance.first, (performance.passage.count ?? 0) + 1)
        while high - low > 1 {
            let middle = (low + high) / 2
            if due(middle) <= time { low = middle } else { high = middle }
        }
        return low
    }

    /// Whether a word counts a beat before one of these boundaries.
    private func isCount(_ word: Placed, _ boundaries: [Int]) -> Bool {
        speech.counts && !isPlan && Int(word.word.text) != nil
            && boundaries.contains { !texts($0).contains(word.word.text) }
    }

    /// The place of a word: before the boundary of which it tells, or after its own moment in a bar.
    private func place(_ word: Placed) -> Place {
        let (passage, count) = (performance.passage, performance.passage.count ?? 0)
        if let remark = remarks.last(where: { $0.text == word.word.text && $0.time <= word.begin + 0.002 }) {
            let n = passage.boundary(at: remark.position)
            return .after(
                n, offset: (remark.position - passage.position(of: n)) / .seconds(1), delay: word.begin - remark.time)
        }
        let last = boundary(at: word.end + 0.002)
        var next = due(last) >= word.end - 0.002 && due(last) > word.begin ? last : last + 1
        // An interval until the lap button lasts a millisecond.
        while next > performance.first, due(next - 1) >= word.end - 0.002, due(next - 1) > word.begin { next -= 1 }
        let near = (next...max(next, count)).prefix { $0 <= count && due($0) - word.end <= 12 }
        let told = near.first { texts($0).contains(word.word.text) } ?? near.first
        let first = performance.first
        if word.end <= due(first) {
            let lead = due(first) - word.begin
            guard isCount(word, [first]) else { return .before(first, lead: lead) }
            let countIn = CountIn(performance, to: first, at: performance.speed)
            return .count(first, lead: lead, follows: countIn.followsSpeed)
        }
        if let told {
            let near = near.filter(performance.warnsByBeats)
            if isCount(word, near) { return .count(told, lead: due(told) - word.begin, follows: true) }
            return .before(told, lead: due(told) - word.begin, isAwaited: isPlan && performance.onlyWaits(before: told))
        }
        let here = boundary(at: word.begin)
        guard here < count else { return .after(here, offset: 0, delay: word.begin - due(here)) }
        let speed = performance.speed.percent / 100
        return .after(here, offset: (word.begin - due(here)) * speed, delay: 0)
    }
}
