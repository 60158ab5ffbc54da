#if canImport(Glibc)
    internal import Glibc
#endif

/// The environment variables that the program reads.
enum Environment {
    static var values: [String: String] {
        var found: [String: String] = [:]
        for name in ["HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR", "TERM", "COLORTERM", "BARLINE_LOG"] {
            if let value = getenv(name) { found[name] = String(cString: value) }
        }
        return found
    }
}
