package import Languages
package import Scores
package import Screens
package import Timing
package import UserSettings

/// Which bars of a score are wanted, in which order, how often and how fast.
package struct PassageRequest: Sendable {
    /// How the score is read; its language and whether somebody can go on are set when it is.
    package var reading = LoadedScore.Choice()
    /// The places between which it goes; nil for the beginning and the end.
    package var from: String?
    package var to: String?
    /// nil for the speed of the score and the settings.
    package var speed: Speed?
    package var times: Int?
    /// Which order, brackets and voices of the score are played.
    package var version = VersionRequest()

    package init() {}

    /// The score with the user's settings applied, the passage through it and the boundary at which it begins, its
    /// words, the settings including the score's, and the paths of the files that the score names. `loops` makes the
    /// passage endless.
    ///
    /// `from` with `to` chooses the bars of the passage; alone, it only chooses where the first pass begins.
    package func passage(
        of choice: ScoreChoice, loops: Bool = false, spoken language: Language = .en, canWait: Bool = false
    ) throws -> (
        score: Score, passage: Passage, first: Int, words: any PieceWords, settings: Settings, files: [String]
    ) {
        let (page, preferences, words, files) = try choice.read(reading(spoken: language, canWait: canWait))
        var settings = try LoadedSettings.get()
        if words.plan != nil { settings.becomeThoseOfPlan() }
        var score = settings.applied(to: page, preferences: preferences)
        settings.take(page, preferences: preferences)
        try version.choose(in: &score)
        let timeline = Timeline(score)
        let rounds = score.isEndless ? try rounds(of: timeline) : nil
        let later = score.isEndless && to == nil ? laterBoundary(of: timeline) : nil
        var bars = try PassageRequest.bars(
            timeline, from: ("--from", later == nil ? from : nil), to: ("--to", rounds == nil ? to : nil))
        let first = later ?? (to == nil ? bars.lowerBound : 0)
        if to == nil { bars = 0..<timeline.barCount }
        // A score that repeats forever ends only with a number of times or a last bar.
        let isEndless = loops || score.isEndless && times == nil && to == nil
        let passes = isEndless ? nil : rounds ?? times ?? 1
        let passage = try Passage(timeline, bars: bars, passes: passes).withinLimit()
        return (score, passage, first, words, settings, files)
    }

    /// Forgets what is wanted of the first score of a set list only.
    mutating func forgetFirstScore() {
        (from, to) = (nil, nil)
        reading.workout = WorkoutChoice()
    }

    /// How a score is read for this request.
    package func reading(spoken language: Language = .en, canWait: Bool = false) -> LoadedScore.Choice {
        var choice = reading
        choice.language = language
        choice.gaps.canWait = canWait
        return choice
    }

    /// How many rounds of an endless score begin before the time in `to`; nil if `to` is not a time.
    private func rounds(of timeline: Timeline) throws -> Int? {
        guard let to, let time = try Failure.exitOnError(.usage, "--to: ", { try Place.time(to) }) else { return nil }
        guard times == nil, from == nil, time > .zero else {
            throw Failure.exit(
                .usage, localized("--to with a time must be more than zero, and cannot be used with --from or --times"))
        }
        return Int((time.attoseconds + timeline.total.attoseconds - 1) / timeline.total.attoseconds)
    }

    /// The boundary at the time in `from`, where an endless score comes to it only after its first pass; nil otherwise.
    private func laterBoundary(of timeline: Timeline) -> Int? {
        guard let from, timeline.bars(labeled: from) == nil, let time = try? Place.time(from) else { return nil }
        let passes = Int((time + SameMoment.tolerance).attoseconds / timeline.total.attoseconds)
        guard passes > 0, times.map({ passes < $0 }) ?? true else { return nil }
        return passes * timeline.barCount + timeline.bar(meantBy: time - timeline.total * passes)
    }

    /// The bars between two places; each place comes with the name of its option, for messages.
    package static func bars(
        _ timeline: Timeline, from: (option: String, text: String?), to: (option: String, text: String?)
    ) throws -> Range<Int> {
        let first = try place(from.text, option: from.option, in: timeline)?.lowerBound ?? 0
        let end = try place(to.text, option: to.option, in: timeline)?.upperBound ?? timeline.barCount
        guard first < end else {
            throw Failure.exit(
                .usage,
                localized(
                    "\(from.option) \(from.text ?? "") comes after \(to.option) \(to.text ?? ""): there is nothing to play"
                ))
        }
        return first..<end
    }

    private static func place(_ text: String?, option: String, in timeline: Timeline) throws -> Range<Int>? {
        try text.map { text in
            try Failure.exitOnError(.usage, "\(option): ") { try Place(text, in: timeline).bars }
        }
    }
}

extension Passage {
    /// The passage itself. Errors: it would last longer than can be played or written.
    package func withinLimit() throws -> Passage {
        if let excess { throw Failure.exit(.usage, excess) }
        return self
    }
}
