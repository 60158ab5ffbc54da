internal import Languages
package import Scores

// Speed, count-in, holds and the sound device.
extension Setting {
    /// In the order in which they are listed.
    static let ofPlaying: [Setting] = [
        speed.setting, countIn.setting, countInOnJumps.setting, wait.setting, device.setting, latency.setting,
        input.setting, tapDelay.setting,
    ]

    /// The speed.
    package static let speed = TypedSetting<Speed>(
        "speed", "100%", .asWritten, form: localized("5% to 1000%"),
        help: localized("How fast the score is played: 100% is as written."), preference: .speed,
        read: Speed.init(scoreText:))

    /// The count-in.
    package static let countIn = TypedSetting<Score.Lead>(
        "count-in", "0", .off, form: localized("0 to 60 seconds, or a number of bars or beats such as 1 bar, 8 beats"),
        help: localized("The length of the count-in."), preference: .countIn
    ) { text throws(TextError) in try Score.Lead(scoreText: text, localized("a count-in")) }

    /// Whether the count-in is heard again after a jump.
    package static let countInOnJumps = TypedSetting<Bool>(
        "count-in-on-jumps", help: localized("Whether the count-in is heard again after a jump."))

    /// Whether holds until a cue wait for a key; nil to wait only at a terminal, where a key can be pressed.
    package static let wait = TypedSetting<Bool?>(
        "wait", "auto", nil, form: localized("on, off, or auto (only at a terminal)"),
        help: localized("Whether holds until a cue wait for a key.")
    ) { text throws(TextError) in
        try SettingText.unless("auto", text) { text throws(TextError) in
            if let missing = SettingText.missing(text, localized("on, off or auto")) { throw missing }
            guard let isOn = try? Bool(scoreText: text) else {
                throw TextError(localized("\(TextError.shown(text.trimmingBlanks)) is neither on, off nor auto"))
            }
            return isOn
        }
    }

    /// The ALSA device.
    package static let device = TypedSetting<String>(
        "device", "default", "default", form: localized("the name of an ALSA device, see `barline devices`"),
        help: localized("The sound card that plays.")
    ) { text throws(TextError) in try SettingText.line(text, localized("the name of a device")) }

    /// How much later the sound is heard than the device reports, in ms; nil for the value remembered for the device.
    package static let latency = TypedSetting<Double?>(
        "latency", "auto", nil, form: localized("-10000 to 10000 ms, or auto (the value remembered for the device)"),
        help: localized("The extra latency of the device, such as Bluetooth headphones, in ms.")
    ) { text throws(TextError) in try SettingText.unless("auto", text, SettingText.milliseconds) }

    /// The ALSA device that records.
    package static let input = TypedSetting<String>(
        "input", "default", "default", form: localized("the name of an ALSA device, see `barline devices --inputs`"),
        help: localized("The microphone of `tune`, of `play --listen` and `--record`, and of `doctor --latency`.")
    ) { text throws(TextError) in try SettingText.line(text, localized("the name of a device")) }

    /// How much later than the player a tap arrives, in ms.
    package static let tapDelay = TypedSetting<Double>(
        "tap-delay", "0", 0, form: localized("-10000 to 10000 ms"),
        help: localized("How much later than you the taps of bars arrive, because of the keyboard or pedal, in ms."),
        read: SettingText.milliseconds)
}
