internal import ArgumentParser
internal import Score
internal import Timing

/// Which score, which of its bars, and how fast: what every command that walks through a score has in common.
struct WalkOptions: ParsableArguments {
    @Argument(help: "A score file, the name of a score, or - for standard input.")
    var score: String

    @Option(
        help: ArgumentHelp("Start at a place: 5.7 (line 5, bar 7), 57 (the 57th bar) or a label.", valueName: "place"))
    var from: String?

    @Option(
        help: ArgumentHelp(
            "Play to the end of a place (a bar, or a labelled line); what repeats forever, also for a time: 30:00.",
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

    @Option(
        help: ArgumentHelp("The order of sections, by its name in the score; 'page' for as written.", valueName: "name")
    )
    var order: String?

    @Option(
        help: ArgumentHelp("Draw times for open brackets: the same seed gives the same times.", valueName: "seed"),
        transform: OptionText.seed)
    var realize: UInt64?

    func validate() throws {
        if let times, !(1...1_000_000).contains(times) { throw ValidationError("--times is 1 to 1000000") }
    }

    /// The score, the walk through it, and whether it is a plan of intervals. `loops` makes the walk endless.
    func walk(loops: Bool = false) throws -> (score: Score, walk: Walk, isPlan: Bool) {
        var (score, isPlan) = try LoadedScore.read(self.score)
        if let order { try take(order: order, in: &score) }
        if let realize {
            guard !score.brackets.isEmpty else {
                throw Failure.exit(.usage, "--realize draws times for brackets, which the score does not have")
            }
            score.realization = realize
        }
        let timeline = Timeline(score)
        let first = try place(from, option: "--from", in: timeline)?.lowerBound ?? 0
        let rounds = score.isEndless ? try rounds(of: timeline) : nil
        let end = rounds == nil ? try place(to, option: "--to", in: timeline)?.upperBound : nil
        guard first < end ?? timeline.barCount else {
            throw Failure.exit(.usage, "--from \(from ?? "") lies behind --to \(to ?? ""): there is nothing to play")
        }
        // What repeats forever ends where one says so.
        let isEndless = loops || score.isEndless && times == nil && to == nil
        let bars = first..<(end ?? timeline.barCount)
        return (score, Walk(timeline, bars: bars, passes: isEndless ? nil : rounds ?? times ?? 1), isPlan)
    }

    /// How many rounds of what repeats forever begin before `--to` as a time; nil where it is none.
    private func rounds(of timeline: Timeline) throws -> Int? {
        guard let to, to.contains(":"), let time = try? Duration(scoreText: to, as: .time) else { return nil }
        guard times == nil, from == nil, time > .zero else {
            throw Failure.exit(.usage, "--to with a time goes with neither --from nor --times, and is more than zero")
        }
        return Int((time.attoseconds + timeline.total.attoseconds - 1) / timeline.total.attoseconds)
    }

    private func take(order: String, in score: inout Score) throws {
        let names = score.orders.map(\.name)
        guard order != "page" || names.contains(order) else {
            score.order = nil
            return
        }
        guard names.contains(order) else {
            let near = Suggestion.nearest(to: order, in: names).map { "; did you mean '\($0)'?" }
            let all = names.isEmpty ? "; the score has none" : "; the score has \(names.joined(separator: ", "))"
            throw Failure.exit(.usage, "--order: there is no order '\(order)'\(near ?? all)")
        }
        score.order = order
    }

    private func place(_ text: String?, option: String, in timeline: Timeline) throws -> Range<Int>? {
        guard let text else { return nil }
        do throws(PlaceError) {
            return try Place(text, in: timeline).bars
        } catch {
            throw Failure.exit(.usage, "\(option): \(error)")
        }
    }
}
