internal import Application
internal import ArgumentParser
internal import Formats
internal import Languages
internal import Running

/// How a score is read: options of all commands that read one.
struct InputOptions: ParsableArguments {
    @Option(
        help: .localized(
            "The format of the score, if its name and content do not determine it: \(Format.readableNames).",
            valueName: "format"), completion: .list(Format.readable.map(\.rawValue)),
        transform: OptionText.inputFormat)
    var format: Format?

    @Flag(help: .localized("Make it an error if a score of another program has lines that this program would skip."))
    var strict = false

    @OptionGroup var tempoOptions: TempoOptions
    @OptionGroup var gapOptions: PlanGapOptions

    /// How a score is read; `canWait` tells whether somebody can press the lap button.
    func choice(canWait: Bool = false) -> LoadedScore.Choice {
        LoadedScore.Choice(
            format: format, isStrict: strict, tempi: tempoOptions.tempi, gaps: gapOptions.gaps(canWait: canWait))
    }
}

/// The option for tempi beside a score.
struct TempoOptions: ParsableArguments {
    @Option(
        help: .localized(
            "A file of tempi beside a MusicXML score, with lines such as 'bar 12: rit. to 60 over 2 bars'.",
            valueName: "file"), completion: .file())
    var tempi: String?
}

/// The options for what plans leave open: how long intervals until the lap button are, and the threshold.
struct PlanGapOptions: ParsableArguments {
    @Option(
        help: .localized(
            "How long the intervals of a plan until the lap button take about, where nobody can press it.",
            valueName: "time"), transform: OptionText.time)
    var open: Duration?

    @Option(
        help: .localized(
            "The threshold pace of which the intervals of a plan are shares; in a .zwo file, the pace that is power 1.",
            valueName: "pace"), transform: OptionText.pace)
    var threshold: Pace?

    /// The same for the application.
    func gaps(canWait: Bool = false) -> LoadedScore.PlanGaps {
        LoadedScore.PlanGaps(about: open, canWait: canWait, threshold: threshold)
    }
}
