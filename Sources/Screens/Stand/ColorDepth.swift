internal import Scores

/// How many colors a terminal shows.
package enum ColorDepth: Sendable, Equatable {
    /// No colors, or none wanted: backgrounds are shown as reverse video.
    case none
    /// The 256 colors of xterm.
    case indexed
    case full

    /// The depth of a terminal with these environment variables.
    package init(isWanted: Bool, term: String?, colorterm: String?) {
        // The Linux console and VT100 terminals do not show 256 colors properly.
        let isOld = term == "linux" || term?.hasPrefix("vt") == true
        let isFull = colorterm == "truecolor" || colorterm == "24bit"
        self = !isWanted ? .none : isFull ? .full : isOld ? .none : .indexed
    }

    /// The SGR parameters for a color.
    func code(_ color: Color, isGround: Bool) -> String {
        let kind = isGround ? "48" : "38"
        guard self == .indexed else { return "\(kind);2;\(color.red);\(color.green);\(color.blue)" }
        // The cube of 6 × 6 × 6: levels 0, 95, 135, 175, 215, 255.
        func level(_ value: UInt8) -> Int { value < 48 ? 0 : value < 115 ? 1 : (Int(value) - 35) / 40 }
        return "\(kind);5;\(16 + 36 * level(color.red) + 6 * level(color.green) + level(color.blue))"
    }
}
