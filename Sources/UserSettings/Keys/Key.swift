internal import Languages

/// A key of a terminal.
package enum Key: Sendable, Hashable {
    /// A character that can be typed.
    case character(Character)
    /// A function key, F1 to F12.
    case function(Int)
    /// A key with a name.
    case enter, escape, tab, backspace, insert, delete, up, down, left, right, pageUp, pageDown, home, end

    private static let named: [(key: Key, word: String, name: String, shown: String)] = [
        (.character(" "), "space", "Space", localized("Space")), (.character(","), "comma", ",", ","),
        (.enter, "enter", "Enter", localized("Enter")), (.escape, "escape", "Esc", localized("Esc")),
        (.tab, "tab", "Tab", localized("Tab")), (.backspace, "backspace", "Backspace", localized("Backspace")),
        (.insert, "insert", "Insert", localized("Insert")), (.delete, "delete", "Delete", localized("Delete")),
        (.up, "up", "↑", "↑"), (.down, "down", "↓", "↓"), (.left, "left", "←", "←"), (.right, "right", "→", "→"),
        (.pageUp, "page-up", "Page Up", localized("Page Up")),
        (.pageDown, "page-down", "Page Down", localized("Page Down")), (.home, "home", "Home", localized("Home")),
        (.end, "end", "End", localized("End")),
    ]

    /// The key that a word of the settings stands for: `page-up`, `f5`, `x`; nil if there is none.
    package init?(word: String) {
        let plain = word.lowercased().filter { $0 != "-" && $0 != "_" }
        if word.unicodeScalars.count == 1, let character = word.first {
            self = .character(character)
        } else if let known = Key.named.first(where: { $0.word.filter { $0 != "-" } == plain }) {
            self = known.key
        } else if plain.first == "f", let number = Int(wholeText: String(plain.dropFirst())), (1...12).contains(number)
        {
            self = .function(number)
        } else {
            return nil
        }
    }

    /// The words for keys that are no characters, and for those characters that a list of keys cannot hold.
    static let words = named.map(\.word) + (1...12).map { "f\($0)" }

    /// The word in the settings: `page-up`, `f5`, `x`.
    package var word: String {
        switch self {
        case .function(let number): "f\(number)"
        default: Key.named.first { $0.key == self }?.word ?? character
        }
    }

    /// The name in English, by which pages and the server know the key: `Page Up`, `F5`, `x`.
    package var name: String { name(\.name) }

    /// The name in the language of the process.
    package var shownName: String { name(\.shown) }

    private func name(_ kind: (_ names: (key: Key, word: String, name: String, shown: String)) -> String) -> String {
        switch self {
        case .function(let number): "F\(number)"
        default: Key.named.first { $0.key == self }.map(kind) ?? character
        }
    }

    private var character: String { if case .character(let character) = self { String(character) } else { "" } }
}
