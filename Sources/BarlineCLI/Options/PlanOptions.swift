internal import ArgumentParser
internal import Scores

/// Options for scores that leave choices open: the order of sections and the times of brackets.
struct PlanOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The order of sections, by its name in the score; 'page' for the written order.", valueName: "name")
    )
    var order: String?

    @Option(
        help: ArgumentHelp("Draw times for open brackets: the same seed gives the same times.", valueName: "seed"),
        transform: OptionText.seed)
    var realize: UInt64?

    /// Applies the choices to a score. Errors: the score has no such order, or no brackets.
    func choose(in score: inout Score) throws {
        if let order { try take(order: order, in: &score) }
        if let realize {
            guard !score.brackets.isEmpty else {
                throw Failure.exit(.usage, "--realize draws times for brackets, which the score does not have")
            }
            score.realization = realize
        }
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
}
