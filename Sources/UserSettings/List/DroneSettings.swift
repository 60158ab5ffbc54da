internal import Languages
internal import Scores

// The drone and its tuning.
extension Setting {
    /// The drone for scores that do not state one.
    package static let drone = TypedSetting<DroneChoice>(
        "drone", "off", .off, form: localized("notes such as B4, Bb3+14c or 'B3, F#4 -6dB L50', or off"),
        help: localized("The drone: its notes, or off."), preference: .drone, read: DroneChoice.init(text:))

    /// The settings for the sound of the drone.
    static let ofDrone = of(Score.Drone.properties, Score.Drone(), need: .of("drone"))

    /// In the order in which they are listed.
    static let ofTuning =
        [a4.setting, tuning.setting, keyboardMap.setting, tonic.setting]
        + of(Score.propertiesOfTuning, Score(sections: []))

    /// The tuning of A4 in Hz.
    package static let a4 = TypedSetting<Double>(
        "a4", "440", Score.standardA4, form: localized("380 to 480 Hz"), help: localized("The tuning of A4, in Hz."),
        preference: .a4, read: Score.a4(scoreText:))

    /// The temperament by name, or the path of a Scala file.
    package static let tuning = TypedSetting<String>(
        "tuning", "equal", "equal",
        form: localized("\(Temperament.allCases.map(\.rawValue).joined(separator: ", ")), or a Scala file (.scl)"),
        help: localized("How the notes of an octave are tuned against each other."), preference: .tuning,
        read: SettingText.tuning)

    /// The path of a Scala keyboard map; empty if there is none.
    package static let keyboardMap = TypedSetting<String>(
        "keyboard-map", "none", "", form: localized("a Scala keyboard map (.kbm), or none"),
        help: localized("The file that maps keys to the degrees of a Scala file."), preference: .keyboardMap,
        need: .scala(isWanted: true)
    ) { text throws(TextError) in
        let path = try SettingText.line(text, localized("the path of a keyboard map"))
        return path == "none" ? "" : path
    }

    /// The note from which the temperament is built, in semitones above C.
    package static let tonic = TypedSetting<Int>(
        "tonic", "C", 0, form: localized("a note such as D or Eb"),
        help: localized("The note from which the temperament is built."), preference: .tonic,
        need: .scala(isWanted: false), read: Score.tonic(scoreText:))
}

extension Setting.Need {
    /// Requires that the tuning is, or is not, a Scala file.
    fileprivate static func scala(isWanted: Bool) -> Setting.Need {
        Setting.Need(
            name: "tuning",
            words: isWanted ? localized("tuning is not a Scala file") : localized("tuning is a Scala file")
        ) { SettingText.isScala($0) == isWanted }
    }
}

extension SettingText {
    /// Whether a tuning is a Scala file.
    static func isScala(_ text: String) -> Bool { text.trimmingBlanks.lowercased().hasSuffix(".scl") }

    /// Reads the name of a temperament, or the path of a Scala file.
    @Sendable static func tuning(_ text: String) throws(TextError) -> String {
        isScala(text) ? text.trimmingBlanks : try Temperament(scoreText: text).rawValue
    }
}
