internal import ArgumentParser
internal import Languages
internal import Scores
internal import Screens
internal import UserSettings
internal import Timing

/// The bars of a score and the speed: options that all commands that go through a score have in common.
struct PassageOptions: ParsableArguments {
    @OptionGroup var inputOptions: InputOptions

    @Option(
        help: .localized(
            "Start at a place: 5.7 (line 5, bar 7), 57 (the 57th bar), a label, or a time: 2:30.", valueName: "place"),
        completion: .place)
    var from: String?

    @Option(
        help: .localized(
            "Play to the end of a bar or labeled line; a score that repeats forever, also for a time: 30:00.",
            valueName: "place"), completion: .place)
    var to: String?

    // `.unconditional`, so that a negative number is read as a value and the error is about that value.
    @Option(
        parsing: .unconditional,
        help: .localized("The speed: 100% is as written; at 50%, a bar of 3 s lasts 6 s.", valueName: "percent"),
        transform: OptionText.speed)
    var speed: Speed?

    @Option(
        parsing: .unconditional, help: .localized("How many times to play it.", valueName: "n"))
    var times: Int?

    @OptionGroup var planOptions: PlanOptions
    @OptionGroup var weekOptions: WeekOptions

    /// Whether any of these options was given.
    var isGiven: Bool {
        let (input, plan) = (inputOptions, planOptions)
        let values: [Any?] = [
            from, to, speed, times, input.format, input.tempoOptions.tempi, input.gapOptions.open,
            input.gapOptions.threshold, plan.order, plan.realize, plan.voice,
        ]
        return values.contains { $0 != nil } || input.strict || weekOptions.choice.isGiven
    }

    func validate() throws {
        if let times, !(1...1_000_000).contains(times) {
            throw ValidationError(localized("--times must be 1 to 1000000"))
        }
    }

    /// The score with the user's settings applied, the passage through it and the boundary at which it begins, its
    /// words, and the settings including the score's. `loops` makes the passage endless.
    ///
    /// `--from` with `--to` chooses the bars of the passage; alone, it only chooses where the first pass begins.
    func passage(
        of choice: ScoreChoice, loops: Bool = false, spoken language: Language = .en, canWait: Bool = false
    ) throws -> (score: Score, passage: Passage, first: Int, words: any PieceWords, settings: Settings) {
        let (page, preferences, words) = try choice.read(reading(spoken: language, canWait: canWait))
        var settings = try LoadedSettings.get()
        var score = settings.applied(to: page, preferences: preferences)
        // The bars of a plan are its intervals, and have no beats.
        if words.plan != nil { score.countIn = score.countIn.isOfTime ? score.countIn : page.countIn }
        settings.take(page, preferences: preferences)
        try planOptions.choose(in: &score)
        let timeline = Timeline(score)
        let rounds = score.isEndless ? try rounds(of: timeline) : nil
        var bars = try PassageOptions.bars(timeline, from: ("--from", from), to: ("--to", rounds == nil ? to : nil))
        let first = to == nil ? bars.lowerBound : 0
        if to == nil { bars = 0..<timeline.barCount }
        // A score that repeats forever ends only with --times or --to.
        let isEndless = loops || score.isEndless && times == nil && to == nil
        let passes = isEndless ? nil : rounds ?? times ?? 1
        return (score, try Passage(timeline, bars: bars, passes: passes).withinLimit(), first, words, settings)
    }

    /// Forgets the options that apply to the first score of a set list only.
    mutating func forgetFirstScore() {
        (from, to) = (nil, nil)
        (weekOptions.week, weekOptions.day, weekOptions.start) = (nil, nil, nil)
    }

    /// How a score is read for these options.
    func reading(spoken language: Language = .en, canWait: Bool = false) -> LoadedScore.Choice {
        var choice = inputOptions.choice(spoken: language, canWait: canWait)
        choice.workout = weekOptions.choice
        return choice
    }

    /// How many rounds of an endless score begin before the time in `--to`; nil if `--to` is not a time.
    private func rounds(of timeline: Timeline) throws -> Int? {
        guard let to, to.contains(":"), let time = try? Duration(scoreText: to, as: .time) else { return nil }
        guard times == nil, from == nil, time > .zero else {
            throw Failure.exit(
                .usage, localized("--to with a time must be more than zero, and cannot be used with --from or --times"))
        }
        return Int((time.attoseconds + timeline.total.attoseconds - 1) / timeline.total.attoseconds)
    }

    /// The bars between two places; each place comes with the name of its option, for messages.
    static func bars(
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
    func withinLimit() throws -> Passage {
        if let excess { throw Failure.exit(.usage, excess) }
        return self
    }
}
