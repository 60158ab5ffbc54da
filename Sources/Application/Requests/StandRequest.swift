internal import Screens
package import UserSettings

/// What the practice stand shows at first: as the settings have it, under the options for it.
package struct StandRequest: OptionRequest {
    package var options = OptionValues()

    package init() {}

    /// The first choices of the stand.
    func choices() throws -> StandChoices { StandChoices(try LoadedSettings.get(options)) }
}
