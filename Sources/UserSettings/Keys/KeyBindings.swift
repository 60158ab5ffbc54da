internal import Languages
package import Scores

/// Which key does what while music plays: the standard keys, and the user's changes. No key has two actions.
package struct KeyBindings: Sendable, Equatable {
    private var changed: [KeyAction: [Key]] = [:]
    private var actions: [Key: KeyAction] = [:]

    /// The standard keys.
    package static let standard = KeyBindings([:])

    /// The keys of an action, the main key first; empty if it has none.
    package func keys(of action: KeyAction) -> [Key] { changed[action] ?? action.standardKeys }

    /// The action of a key; nil if it has none.
    package func action(of key: Key) -> KeyAction? { actions[key] }

    /// The same without the keys of some actions.
    package func without(_ isLeftOut: (KeyAction) -> Bool) -> KeyBindings {
        KeyBindings(changed.merging(KeyAction.allCases.filter(isLeftOut).map { ($0, []) }) { _, none in none })
    }

    private init(_ changed: [KeyAction: [Key]]) {
        self.changed = changed
        for action in KeyAction.allCases {
            for key in keys(of: action) { actions[key] = action }
        }
    }

    /// Reads a list of actions with their keys, such as `pause b f5, a4-up none`: the keys that are listed replace those
    /// that the action had. `standard` alone changes nothing.
    ///
    /// Errors: an action or a key that does not exist; an action that is listed twice; a key with two actions.
    package init(text: String) throws(TextError) {
        var changed: [KeyAction: [Key]] = [:]
        let text = text.trimmingBlanks
        guard !text.isEmpty else {
            throw TextError(localized("a value is missing"), hint: localized("for example pause b, a4-up none"))
        }
        guard text.lowercased() != "standard" else {
            self = .standard
            return
        }
        for entry in text.split(separator: ",", omittingEmptySubsequences: false) {
            let words = entry.split(separator: " ").map(String.init)
            let (action, keys) = try KeyBindings.entry(words)
            guard changed[action] == nil else {
                throw TextError(localized("the action '\(action.rawValue)' is listed twice"))
            }
            changed[action] = keys
        }
        try KeyBindings.checkConflicts(changed)
        self.init(changed)
    }

    private static func entry(_ words: [String]) throws(TextError) -> (KeyAction, [Key]) {
        guard let name = words.first else {
            throw TextError(
                localized("an action is missing before or after a comma"),
                hint: localized("the key ',' is called comma"))
        }
        let action = try KeyAction(settingsName: name)
        let texts = words.dropFirst()
        guard !texts.isEmpty else {
            throw TextError(
                localized("the action '\(name)' has no key"), hint: localized("write '\(name) none' if that is meant"))
        }
        if texts.map({ $0.lowercased() }) == ["none"] { return (action, []) }
        var keys: [Key] = []
        for text in texts {
            guard let key = Key(word: text) else {
                let near = Suggestion.nearest(to: text.lowercased(), in: Key.words).map {
                    localized(
                        "write a character, or space, comma, enter, left, page-up, f1 to f12 and so on; "
                            + "did you mean '\($0)'?")
                }
                throw TextError(
                    localized("\(TextError.shown(text)) is not a key"),
                    hint: near
                        ?? localized("write a character, or space, comma, enter, left, page-up, f1 to f12 and so on"))
            }
            if !keys.contains(key) { keys.append(key) }
        }
        return (action, keys)
    }

    private static func checkConflicts(_ changed: [KeyAction: [Key]]) throws(TextError) {
        var owners: [Key: KeyAction] = [:]
        for action in KeyAction.allCases {
            for key in changed[action] ?? action.standardKeys {
                guard let other = owners[key] else {
                    owners[key] = action
                    continue
                }
                if changed[action] != nil, changed[other] != nil {
                    throw TextError(
                        localized("the key '\(key.word)' has two actions: \(other.rawValue) and \(action.rawValue)"))
                }
                let old = changed[action] == nil ? action : other
                let new = changed[action] == nil ? other : action
                throw TextError(
                    localized("the key '\(key.word)' of \(new.rawValue) has the action \(old.rawValue) already"),
                    hint: localized("list \(old.rawValue) with another key, too, or write '\(old.rawValue) none'"))
            }
        }
    }
}

extension KeyAction {
    /// The action with this name in the settings. Errors: there is none.
    init(settingsName name: String) throws(TextError) {
        guard let action = KeyAction(rawValue: name.lowercased()) else {
            let near = Suggestion.nearest(to: name, in: KeyAction.allCases.map(\.rawValue))
            throw TextError(
                localized("\(TextError.shown(name)) is not an action of a key"),
                hint: near.map { localized("did you mean '\($0)'?") } ?? localized("`barline keys` lists them"))
        }
        self = action
    }
}
