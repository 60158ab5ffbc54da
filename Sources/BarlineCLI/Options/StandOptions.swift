internal import ArgumentParser
internal import Score
internal import Screen

/// What the practice stand shows at first.
struct StandOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Flash at every bar: off, screen, or border (for sensitive eyes: the edge, at most three times a second).",
            valueName: "how"), transform: OptionText.oneOf)
    var flash: StandChoices.Flash?

    @Option(
        help: ArgumentHelp("The colour of a flash: \(StandOptions.names), or #rrggbb.", valueName: "colour"),
        transform: OptionText.colour)
    var flashColor: Colour?

    @Option(
        help: ArgumentHelp("The colour of a flash at the first bar of a line.", valueName: "colour"),
        transform: OptionText.colour)
    var flashLineColor: Colour?

    @Option(
        help: ArgumentHelp("The large figures: seconds that are left, or the bar of the line.", valueName: "what"),
        transform: OptionText.oneOf)
    var figures: StandChoices.Figures?

    static let names = Colour.names.map(\.name).joined(separator: ", ")

    /// What is chosen at first.
    var choices: StandChoices {
        var choices = StandChoices()
        if let flash { choices.flash = flash }
        if let flashColor { choices.barColour = flashColor }
        if let flashLineColor { choices.lineColour = flashLineColor }
        if let figures { choices.figures = figures }
        return choices
    }
}
