internal import ArgumentParser
internal import Languages
internal import UserSettings
internal import Timing

/// Options for practice.
struct PracticeOptions: ParsableArguments {
    @Option(
        help: .localized(
            "Practice: 'ladder 60% 5% 100%' (faster each time through), 'each 3' (every line three times), 'column 7' (bar 7 "
                + "of every line), 'random 42' (lines in an order drawn by a seed).", valueName: "program"),
        transform: { try OptionText.read($0, PracticeProgram.init(scoreText:)) })
    var program: PracticeProgram?

    @Option(
        help: .localized(
            "Mute clicks to test your sense of time: '2 of 8' mutes the last two of every eight bars.",
            valueName: "n of m"),
        transform: { try OptionText.read($0, Performance.Silence.init(scoreText:)) })
    var silentBars: Performance.Silence?

    @Flag(inversion: .prefixedNo, help: .localized("Count in after every jump, as at the start."))
    var countInOnJumps: Bool?

    /// Applies the practice options to a performance.
    func apply(to performance: inout Performance) throws {
        if let program {
            let passage = performance.passage
            try Failure.exitOnError(.usage, "--program: ") {
                let stretches = try program.stretches(of: passage.timeline, bars: passage.bars)
                performance.passage = Passage(passage.timeline, stretches, passes: passage.passes)
                if let excess = performance.passage.excess { throw excess }
            }
        }
        if let silentBars { performance.silence = silentBars }
        performance.countsInJumps = try countInOnJumps ?? LoadedSettings.get()[Setting.countInOnJumps]
    }
}
