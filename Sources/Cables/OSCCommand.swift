package import UserSettings

/// The commands that arrive by OSC.
package enum OSCCommand {
    /// The action of a message, and its text; nil if it is no command. A button that sends 0 when it is released does
    /// nothing then.
    package static func read(_ message: OSCMessage) -> (action: KeyAction, text: String)? {
        let prefix = "/barline/"
        guard message.address.hasPrefix(prefix),
            let action = KeyAction(rawValue: String(message.address.dropFirst(prefix.count)))
        else { return nil }
        switch message.values.first {
        case nil: return (action, "")
        case .int(let number) where action == .goTo: return (action, "\(number)")
        case .int(let number): return number == 0 ? nil : (action, "")
        case .float(let number): return number == 0 ? nil : (action, "")
        case .string(let text): return text.utf8.count > 100 ? nil : (action, text)
        }
    }

    /// The name of the score that a message opens, `/barline/open sequenza-vii`; nil if it opens none.
    package static func opened(_ message: OSCMessage) -> String? {
        guard message.address == "/barline/open", message.values.count == 1, case .string(let name) = message.values[0],
            !name.isEmpty, name.utf8.count <= 100
        else { return nil }
        return name
    }
}
