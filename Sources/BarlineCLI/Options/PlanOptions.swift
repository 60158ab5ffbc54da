internal import ArgumentParser
internal import Languages
internal import Scores

/// Options for scores that leave choices open: the order of sections, the times of brackets, the voices.
struct PlanOptions: ParsableArguments {
    @Option(
        help: .localized(
            "The order of sections: its name in the score, a list of sections such as 'C,A,B', or 'page' for the written "
                + "order.", valueName: "order"))
    var order: String?

    @Option(
        help: .localized("Draw times for open brackets: the same seed gives the same times.", valueName: "seed"),
        transform: OptionText.seed)
    var realize: UInt64?

    @Option(
        help: .localized(
            "Only these voices of the score, for example 'flute' or 'flute,harp'; the first one leads.",
            valueName: "names"), completion: .voice)
    var voice: String?

    /// Applies the choices to a score. Errors: no such voice, order or section; no or impossible brackets.
    func choose(in score: inout Score) throws {
        if let voice { try take(voices: voice, in: &score) }
        if let order { try take(order: order, in: &score) }
        if let realize {
            guard !score.brackets.isEmpty else {
                throw Failure.exit(
                    .usage, localized("--realize draws times for brackets, which the score does not have"))
            }
            score.realization = realize
            if let conflict = score.realizationConflict { throw Failure.exit(.usage, "--realize: \(conflict)") }
        }
    }

    private func take(voices text: String, in score: inout Score) throws {
        let names = text.listed
        let known = score.voiceNames
        guard !known.isEmpty else {
            throw Failure.exit(
                .usage, localized("--voice: the score has only one voice; --waveform sets the sound of the drone"))
        }
        for name in names where !known.contains(name) {
            let near = Suggestion.nearest(to: name, in: known).map {
                localized("--voice: there is no voice '\(name)'; did you mean '\($0)'?")
            }
            let all = known.joined(separator: ", ")
            throw Failure.exit(
                .usage, near ?? localized("--voice: there is no voice '\(name)'; the score has \(all)"))
        }
        if let chosen = score.with(voices: names) { score = chosen }
    }

    private func take(order: String, in score: inout Score) throws {
        if score.orders.contains(where: { $0.name == order }) {
            score.order = order
        } else if order == "page" {
            score.order = nil
        } else {
            try Failure.exitOnError(.usage, "--order: ") { try score.play(sections: order) }
        }
    }
}
