internal import Score

/// The colours of a stand, and how a terminal is told them.
package enum Palette {
    /// How many colours a terminal has.
    package enum Depth: Sendable, Equatable {
        /// None, or none wanted: what is lit is shown in reverse.
        case none
        /// The 256 of xterm.
        case indexed
        /// Every one.
        case full
    }

    /// The colours that a terminal has, by its environment and whether colour is wanted.
    package static func depth(isWanted: Bool, term: String?, colorterm: String?) -> Depth {
        guard isWanted else { return .none }
        if colorterm == "truecolor" || colorterm == "24bit" { return .full }
        // Linux' own console and VT100 show nothing sensible for 256 colours.
        return term == "linux" || term?.hasPrefix("vt") == true ? .none : .indexed
    }

    /// The parameters of SGR for a colour.
    static func code(_ colour: Ink.Colour, _ depth: Depth, isGround: Bool) -> String {
        let kind = isGround ? "48" : "38"
        guard depth == .indexed else { return "\(kind);2;\(colour.red);\(colour.green);\(colour.blue)" }
        // The cube of 6 × 6 × 6: levels 0, 95, 135, 175, 215, 255.
        func level(_ value: UInt8) -> Int { value < 48 ? 0 : value < 115 ? 1 : (Int(value) - 35) / 40 }
        return "\(kind);5;\(16 + 36 * level(colour.red) + 6 * level(colour.green) + level(colour.blue))"
    }
}

extension Ink.Colour {
    init(_ colour: Colour) { self.init(red: colour.red, green: colour.green, blue: colour.blue) }
}
