internal import ArgumentParser
internal import Languages
internal import Scores
internal import Timing

/// Options for practice.
struct PracticeOptions: ParsableArguments {
    @Option(
        help: .localized(
            "Practice: 'ladder 60% 5% 100%' (faster each time through), 'each 3' (every line three times), 'column 7' (bar 7 "
                + "of every line), 'random' (lines in a new order; 'random 42' repeats one).", valueName: "program"),
        transform: { try OptionText.read($0) { try PracticeProgram(scoreText: $0) } })
    var program: PracticeProgram?

    @Option(
        help: .localized(
            "Mute clicks to test your sense of time: '2 of 8' mutes the last two of every eight bars.",
            valueName: "n of m"),
        transform: { try OptionText.read($0, Performance.Silence.init(scoreText:)) })
    var silentBars: Performance.Silence?

    /// Applies the practice options to a performance.
    func apply(to performance: inout Performance) throws {
        if let program {
            let passage = performance.passage
            try Failure.exitOnError(.usage, "--program: ") {
                let stretches = try program.stretches(of: passage.timeline, bars: passage.bars)
                performance.passage = Passage(passage.timeline, stretches, passes: passage.passes)
                if let excess = performance.passage.excess { throw excess }
                // The program begins where `--from` says.
                let bar = passage.bar(of: performance.first)
                if performance.first > 0 {
                    guard let first = performance.passage.boundary(ofBar: bar.index, near: 0) else {
                        throw TextError(localized("the program does not play bar \(bar.bar) of line \(bar.line)"))
                    }
                    performance.first = first
                }
            }
            if case .random(let seed) = program {
                Failure.say(localized("note: to repeat this order, use 'random \(seed)'"))
            }
        }
        if let silentBars { performance.silence = silentBars }
    }
}
