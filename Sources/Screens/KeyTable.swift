internal import Languages
package import UserSettings

/// The keys and what they do, for people and programs.
package enum KeyTable {
    /// A row for each action: its name in the settings, the words of its keys, and what they do.
    package static func rows(_ keys: KeyBindings) -> [(action: KeyAction, keys: [Key], says: String)] {
        KeyAction.allCases.map { ($0, keys.keys(of: $0), $0.standKey.says) }
    }

    /// A line for each key, for a terminal without a picture: `Space: pause, resume (also Page Down)`.
    static func lines(_ keys: KeyBindings, isRun: Bool) -> [String] {
        KeyAction.allCases.filter { !keys.keys(of: $0).isEmpty }.compactMap { action in
            switch action {
            case .flash: nil
            case .digits: localized("\(keys.spokenName(of: action)): where the music is")
            default: "\(keys.spokenName(of: action)): \(keys.explanation(of: action, isRun: isRun))"
            }
        }
    }
}

extension KeyBindings {
    /// The name of the main key of an action in words that can be read aloud.
    func spokenName(of action: KeyAction) -> String {
        guard let key = keys(of: action).first else { return "" }
        switch key {
        case .up: return localized("Up arrow")
        case .down: return localized("Down arrow")
        case .left: return localized("Left arrow")
        case .right: return localized("Right arrow")
        default: return key.shownName
        }
    }
}

extension Key {
    /// The name in the language of the process; `name` is English, as pages and the server know keys by it.
    var shownName: String {
        switch self {
        case .character(" "): localized("Space")
        case .enter: localized("Enter")
        case .escape: localized("Esc")
        case .tab: localized("Tab")
        case .backspace: localized("Backspace")
        case .insert: localized("Insert")
        case .delete: localized("Delete")
        case .pageUp: localized("Page Up")
        case .pageDown: localized("Page Down")
        case .home: localized("Home")
        case .end: localized("End")
        default: name
        }
    }
}
