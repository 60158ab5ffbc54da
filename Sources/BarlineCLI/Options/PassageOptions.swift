internal import ArgumentParser
internal import Formats
internal import Scores
internal import UserSettings
internal import Timing

/// Which score, which of its bars, and how fast: what every command that goes through a score has in common.
struct PassageOptions: ParsableArguments {
    @Argument(help: "A score file, the name of a score, or - for standard input.")
    var score: String

    @Option(
        help: ArgumentHelp(
            "The score's format, where its name does not tell it: \(PassageOptions.formats).", valueName: "format"),
        transform: OptionText.format)
    var format: ScoreFormat?

    @Option(
        help: ArgumentHelp("Start at a place: 5.7 (line 5, bar 7), 57 (the 57th bar) or a label.", valueName: "place"))
    var from: String?

    @Option(
        help: ArgumentHelp(
            "Play to the end of a place (a bar, or a labeled line); what repeats forever, also for a time: 30:00.",
            valueName: "place"))
    var to: String?

    // What may be mistyped as negative is taken as a value, so that the message is about the value.
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("100% is as written; at 50% a bar of 3 s lasts 6 s.", valueName: "percent"),
        transform: OptionText.speed)
    var speed: Speed?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("How many times to play it.", valueName: "n"))
    var times: Int?

    @OptionGroup var planOptions: PlanOptions

    private static let formats = ScoreFormat.allCases.filter(\.canRead).map(\.rawValue).joined(separator: ", ")

    func validate() throws {
        if let times, !(1...1_000_000).contains(times) { throw ValidationError("--times is 1 to 1000000") }
    }

    /// The score as the user's settings have it, the passage through it, and whether it is a plan of intervals; the settings
    /// with the score among them. `loops` makes the passage endless.
    func passage(
        loops: Bool = false, spoken language: SpokenLanguage = .en
    ) throws -> (score: Score, passage: Passage, isPlan: Bool, settings: Settings) {
        let (page, preferences, isPlan) = try LoadedScore.read(self.score, format: format, spoken: language)
        var settings = try LoadedSettings.get()
        var score = settings.applied(to: page, preferences: preferences)
        settings.take(page, preferences: preferences)
        try planOptions.choose(in: &score)
        let timeline = Timeline(score)
        let rounds = score.isEndless ? try rounds(of: timeline) : nil
        let bars = try PassageOptions.bars(timeline, from: ("--from", from), to: ("--to", rounds == nil ? to : nil))
        // What repeats forever ends where one says so.
        let isEndless = loops || score.isEndless && times == nil && to == nil
        let passes = isEndless ? nil : rounds ?? times ?? 1
        return (score, try Passage(timeline, bars: bars, passes: passes).withinLimit(), isPlan, settings)
    }

    /// How many rounds of what repeats forever begin before `--to` as a time; nil where it is none.
    private func rounds(of timeline: Timeline) throws -> Int? {
        guard let to, to.contains(":"), let time = try? Duration(scoreText: to, as: .time) else { return nil }
        guard times == nil, from == nil, time > .zero else {
            throw Failure.exit(.usage, "--to with a time goes with neither --from nor --times, and is more than zero")
        }
        return Int((time.attoseconds + timeline.total.attoseconds - 1) / timeline.total.attoseconds)
    }

    /// The bars between two places, each with the option that names it.
    static func bars(
        _ timeline: Timeline, from: (option: String, text: String?), to: (option: String, text: String?)
    ) throws -> Range<Int> {
        let first = try place(from.text, option: from.option, in: timeline)?.lowerBound ?? 0
        let end = try place(to.text, option: to.option, in: timeline)?.upperBound ?? timeline.barCount
        guard first < end else {
            throw Failure.exit(
                .usage,
                "\(from.option) \(from.text ?? "") lies behind \(to.option) \(to.text ?? ""): there is nothing to play")
        }
        return first..<end
    }

    private static func place(_ text: String?, option: String, in timeline: Timeline) throws -> Range<Int>? {
        guard let text else { return nil }
        do throws(PlaceError) {
            return try Place(text, in: timeline).bars
        } catch {
            throw Failure.exit(.usage, "\(option): \(error)")
        }
    }
}

extension Passage {
    /// The passage itself. Throws where it would last longer than can be played or written down.
    func withinLimit() throws -> Passage {
        if let excess { throw Failure.exit(.usage, excess) }
        return self
    }
}
