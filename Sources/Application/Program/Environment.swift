internal import Files
internal import Glibc
package import Languages
internal import Scores
internal import UserSettings

/// The environment variables that the program reads.
package enum Environment {
    /// Those that are not settings. What is not among them cannot be read by its name.
    package enum Variable: String, CaseIterable {
        case home = "HOME"
        case configHome = "XDG_CONFIG_HOME"
        case dataHome = "XDG_DATA_HOME"
        case stateHome = "XDG_STATE_HOME"
        case runtimeFolder = "XDG_RUNTIME_DIR"
        case terminal = "TERM"
        case colors = "COLORTERM"
        case allLocale = "LC_ALL"
        case messageLocale = "LC_MESSAGES"
        case locale = "LANG"
        case soundServer = "PULSE_SERVER"
        case log = "BARLINE_LOG"
        /// Seconds since 1970, for builds that must be reproducible.
        case now = "SOURCE_DATE_EPOCH"
    }

    private static let names = Variable.allCases.map(\.rawValue)

    /// The value of a variable; nil if it is not set.
    package static subscript(variable: Variable) -> String? { values(of: [variable.rawValue])[variable.rawValue] }

    /// A sentence for each variable that begins with `BARLINE_` but is not a setting.
    package static var unknownSettings: [String] {
        let bytes = (try? FileBytes.read("/proc/self/environ", limit: 1 << 22)) ?? []
        let ofProcess = bytes.split(separator: 0).map { entry in
            String(decoding: entry.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self)
        }
        let known = Set(Setting.all.map(\.variable) + names)
        let given = own.map { Array($0.keys) } ?? ofProcess
        return given.filter { $0.hasPrefix("BARLINE_") && !known.contains($0) }.map { name in
            let shown = TextError.shown(name)
            return Suggestion.nearest(to: name, in: known.sorted()).map {
                localized("\(shown) is not a setting; did you mean \($0)?")
            } ?? localized("\(shown) is not a setting")
        }
    }

    /// The variables that take the place of those of the process for who asks in this task, so that several applications with
    /// homes of their own can be in one process.
    @TaskLocal package static var own: [String: String]?

    /// All variables that are set, settings among them.
    package static var values: [String: String] { values(of: names + Setting.all.map(\.variable)) }

    /// The language of messages. The list of settings is not read for it, because their texts are in this language.
    package static var language: Language { Language(environment: values(of: names)) }

    private static func values(of names: [String]) -> [String: String] {
        if let own { return own.filter { names.contains($0.key) } }
        var found: [String: String] = [:]
        for name in names {
            if let value = getenv(name) { found[name] = String(cString: value) }
        }
        return found
    }
}
