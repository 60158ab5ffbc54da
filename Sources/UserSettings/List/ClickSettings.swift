package import Languages
package import Scores
package import Timing

// Clicks, signals and speech.
extension Setting {
    /// In the order in which they are listed.
    static let ofClicks: [Setting] =
        [clickLevel.setting, oneSound.setting, lineSound.setting, beats.setting, subdivide.setting]
        + of(Score.propertiesOfClicks, Score(sections: []))
        + [
            warnLastBar.setting, halfTime.setting, minuteLeft.setting, endSignal.setting, countdown.setting,
            countdownTo.setting, holdEnd.setting, speak.setting, language.setting, speechLevel.setting,
        ]

    /// The level of every click.
    package static let clickLevel = TypedSetting<Level>(
        "click-level", "\(Performance.standardClickLevel)", Performance.standardClickLevel,
        form: localized("-120 dB to 0 dB, a percentage, or off"), help: localized("How loud the clicks are."),
        read: Level.init(scoreText:))

    /// Whether every bar begins with the same click.
    package static let oneSound = TypedSetting<Bool>(
        "one-sound", help: localized("Whether every bar begins with the same click."))

    /// The click with which a line begins.
    package static let lineSound = TypedSetting<ClickSound>(
        "line-sound", .line, form: ClickSound.allCases.map(\.rawValue).joined(separator: ", "),
        help: localized("The click with which a line begins."), need: .of("one-sound", not: "on"),
        what: localized("a click sound"))

    /// Whether the beats of bars with a meter are heard.
    package static let beats = TypedSetting<Bool>(
        "beats", help: localized("Whether the beats of bars with a meter are heard."), preference: .beats)

    /// Into how many parts beats are divided.
    package static let subdivide = TypedSetting<Int>(
        "subdivide", "1", 1, form: localized("1 to 16 parts"),
        help: localized("The number of parts into which the beats of bars with a meter are divided."),
        preference: .subdivide, need: .of("beats"), read: Beat.parts(scoreText:))

    /// Whether the last bar of a line has its own sound.
    package static let warnLastBar = TypedSetting<Bool>(
        "warn-last-bar", help: localized("Whether the last bar of a line has a different click."))

    /// Whether there is a signal at half of the time.
    package static let halfTime = TypedSetting<Bool>(
        "half-time", help: localized("Whether there is a signal at half of the time."))

    /// Whether there is a signal a minute before the end.
    package static let minuteLeft = TypedSetting<Bool>(
        "minute-left", help: localized("Whether there is a signal one minute before the end."))

    /// Whether there is a signal at the end.
    package static let endSignal = TypedSetting<Bool>(
        "end-signal", help: localized("Whether there is a signal at the end."))

    /// How many seconds are counted down; 0 = off.
    package static let countdown = TypedSetting<Int>(
        "countdown", "off", 0, form: localized("1 to \(CueSettings.longestCountdown) seconds, or off"),
        help: localized("The number of seconds to count down before a boundary."), read: SettingText.countdown)

    /// The boundaries to which the countdown leads.
    package static let countdownTo = TypedSetting<CueSettings.Place>(
        "countdown-to", .lines, help: localized("The boundaries for the countdown."),
        need: .of("countdown", orPlan: true),
        what: localized("a boundary for countdowns"))

    /// How the end of a hold is announced.
    package static let holdEnd = TypedSetting<CueSettings.HoldEnd>(
        "hold-end", "3", .countdown(3),
        form: localized("a countdown of 1 to \(CueSettings.longestCountdown) seconds, click, or off"),
        help: localized("How the end of a hold is announced: by a countdown and a click, only a click, or not at all."),
        read: SettingText.holdEnd)

    /// What is spoken; nil if nothing is.
    package static let speak = TypedSetting<SpeechSettings?>(
        "speak", "off", nil,
        form: localized(
            "a list of bars, bars:4 (every 4th), lines, labels, cues, intervals, durations, counts, pace, speed, distance, "
                + "finish, or off"),
        help: localized("What espeak-ng speaks.")
    ) { text throws(TextError) in
        try SettingText.unless("off", text) { text throws(TextError) in try SpeechSettings(list: text) }
    }

    /// The language of speech; nil for the system's language.
    package static let language = TypedSetting<Language?>(
        "language", "auto", nil, form: localized("\(Language.codes.joined(separator: ", ")), or auto for the system's"),
        help: localized("The language of speech."), need: .of("speak", orPlan: true)
    ) { text throws(TextError) in
        try SettingText.unless("auto", text) { text throws(TextError) in
            try WordText.read(text, localized("a language"))
        }
    }

    /// The level of speech.
    package static let speechLevel = TypedSetting<Level>(
        "speech-level", "\(SpeechSettings().level)", SpeechSettings().level,
        form: localized("-120 dB to 0 dB, a percentage, or off"), help: localized("How loud the speech is."),
        need: .of("speak", orPlan: true),
        read: Level.init(scoreText:))
}
