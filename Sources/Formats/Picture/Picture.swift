internal import Scores

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
    enum Ink: Double, Hashable {
        case faint = 0.07
        case light = 0.16
        case pale = 0.34
        case soft = 0.56
        case full = 1
    }

    /// How words are written. The point of a text is on its baseline.
    struct Lettering: Hashable {
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
    /// From the blank to the tilde: plain, and bold.
    private static let widths: [(plain: Int, bold: Int)] = [
        (278, 278), (278, 333), (355, 474), (556, 556), (556, 556), (889, 889), (667, 722), (191, 238),
        (333, 333), (333, 333), (389, 389), (584, 584), (278, 278), (333, 333), (278, 278), (278, 278),
        (556, 556), (556, 556), (556, 556), (556, 556), (556, 556), (556, 556), (556, 556), (556, 556),
        (556, 556), (556, 556), (278, 333), (278, 333), (584, 584), (584, 584), (584, 584), (556, 611),
        (1015, 975), (667, 722), (667, 722), (722, 722), (722, 722), (667, 667), (611, 611), (778, 778),
        (722, 722), (278, 278), (500, 556), (667, 722), (556, 611), (833, 833), (722, 722), (778, 778),
        (667, 667), (778, 778), (722, 722), (667, 667), (611, 611), (722, 722), (667, 667), (944, 944),
        (667, 667), (667, 667), (611, 611), (278, 333), (278, 278), (278, 333), (469, 584), (556, 556),
        (333, 333), (556, 556), (556, 611), (500, 556), (556, 611), (556, 556), (278, 333), (556, 611),
        (556, 611), (222, 278), (222, 278), (500, 556), (222, 278), (833, 889), (556, 611), (556, 611),
        (556, 611), (556, 611), (333, 389), (500, 556), (278, 333), (556, 611), (500, 556), (722, 778),
        (500, 556), (500, 556), (500, 500), (334, 389), (260, 280), (334, 389), (584, 584),
    ]

    /// How wide a text is; letters beyond ASCII count as wide as an o, those of Asia as wide as they are high.
    static func width(_ text: String, size: Double, isBold: Bool = false) -> Double {
        var sum = 0
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x20..<0x7F:
                let width = widths[Int(scalar.value) - 0x20]
                sum += isBold ? width.bold : width.plain
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
