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
            case .digits: "\(keys.spokenName(of: action)): where the music is"
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
        case .up, .down, .left, .right: return "\(key.word.capitalized) arrow"
        default: return key.name
        }
    }
}

extension String {
    /// The text with its first letter in upper case.
    fileprivate var capitalized: String { prefix(1).uppercased() + dropFirst() }
}
