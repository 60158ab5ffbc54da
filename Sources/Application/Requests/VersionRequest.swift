internal import Languages
package import Scores

/// What is chosen of a score that leaves choices open: the order of sections, the times of brackets, the voices.
package struct VersionRequest: Sendable {
    package var order: String?
    /// The seed by which times are drawn for open brackets.
    package var realize: UInt64?
    package var voice: String?

    package init() {}

    /// Applies the choices to a score, which is heard unless it is `written`. Errors: no such voice, order or section; no
    /// or impossible brackets.
    package func choose(in score: inout Score, written: Bool = false) throws {
        if let voice { try take(voices: voice, in: &score, written: written) }
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

    private func take(voices text: String, in score: inout Score, written: Bool) throws {
        let names = try score.voices(
            "--voice", text,
            alone: localized("--voice: the score has only one voice; --waveform sets the sound of the drone"))
        if let chosen = written ? score.written(voices: names) : score.with(voices: names) { score = chosen }
    }

    private func take(order: String, in score: inout Score) throws {
        if score.orders.contains(where: { $0.name == order }) {
            score.order = order
        } else if order == "page" {
            score.order = nil
        } else if !score.companions.isEmpty {
            throw Failure.exit(
                .usage,
                localized("--order: a score of several voices is played as written; choose one of them with --voice"))
        } else {
            try Failure.exitOnError(.usage, "--order: ") { try score.play(sections: order) }
        }
    }
}

extension Score {
    /// The voices that an option names. Errors: there is no such voice, or, as `alone` says, there is only one.
    func voices(_ option: String, _ text: String, alone: @autoclosure () -> String) throws -> [String] {
        let (names, known) = (text.listed, voiceNames)
        guard !known.isEmpty else { throw Failure.exit(.usage, alone()) }
        for name in names where !known.contains(name) {
            let near = Suggestion.nearest(to: name, in: known).map {
                localized("\(option): there is no voice '\(name)'; did you mean '\($0)'?")
            }
            let all = known.joined(separator: ", ")
            throw Failure.exit(
                .usage, near ?? localized("\(option): there is no voice '\(name)'; the score has \(all)"))
        }
        return names
    }
}
