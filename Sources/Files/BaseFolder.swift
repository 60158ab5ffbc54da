/// The folders for a user's files according to the XDG Base Directory Specification.
package enum BaseFolder: String, Sendable {
    /// The user's settings: `~/.config`.
    case config = "XDG_CONFIG_HOME"
    /// The user's data: `~/.local/share`.
    case data = "XDG_DATA_HOME"
    /// State that programs keep: `~/.local/state`.
    case state = "XDG_STATE_HOME"

    /// Barline's folder in it, which need not exist; nil if there is no home. A relative path in the variable is ignored.
    package func path(environment: [String: String]) -> String? {
        if let base = environment[rawValue], base.hasPrefix("/") { return base + "/barline" }
        guard let home = environment["HOME"], !home.isEmpty else { return nil }
        switch self {
        case .config: return home + "/.config/barline"
        case .data: return home + "/.local/share/barline"
        case .state: return home + "/.local/state/barline"
        }
    }
}
