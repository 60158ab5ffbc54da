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

    /// The words of a performance that has a speaker of words at `rate`, as JSON.
    ///
    /// Errors: they are too long.
    static func json(_ performance: Performance) throws(TextError) -> JSON {
        guard let speech = performance.cues.speech, performance.speaker != nil else { return .null }
        let words = placed(performance)
        var (numbers, clips, texts, seconds): ([String: Int], [JSON], [JSON], Double) = ([:], [], [], 0)
        var said: [(Int, [JSON])] = []
        for each in words {
            if numbers[each.word.text] == nil {
                seconds += each.end - each.begin
                guard seconds <= longest else {
                    throw TextError(
                        localized("the words of the voice last more than 15 minutes, too long for a page"),
                        hint: localized("let it say less, or write a part of the piece"))
                }
                numbers[each.word.text] = clips.count
                clips.append(.text(Base64.text(ADPCM.encoded(each.word.samples))))
                texts.append(.text(each.word.text))
            }
            let (n, isAfter, time) = place(each, performance)
            let row = JSON.list([
                .number(isAfter ? 1 : 0), .number("\(time)"), .number(numbers[each.word.text] ?? 0),
                .number("\(each.end - each.begin)"),
            ])
            if said.last?.0 == n { said[said.count - 1].1.append(row) } else { said.append((n, [row])) }
        }
        return .object([
            "level": .number("\(speech.level.isSilent ? -999 : speech.level.decibels)"), "rate": .number(rate),
            // At another speed, these would be wrong.
            "isBound": .number(speech.pace || speech.speed || speech.durations ? 1 : 0),
            "said": .fields(merged(said)), "clips": .list(clips), "texts": .list(texts),
        ])
    }

    /// The words in the order of their beginnings, as the program places them when nobody touches anything.
    private static func placed(_ performance: Performance) -> [Placed] {
        var performance = performance
        performance.waits = false
        var scheduler = Scheduler(performance, rate: rate)
        var sink = Words(zero: performance.zeroFrame(rate: rate))
        let end = (scheduler.endFrame ?? 0) + 10 * Int64(rate)
        for frame in stride(from: Int64(0), through: end, by: 4 * rate) {
            _ = scheduler.schedule(before: frame, into: &sink)
        }
        return sink.words
    }

    /// The boundary to which a word leads, with the seconds from its beginning to the boundary; or, of a word that says
    /// something in the middle of a bar, the boundary after which it begins, with the seconds from there.
    private static func place(_ word: Placed, _ performance: Performance) -> (n: Int, isAfter: Bool, time: Double) {
        let passage = performance.passage
        let first = passage.position(of: performance.first)
        func due(_ n: Int) -> Double {
            performance.speed.realDuration(of: passage.position(of: n) - first) / .seconds(1)
        }
        let count = passage.count ?? 0
        func boundary(at time: Double) -> Int {
            var (low, high) = (performance.first, count + 1)
            while high - low > 1 {
                let middle = (low + high) / 2
                if due(middle) <= time { low = middle } else { high = middle }
            }
            return low
        }
        let last = boundary(at: word.end + 0.002)
        if due(last) >= word.end - 0.002, due(last) > word.begin { return (last, false, due(last) - word.begin) }
        let next = word.end <= due(performance.first) ? performance.first : last + 1
        if next <= count, due(next) - word.end <= 12 { return (next, false, due(next) - word.begin) }
        let here = boundary(at: word.begin)
        return (here, true, word.begin - due(here))
    }

    /// The rows by their boundaries.
    private static func merged(_ said: [(n: Int, rows: [JSON])]) -> [(String, JSON)] {
        var rows: [Int: [JSON]] = [:]
        for each in said { rows[each.n, default: []] += each.rows }
        return rows.sorted { $0.key < $1.key }.map { ("\($0.key)", .list($0.value)) }
    }
}
