internal import Files
internal import Glibc
package import Languages
internal import Scores
internal import UserSettings

/// The environment variables that the program reads.
package enum Environment {
    private static let names = [
        "HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR", "TERM", "COLORTERM",
        "LC_ALL", "LC_MESSAGES", "LANG", "PULSE_SERVER", "BARLINE_LOG", "SOURCE_DATE_EPOCH",
    ]

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
