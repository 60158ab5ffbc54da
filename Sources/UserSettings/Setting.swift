internal import Languages
package import Scores

/// A setting: its name, its valid values and its meaning.
package struct Setting: Sendable {
    /// The name, which is also the key in files and the name of the preference in a score, if there is one.
    package let name: String
    /// The default value as text.
    package let standard: String
    /// The valid values, for people: "380 to 480 Hz".
    package let form: String
    /// What the setting does, in one sentence.
    package let help: String
    /// The command option that overrides all other layers; nil if there is none.
    package let option: String?
    /// The preference with which a score sets it; nil if scores cannot.
    package let preference: Score.Preference?
    /// The condition for the setting to have an effect; nil if there is none.
    package let need: Need?
    let read: @Sendable (String) throws(TextError) -> Void

    /// A condition on another setting.
    package struct Need: Sendable {
        /// The name of the other setting.
        package let name: String
        /// Why the need is not met: "drone is off".
        package let words: String
        /// Whether a run plan meets it while the other setting has its default.
        var isMetByPlans = false
        /// Whether this value of the other setting meets it.
        package let isMet: @Sendable (String) -> Bool

        /// Requires that the other setting is not `value`.
        static func of(_ name: String, not value: String = "off", orPlan: Bool = false) -> Need {
            Need(name: name, words: localized("\(name) is \(value)"), isMetByPlans: orPlan) {
                value == "off" ? !$0.meansOff : $0.trimmingBlanks.lowercased() != value
            }
        }
    }

    /// The environment variable for the setting: `BARLINE_DRONE_LEVEL` for `drone-level`.
    package var variable: String { "BARLINE_" + name.uppercased().replacing("-", with: "_") }

    /// Checks that a text is a valid value. Errors: it is not; the error says what would be valid.
    package func check(_ text: String) throws(TextError) {
        if text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
            throw TextError(localized("a value must be one line without control characters"))
        }
        guard text.utf8.count <= 1000 else { throw TextError(localized("a value has at most 1000 bytes")) }
        try read(text)
    }

    /// The setting with this name. Errors: there is none; the error suggests the nearest name.
    package static func named(_ name: String) throws(TextError) -> Setting {
        if let setting = byName[name] { return setting }
        let nearest = Suggestion.nearest(to: name, in: all.map(\.name))
        throw TextError(
            localized("there is no setting \(TextError.shown(name))"),
            hint: nearest.map { localized("did you mean '\($0)'?") } ?? localized("`barline config` lists them"))
    }

    private static let byName = Dictionary(all.map { ($0.name, $0) }) { first, _ in first }
}

extension Setting {
    /// The settings for properties of a score or a drone, of which `whole` has the defaults; none for those without a setting.
    static func of<Whole>(_ properties: [ScoreProperty<Whole>], _ whole: Whole, need: Need? = nil) -> [Setting] {
        properties.compactMap { property in
            guard let setting = property.setting, let standard = property.text(whole) else { return nil }
            return Setting(
                name: setting, standard: standard, form: property.form, help: property.help,
                option: "--" + setting, preference: Score.Preference(setting), need: need
            ) { text throws(TextError) in _ = try property.read(text) }
        }
    }
}

/// A setting whose values have a type.
package struct TypedSetting<Value: Sendable>: Sendable {
    /// The setting without its type.
    package let setting: Setting
    /// The default value.
    package let standard: Value
    /// Reads a value. Errors: the text is not valid; the error says what would be.
    package let value: @Sendable (String) throws(TextError) -> Value

    init(
        _ name: String, _ text: String, _ standard: Value, form: String, help: String, option: String? = "",
        preference: Score.Preference? = nil, need: Setting.Need? = nil,
        read: @escaping @Sendable (String) throws(TextError) -> Value
    ) {
        self.standard = standard
        value = read
        setting = Setting(
            name: name, standard: text, form: form, help: help, option: option == "" ? "--" + name : option,
            preference: preference, need: need
        ) { text throws(TextError) in _ = try read(text) }
    }
}

extension TypedSetting<Bool> {
    /// A setting that is on or off.
    init(
        _ name: String, isOn: Bool = false, help: String, option: String? = "", preference: Score.Preference? = nil
    ) {
        self.init(
            name, isOn ? "on" : "off", isOn, form: localized("on or off"), help: help, option: option,
            preference: preference, read: SettingText.isOn)
    }
}

extension TypedSetting where Value: RawRepresentable<String> & CaseIterable {
    /// A setting with a choice of words, which are its form unless another is given; errors call it `what`.
    init(
        _ name: String, _ standard: Value, form: String? = nil, help: String, option: String? = "",
        need: Setting.Need? = nil, what: String
    ) {
        self.init(
            name, standard.rawValue, standard, form: form ?? WordText.list(Value.allCases.map(\.rawValue)), help: help,
            option: option, need: need
        ) { text throws(TextError) in try WordText.read(text, what) }
    }
}

extension Setting {
    /// All settings, in the order in which they are listed.
    package static let all: [Setting] =
        [drone.setting] + ofDrone + ofTuning + ofClicks + ofPlaying + ofRunning + ofScreens + ofStage
}
