package import Scores
internal import Screens
package import UserSettings

/// What the practice stand shows at first. What is not wanted here is as the settings have it.
package struct StandRequest: Sendable {
    package var flash: FlashChoice?
    package var flashColor: Color?
    package var flashLineColor: Color?
    package var digits: DigitsChoice?

    package init() {}

    /// The first choices of the stand.
    func choices() throws -> StandChoices {
        var choices = StandChoices(try LoadedSettings.get())
        (choices.digits, choices.flash) = (digits ?? choices.digits, flash ?? choices.flash)
        choices.barColor = flashColor ?? choices.barColor
        choices.lineColor = flashLineColor ?? choices.lineColor
        return choices
    }
}
