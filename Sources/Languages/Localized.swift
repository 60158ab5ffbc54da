internal import Synchronization

/// A text for people in the language of the process, English unless `speak` has chosen another.
///
/// The call marks the text for `docs/phrases`, which finds what has to be translated; so its literal stands in the call.
/// Thread: any but the audio thread.
package func localized(_ phrase: Phrase) -> String {
    guard isTranslated.load(ordering: .relaxed) else { return phrase.english }
    return texts.withLock { $0.text(phrase, phrase.key, in: $0.language) }
}

/// Chooses the language of the process: a program does so once, before it says anything.
package func speak(_ language: Language) {
    texts.withLock { $0.language = language }
    isTranslated.store(language != .en, ordering: .relaxed)
}

extension Language {
    /// The language of the process.
    package static var ofMessages: Language { texts.withLock { $0.language } }

    /// A text that a voice reads; its words may differ from those on the screen. Otherwise like `localized`.
    package func spoken(_ phrase: Phrase) -> String {
        guard self != .en else { return phrase.english }
        return texts.withLock { $0.text(phrase, Catalog.key("spoken", phrase.key), in: self) }
    }
}

/// The language of the process, and the catalogs that it has used: English costs neither a lock nor a catalog.
private struct Texts {
    var language = Language.en
    private var catalogs: [Language: Catalog] = [:]

    mutating func text(_ phrase: Phrase, _ key: String, in language: Language) -> String {
        let catalog = catalogs[language] ?? Catalog(language)
        if catalogs[language] == nil { catalogs[language] = catalog }
        return catalog.translation(key).map(phrase.text(by:)) ?? phrase.english
    }
}

private let isTranslated = Atomic(false)
/// Guards the language and its catalogs: every thread but the audio thread asks for texts.
private let texts = Mutex(Texts())
