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
        let settings = try LoadedSettings.get()
        return StandChoices(
            digits: digits ?? settings[Setting.digits], flash: flash ?? settings[Setting.flash],
            barColor: flashColor ?? settings[Setting.flashColor],
            lineColor: flashLineColor ?? settings[Setting.flashLineColor], keys: settings[Setting.keys])
    }
}
