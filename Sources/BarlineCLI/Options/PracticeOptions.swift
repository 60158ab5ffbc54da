internal import ArgumentParser
internal import Score
internal import Settings
internal import Timing

/// What is practised of what is played.
struct PracticeOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Practise: 'ladder 60% 5% 100%' (faster each time through), 'each 3' (every line three times), 'column 7' (bar 7 "
                + "of every line), 'random 42' (lines in an order drawn by a seed).", valueName: "program"),
        transform: OptionText.program)
    var program: PracticeProgram?

    @Option(
        help: ArgumentHelp(
            "Leave clicks out to test your own time: '2 of 8', the last two of every eight bars.", valueName: "n of m"),
        transform: OptionText.silence)
    var silentBars: Performance.Silence?

    @Flag(inversion: .prefixedNo, help: "Count in after every jump, as at the start.")
    var countInOnJumps: Bool?

    /// Has a performance go by the program.
    func apply(to performance: inout Performance) throws {
        if let program {
            let walk = performance.walk
            do throws(TextError) {
                let stretches = try program.stretches(of: walk.timeline, bars: walk.bars)
                performance.walk = Walk(walk.timeline, stretches, passes: walk.passes)
                if let excess = performance.walk.excess { throw excess }
            } catch {
                throw Failure.exit(.usage, "--program: \(error)")
            }
        }
        if let silentBars { performance.silence = silentBars }
        performance.countsInJumps = try countInOnJumps ?? LoadedSettings.get()[Setting.countInOnJumps]
    }
}
