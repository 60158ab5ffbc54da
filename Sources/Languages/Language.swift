/// A language in which Barline writes and speaks. English needs no catalog: its texts stand in the sources.
public enum Language: String, Sendable, CaseIterable {
    /// English.
    case en
    /// German.
    case de
    /// French.
    case fr
    /// Spanish.
    case es
    /// Italian.
    case it

    /// The codes of all languages.
    package static var codes: [String] { allCases.map(\.rawValue) }

    /// Each catalog is read when it is first asked for.
    var catalog: Catalog {
        switch self {
        case .en: Catalogs.en
        case .de: Catalogs.de
        case .fr: Catalogs.fr
        case .es: Catalogs.es
        case .it: Catalogs.it
        }
    }

    /// The language of a locale such as `de_CH.UTF-8` or `fr`; nil for one that Barline does not speak.
    package init?(locale: some StringProtocol) {
        let code = locale.prefix { $0.isLetter && $0.isASCII }
        guard let language = Language(rawValue: code.lowercased()) else { return nil }
        self = language
    }

    /// The language for messages that the environment asks for, as POSIX orders its variables: LC_ALL, LC_MESSAGES, LANG.
    /// The first that is set decides; English if it names a language that Barline does not speak.
    package init(environment: [String: String]) {
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        self = locale.flatMap { Language(locale: $0) } ?? .en
    }
}

private enum Catalogs {
    static let en = Catalog(.en)
    static let de = Catalog(.de)
    static let fr = Catalog(.fr)
    static let es = Catalog(.es)
    static let it = Catalog(.it)
}
