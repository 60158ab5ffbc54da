/// Lines, areas and words on sheets of paper, for SVG and PDF. Lengths are points (1/72 inch), from the upper left.
struct Picture {
    /// What is on a sheet.
    enum Shape {
        case line(from: Point, to: Point, width: Double, ink: Ink)
        case area(Point, width: Double, height: Double, ink: Ink)
        /// A hold's sign: the middle of its base, and its width.
        case fermata(Point, width: Double, ink: Ink)
        case text(String, Point, Lettering)
    }

    struct Point {
        var x, y: Double
    }

    /// How dark: 0 is white, 1 is black.
    enum Ink: Double {
        case faint = 0.07
        case light = 0.16
        case pale = 0.34
        case soft = 0.56
        case full = 1
    }

    /// How words are written. The point of a text is on its baseline.
    struct Lettering {
        var size: Double
        var isBold = false
        var side = Side.left
        var ink = Ink.full

        /// Which side of a text is at its point.
        enum Side { case left, middle, right }
    }

    var title: String
    var sheets: [[Shape]] = []

    /// A4, upright.
    static let width = 595.276
    static let height = 841.89
}

extension Picture.Ink {
    /// The brightness, 0 ... 1.
    var gray: Double { 1 - rawValue }
}

/// The widths of Helvetica's letters, in thousandths of its size.
///
/// Source: Adobe's font metrics for the standard fonts of PostScript and PDF.
enum Helvetica {
    private static let plain: [Int] = [
        278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556,
        556,
        556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556,
        833,
        722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500,
        556,
        556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500,
        334,
        260, 334, 584,
    ]
    private static let bold: [Int] = [
        278, 333, 474, 556, 556, 889, 722, 238, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556,
        556,
        556, 556, 556, 333, 333, 584, 584, 584, 611, 975, 722, 722, 722, 722, 667, 611, 778, 722, 278, 556, 722, 611,
        833,
        722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 333, 278, 333, 584, 556, 333, 556, 611, 556,
        611,
        556, 333, 611, 611, 278, 278, 556, 278, 889, 611, 611, 611, 611, 389, 556, 333, 611, 556, 778, 556, 556, 500,
        389,
        280, 389, 584,
    ]

    /// How wide a text is; letters beyond ASCII count as wide as an o, those of Asia as wide as they are high.
    static func width(_ text: String, size: Double, isBold: Bool = false) -> Double {
        var sum = 0
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x20..<0x7F: sum += (isBold ? bold : plain)[Int(scalar.value) - 0x20]
            case 0x2E80...0xFFEF, 0x1F300...0x3FFFD: sum += 1000
            default: sum += isBold ? 611 : 556
            }
        }
        return Double(sum) * size / 1000
    }

    /// As much of a text as a width has room for, `…` where it is cut; empty where not even a letter fits.
    static func fitting(_ text: String, width: Double, size: Double, isBold: Bool = false) -> String {
        if Self.width(text, size: size, isBold: isBold) <= width { return text }
        var cut = text
        while !cut.isEmpty {
            cut.removeLast()
            let shown = cut.trimmingBlanks + "…"
            if !cut.isEmpty, Self.width(shown, size: size, isBold: isBold) <= width { return shown }
        }
        return ""
    }
}
