internal import Synchronization

/// A text for people in the language of the process, English unless `speak` has chosen another.
///
/// The call marks the text for `docs/phrases`, which finds what has to be translated; so its literal stands in the call.
/// Thread: any but the audio thread.
package func localized(_ phrase: Phrase) -> String {
    guard chosen.load(ordering: .relaxed) != 0 else { return phrase.english }
    return Language.ofMessages.text(phrase, phrase.key)
}

/// Chooses the language of the process: a program does so once, before it says anything.
package func speak(_ language: Language) {
    chosen.store(Language.allCases.firstIndex(of: language) ?? 0, ordering: .relaxed)
}

/// The language of the process, by its place in `Language.allCases`: 0 for English, which costs no catalog.
private let chosen = Atomic(0)

extension Language {
    /// The language of the process.
    package static var ofMessages: Language { allCases[chosen.load(ordering: .relaxed)] }

    /// A text that a voice reads; its words may differ from those on the screen. Otherwise like `localized`.
    package func spoken(_ phrase: Phrase) -> String {
        self == .en ? phrase.english : text(phrase, Catalog.key("spoken", phrase.key))
    }

    fileprivate func text(_ phrase: Phrase, _ key: String) -> String {
        catalog.translation(key).map(phrase.text(by:)) ?? phrase.english
    }
}
