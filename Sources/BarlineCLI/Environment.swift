internal import Settings

#if canImport(Glibc)
    internal import Glibc
#endif

/// The environment variables that the program reads.
enum Environment {
    private static let names = [
        "HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR", "TERM", "LC_ALL",
        "LC_MESSAGES",
        "LANG", "BARLINE_LOG",
    ]

    static var values: [String: String] {
        var found: [String: String] = [:]
        for name in names + Setting.all.map(\.variable) {
            if let value = getenv(name) { found[name] = String(cString: value) }
        }
        return found
    }
}
