internal import Scores

/// The colors of a stand, and how a terminal is told them.
package enum Palette {
    /// How many colors a terminal has.
    package enum Depth: Sendable, Equatable {
        /// None, or none wanted: what is lit is shown in reverse.
        case none
        /// The 256 of xterm.
        case indexed
        /// Every one.
        case full
    }

    /// The colors that a terminal has, by its environment and whether color is wanted.
    package static func depth(isWanted: Bool, term: String?, colorterm: String?) -> Depth {
        guard isWanted else { return .none }
        if colorterm == "truecolor" || colorterm == "24bit" { return .full }
        // Linux' own console and VT100 show nothing sensible for 256 colors.
        return term == "linux" || term?.hasPrefix("vt") == true ? .none : .indexed
    }

    /// The parameters of SGR for a color.
    static func code(_ color: Ink.Color, _ depth: Depth, isGround: Bool) -> String {
        let kind = isGround ? "48" : "38"
        guard depth == .indexed else { return "\(kind);2;\(color.red);\(color.green);\(color.blue)" }
        // The cube of 6 × 6 × 6: levels 0, 95, 135, 175, 215, 255.
        func level(_ value: UInt8) -> Int { value < 48 ? 0 : value < 115 ? 1 : (Int(value) - 35) / 40 }
        return "\(kind);5;\(16 + 36 * level(color.red) + 6 * level(color.green) + level(color.blue))"
    }
}

extension Ink.Color {
    init(_ color: Color) { self.init(red: color.red, green: color.green, blue: color.blue) }
}
