internal import Languages

extension Bool {
    /// Reads `on` or `off`, or YAML's other words for them; nil for any other text.
    package init?(switchText text: String) {
        switch text.trimmingBlanks.lowercased() {
        case "on", "yes", "true": self = true
        case "off", "no", "false": self = false
        default: return nil
        }
    }

    /// Reads `on` or `off`, or YAML's other words for them.
    package init(scoreText text: String) throws(TextError) {
        guard let isOn = Bool(switchText: text) else {
            throw TextError(
                localized("\(TextError.quoted(text)) is neither on nor off"), hint: localized("write on or off"))
        }
        self = isOn
    }
}

extension StringProtocol {
    /// Whether the text means off: `off`, or YAML's other words for it.
    package var meansOff: Bool { Bool(switchText: String(self)) == false }
}
