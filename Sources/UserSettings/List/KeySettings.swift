internal import Languages
internal import Scores

// The terminal without a picture, and its keys.
extension Setting {
    /// Whether terminals get lines of text instead of a picture.
    package static let plain = TypedSetting<Bool>(
        "plain", "off", false, form: localized("on or off"),
        help: localized("Whether terminals get lines of text without cursor movement, as for a screen reader."),
        read: SettingText.isOn)

    /// The keys that differ from the standard.
    package static let keys = TypedSetting<KeyBindings>(
        "keys", "standard", .standard,
        form: localized(
            "a list of actions with their keys, such as pause b f5, a4-up none (see `barline keys`), or standard"),
        help: localized("The keys while music plays that differ from the standard, for example for a foot pedal."),
        option: nil
    ) { text throws(TextError) in try KeyBindings(text: text) }
}
