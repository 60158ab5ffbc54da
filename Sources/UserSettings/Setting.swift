package import Scores

/// One setting: what it is called, what it may be, and what it means.
package struct Setting: Sendable {
    /// The name, which is the key in files; where a score has a say, the name of that preference, too.
    package let name: String
    /// The value where nobody says another, as text.
    package let standard: String
    /// What it may be, for people: "380 to 480 Hz".
    package let form: String
    /// What it does, in one sentence.
    package let help: String
    /// The option of commands that is stronger than every other layer; nil where there is none.
    package let option: String?
    /// What of a score it is; nil where scores have no say.
    package let preference: Score.Preference?
    /// What it means nothing without; nil where it always means something.
    package let need: Need?
    private let check: @Sendable (String) throws(TextError) -> Void

    /// Another setting on which one depends.
    package struct Need: Sendable {
        /// The name of the other setting.
        package let name: String
        /// What is the matter where the need is not met: "drone is off".
        package let words: String
        /// Whether run plans meet it by themselves, as long as nobody says anything of the other setting.
        var isMetByPlans = false
        /// Whether a value of the other setting meets it.
        package let isMet: @Sendable (String) -> Bool

        /// Needs the other setting not to be `value`.
        static func of(_ name: String, not value: String = "off", orPlan: Bool = false) -> Need {
            Need(name: name, words: "\(name) is \(value)", isMetByPlans: orPlan) {
                $0.trimmingBlanks.lowercased() != value
            }
        }
    }

    init(
        _ name: String, _ standard: String, form: String, help: String, option: String?, preference: Score.Preference?,
        need: Need?, check: @escaping @Sendable (String) throws(TextError) -> Void
    ) {
        self.name = name
        self.standard = standard
        self.form = form
        self.help = help
        self.option = option
        self.preference = preference
        self.need = need
        self.check = check
    }

    /// The environment variable that sets it: `BARLINE_DRONE_LEVEL` for `drone-level`.
    package var variable: String { "BARLINE_" + name.uppercased().replacing("-", with: "_") }

    /// Whether a text is a value of it. Errors: it is not; the error says what would be right.
    package func check(_ text: String) throws(TextError) {
        if text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
            throw TextError("a setting is one line without control characters")
        }
        guard text.utf8.count <= 1000 else { throw TextError("a setting has at most 1000 characters") }
        try check(text)
    }

    /// The setting of that name. Errors: there is none; the error names the nearest.
    package static func named(_ name: String) throws(TextError) -> Setting {
        if let setting = byName[name] { return setting }
        let nearest = Suggestion.nearest(to: name, in: all.map(\.name))
        throw TextError(
            "there is no setting \(TextError.shown(name))",
            hint: nearest.map { "did you mean '\($0)'?" } ?? "`barline config` lists them")
    }

    private static let byName = Dictionary(all.map { ($0.name, $0) }) { first, _ in first }
}

/// A setting whose value has a type.
package struct TypedSetting<Value: Sendable>: Sendable {
    /// What it is called, what it may be, and what it means.
    package let setting: Setting
    /// The value where nobody says another.
    package let standard: Value
    let read: @Sendable (String) throws(TextError) -> Value

    /// Reads a value. Errors: it is none; the error says what would be right.
    package func value(_ text: String) throws(TextError) -> Value { try read(text) }

    init(
        _ name: String, _ text: String, _ standard: Value, form: String, help: String, option: String? = "",
        preference: Score.Preference? = nil, need: Setting.Need? = nil,
        read: @escaping @Sendable (String) throws(TextError) -> Value
    ) {
        self.standard = standard
        self.read = read
        setting = Setting(
            name, text, form: form, help: help, option: option == "" ? "--" + name : option, preference: preference,
            need: need
        ) { text throws(TextError) in _ = try read(text) }
    }
}
