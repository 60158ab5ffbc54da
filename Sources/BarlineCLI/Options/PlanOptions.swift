internal import ArgumentParser
internal import Scores

/// Options for scores that leave choices open: the order of sections and the times of brackets.
struct PlanOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The order of sections: its name in the score, a list of sections such as 'C,A,B', or 'page' for the written "
                + "order.", valueName: "order"))
    var order: String?

    @Option(
        help: ArgumentHelp("Draw times for open brackets: the same seed gives the same times.", valueName: "seed"),
        transform: OptionText.seed)
    var realize: UInt64?

    /// Applies the choices to a score. Errors: the score has no such order or sections, no brackets, or brackets that
    /// cannot be realized.
    func choose(in score: inout Score) throws {
        if let order { try take(order: order, in: &score) }
        if let realize {
            guard !score.brackets.isEmpty else {
                throw Failure.exit(.usage, "--realize draws times for brackets, which the score does not have")
            }
            score.realization = realize
            if let conflict = score.realizationConflict { throw Failure.exit(.usage, "--realize: \(conflict)") }
        }
    }

    private func take(order: String, in score: inout Score) throws {
        let names = score.orders.map(\.name)
        if names.contains(order) {
            score.order = order
        } else if order == "page" {
            score.order = nil
        } else {
            do throws(TextError) {
                try score.play(sections: order)
            } catch {
                throw Failure.exit(.usage, "--order: \(error)")
            }
        }
    }
}
