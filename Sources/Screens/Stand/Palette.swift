internal import Scores

/// The colors of a stand as escape sequences for a terminal.
package enum Palette {
    /// The color depth of a terminal.
    package enum Depth: Sendable, Equatable {
        /// No colors, or none wanted: backgrounds are shown as reverse video.
        case none
        /// The 256 colors of xterm.
        case indexed
        case full
    }

    /// The color depth of a terminal with these environment variables.
    package static func depth(isWanted: Bool, term: String?, colorterm: String?) -> Depth {
        guard isWanted else { return .none }
        if colorterm == "truecolor" || colorterm == "24bit" { return .full }
        // The Linux console and VT100 terminals do not show 256 colors properly.
        return term == "linux" || term?.hasPrefix("vt") == true ? .none : .indexed
    }

    /// The SGR parameters for a color.
    static func code(_ color: Color, _ depth: Depth, isGround: Bool) -> String {
        let kind = isGround ? "48" : "38"
        guard depth == .indexed else { return "\(kind);2;\(color.red);\(color.green);\(color.blue)" }
        // The cube of 6 × 6 × 6: levels 0, 95, 135, 175, 215, 255.
        func level(_ value: UInt8) -> Int { value < 48 ? 0 : value < 115 ? 1 : (Int(value) - 35) / 40 }
        return "\(kind);5;\(16 + 36 * level(color.red) + 6 * level(color.green) + level(color.blue))"
    }
}
