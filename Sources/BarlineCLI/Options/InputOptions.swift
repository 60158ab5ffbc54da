internal import ArgumentParser
internal import Scores

/// How a score is read: options of all commands that read one.
struct InputOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The format of the score, if its name and content do not determine it: \(InputFormat.options).",
            valueName: "format"), completion: .list(InputFormat.all.map(\.option)),
        transform: OptionText.inputFormat)
    var format: InputFormat?

    @Flag(help: "Make it an error if a score of another program has lines that this program would skip.")
    var strict = false

    @Option(
        help: ArgumentHelp(
            "How long the intervals of a plan until the lap button take about, where nobody can press it.",
            valueName: "time"), transform: RunOption.time)
    var open: Duration?

    /// `language` is the language of the cues that a plan speaks; `canWait` tells whether somebody can press the lap
    /// button.
    func choice(spoken language: SpokenLanguage = .en, canWait: Bool = false) -> LoadedScore.Choice {
        LoadedScore.Choice(
            format: format, isStrict: strict, language: language,
            openEnds: LoadedScore.OpenEnds(about: open, canWait: canWait))
    }
}
