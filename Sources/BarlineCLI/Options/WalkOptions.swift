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

    @Option(help: ArgumentHelp("Play to the end of a place (a bar, or a labelled line).", valueName: "place"))
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

    /// The score, and the walk through it. `loops` makes the walk endless.
    func walk(loops: Bool = false) throws -> (score: Score, walk: Walk) {
        var score = try LoadedScore.read(self.score)
        if let order { try take(order: order, in: &score) }
        if let realize {
            guard !score.brackets.isEmpty else {
                throw Failure.exit(.usage, "--realize draws times for brackets, which the score does not have")
            }
            score.realization = realize
        }
        let timeline = Timeline(score)
        let first = try place(from, option: "--from", in: timeline)?.lowerBound ?? 0
        let end = try place(to, option: "--to", in: timeline)?.upperBound ?? timeline.barCount
        guard first < end else {
            throw Failure.exit(.usage, "--from \(from ?? "") lies behind --to \(to ?? ""): there is nothing to play")
        }
        return (score, Walk(timeline, bars: first..<end, passes: loops ? nil : times ?? 1))
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
