internal import Application
internal import ArgumentParser
internal import Languages
internal import Scores
internal import Screens
internal import UserSettings

/// Options for what the practice stand shows at first.
struct StandOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(Setting.flash.setting.help, valueName: "how"), completion: .values(FlashChoice.self),
        transform: { try OptionText.read($0, Setting.flash) })
    var flash: FlashChoice?

    @Option(
        help: .localized("The color of a flash: \(StandOptions.names), or ff8000.", valueName: "color"),
        completion: .color,
        transform: { try OptionText.read($0, Setting.flashColor) })
    var flashColor: Color?

    @Option(
        help: .localized("The color of a flash at the first bar of a line.", valueName: "color"), completion: .color,
        transform: { try OptionText.read($0, Setting.flashLineColor) })
    var flashLineColor: Color?

    @Option(
        help: ArgumentHelp(Setting.digits.setting.help, valueName: "what"), completion: .values(DigitsChoice.self),
        transform: { try OptionText.read($0, Setting.digits) })
    var digits: DigitsChoice?

    private static let names = Color.names.map(\.name).joined(separator: ", ")

    /// The same for the application.
    var request: StandRequest {
        var request = StandRequest()
        request[Setting.flash] = flash
        request[Setting.flashColor] = flashColor
        request[Setting.flashLineColor] = flashLineColor
        request[Setting.digits] = digits
        return request
    }
}
