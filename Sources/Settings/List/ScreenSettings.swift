package import Score

/// What flashes at a bar.
package enum FlashChoice: String, Sendable, CaseIterable {
    /// Nothing.
    case off
    /// The whole screen.
    case screen
    /// Its border alone, for sensitive eyes.
    case border
}

/// What the large digits show.
package enum DigitsChoice: String, Sendable, CaseIterable {
    /// The bar of the line.
    case bar
    /// The seconds that are left of the bar.
    case seconds
}

/// Whether there is colour.
package enum ColourChoice: String, Sendable, CaseIterable {
    /// At a terminal, unless NO_COLOR is set.
    case auto
    /// Nowhere.
    case never
}

// What is seen, and what is kept.
extension Setting {
    /// What flashes at every bar.
    package static let flash = TypedSetting<FlashChoice>(
        "flash", "off", .off, form: "off, screen or border", help: "What flashes at every bar."
    ) { text throws(TextError) in try SettingText.choice(text, "something that flashes") }

    /// The colour of the flash.
    package static let flashColour = TypedSetting<Colour>(
        "flash-color", "sky", Colour.named("sky"), form: colours, help: "The colour of the flash.",
        need: .of("flash"), read: { text throws(TextError) in try Colour(scoreText: text) })

    /// The colour of the flash at the first bar of a line.
    package static let flashLineColour = TypedSetting<Colour>(
        "flash-line-color", "amber", Colour.named("amber"), form: colours,
        help: "The colour of the flash at the first bar of a line.", need: .of("flash"),
        read: { text throws(TextError) in try Colour(scoreText: text) })

    private static let colours = Colour.names.map(\.name).joined(separator: ", ") + ", or ff8000"

    /// What the large digits show.
    package static let digits = TypedSetting<DigitsChoice>(
        "digits", "seconds", .seconds, form: "bar or seconds",
        help: "What the large digits show: the bar of the line, or the seconds left."
    ) { text throws(TextError) in try SettingText.choice(text, "what the digits can show") }

    /// Whether there is colour.
    package static let colour = TypedSetting<ColourChoice>(
        "color", "auto", .auto, form: "auto or never", help: "Whether the terminal is written to in colour.",
        option: nil
    ) { text throws(TextError) in try SettingText.choice(text, "a choice of colour") }

    /// Whether the desktop shows what begins.
    package static let notify = TypedSetting<Bool>(
        "notify", "off", false, form: "on or off", help: "Whether the desktop shows a notification at every change.",
        read: SettingText.isOn)

    /// Whether sessions are written down.
    package static let practiceLog = TypedSetting<Bool>(
        "practice-log", "on", true, form: "on or off",
        help: "Whether what was practised is written down for `barline log`.", option: nil, read: SettingText.isOn)
}
