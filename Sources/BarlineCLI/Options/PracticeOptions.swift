internal import Application
internal import ArgumentParser
internal import Languages
internal import Timing

/// Options for practice.
struct PracticeOptions: ParsableArguments {
    @Option(
        help: .localized("Practice: \(PracticeProgram.help).", valueName: "program"),
        transform: { try OptionText.read($0) { try Drawn($0, PracticeProgram.init(scoreText:newSeed:)) } })
    var program: Drawn<PracticeProgram>?

    @Option(
        help: .localized(
            "Mute clicks to test your sense of time: '2 of 8' mutes the last two of every eight bars, 'random 30%' bars at "
                + "random ('random 30% 42' repeats them).", valueName: "bars"),
        transform: { try OptionText.read($0) { try Drawn($0, Performance.Silence.init(scoreText:newSeed:)) } })
    var silentBars: Drawn<Performance.Silence>?

    /// The same for the application.
    var request: PracticeRequest { PracticeRequest(program, silentBars) }
}
