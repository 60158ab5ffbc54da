/// The folders in which a user's files lie, by the XDG base directory specification.
package enum BaseFolder: String, Sendable {
    /// What the user has set: `~/.config`.
    case config = "XDG_CONFIG_HOME"
    /// What the user has made: `~/.local/share`.
    case data = "XDG_DATA_HOME"
    /// What programs remember: `~/.local/state`.
    case state = "XDG_STATE_HOME"

    /// Barline's own folder in it, which need not exist; nil without a home. A relative path in the variable counts as none.
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
