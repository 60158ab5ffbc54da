internal import Languages
package import Scores

/// What flashes at a bar.
package enum FlashChoice: String, Sendable, CaseIterable {
    /// Nothing.
    case off
    /// The whole screen.
    case screen
    /// The border only, for sensitive eyes.
    case border

    /// The word for it in the help of the key, and what settings and options say.
    package var says: (word: String, long: String) {
        switch self {
        case .off: (localized("off"), rawValue)
        case .screen: (localized("screen"), rawValue)
        case .border: (localized("border"), localized("border (only the edge, for sensitive eyes)"))
        }
    }
}

/// What the large digits show.
package enum DigitsChoice: String, Sendable, CaseIterable {
    /// The seconds left of the bar.
    case seconds
    /// The number of the bar in its line.
    case bar

    /// The word for it in the help of the key, that while a plan of intervals plays, and what settings and options say.
    package var says: (word: String, ofRun: String, long: String) {
        switch self {
        case .seconds: (localized("seconds"), localized("time left"), localized("seconds (those left of the bar)"))
        case .bar: (localized("bar"), localized("interval"), localized("bar (its number in the line)"))
        }
    }
}

/// When terminal output has color.
package enum ColorChoice: String, Sendable, CaseIterable {
    /// At a terminal, unless NO_COLOR is set.
    case auto
    /// Nowhere.
    case never
}

// The screen, notifications and the practice log.
extension Setting {
    /// In the order in which they are listed.
    static let ofScreens: [Setting] = [
        flash.setting, flashColor.setting, flashLineColor.setting, digits.setting, color.setting, plain.setting,
        keys.setting, notify.setting, practiceLog.setting,
    ]

    /// What flashes at every bar.
    package static let flash = TypedSetting<FlashChoice>(
        "flash", .off,
        help: localized(
            "What flashes at bars, at most three times a second: \(WordText.list(FlashChoice.allCases.map(\.says.long)))."
        ),
        what: localized("a kind of flash"))

    /// The color of the flash.
    package static let flashColor = TypedSetting<Color>(
        "flash-color", "sky", Color.named("sky"), form: colors, help: localized("The color of the flash."),
        need: .of("flash"), read: Color.init(scoreText:))

    /// The color of the flash at the first bar of a line.
    package static let flashLineColor = TypedSetting<Color>(
        "flash-line-color", "amber", Color.named("amber"), form: colors,
        help: localized("The color of the flash at the first bar of a line."), need: .of("flash"),
        read: Color.init(scoreText:))

    private static let colors = localized("\(Color.names.map(\.name).joined(separator: ", ")), or ff8000")

    /// What the large digits show.
    package static let digits = TypedSetting<DigitsChoice>(
        "digits", .seconds,
        help: localized("What the large digits show: \(WordText.list(DigitsChoice.allCases.map(\.says.long)))."),
        what: localized("a choice for the digits"))

    /// When terminal output has color.
    package static let color = TypedSetting<ColorChoice>(
        "color", .auto, help: localized("Whether terminal output has color."), option: nil,
        what: localized("a choice of color"))

    /// Whether the desktop shows a notification when a bar begins.
    package static let notify = TypedSetting<Bool>(
        "notify", help: localized("Whether the desktop shows a notification at every change."))

    /// Whether sessions are added to the practice log.
    package static let practiceLog = TypedSetting<Bool>(
        "practice-log", isOn: true, help: localized("Whether sessions are recorded for `barline log`."), option: nil)
}

// The terminal without a picture, and its keys.
extension Setting {
    /// Whether terminals get lines of text instead of a picture.
    package static let plain = TypedSetting<Bool>(
        "plain", help: localized("Whether terminals get lines of text without cursor movement, as for a screen reader.")
    )

    /// The keys that differ from the standard.
    package static let keys = TypedSetting<KeyBindings>(
        "keys", "standard", .standard,
        form: localized(
            "a list of actions with their keys, such as pause b f5, a4-up none (see `barline keys`), or standard"),
        help: localized("The keys while music plays that differ from the standard, for example for a foot pedal."),
        option: nil, read: KeyBindings.init(text:))
}
