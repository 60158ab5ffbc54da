internal import Scores

/// Lines, areas and texts on sheets of paper, for SVG and PDF. Lengths are in points (1/72 inch), from the upper left.
package struct Picture {
    /// A shape on a sheet.
    package enum Shape {
        case line(from: Point, to: Point, width: Double, ink: Ink)
        case area(Point, width: Double, height: Double, ink: Ink)
        /// The sign of a hold: the middle of its base, and its width.
        case fermata(Point, width: Double, ink: Ink)
        case text(String, Point, Lettering)
    }

    package struct Point {
        package var x, y: Double
    }

    /// The darkness: 0 is white, 1 is black.
    package enum Ink: Double, Hashable {
        case faint = 0.07
        case light = 0.16
        case pale = 0.34
        case soft = 0.56
        case full = 1

        /// The brightness, 0 ... 1.
        var gray: Double { 1 - rawValue }
    }

    /// The style of a text. The point of a text is on its baseline.
    package struct Lettering: Hashable {
        package var size: Double
        package var isBold = false
        package var side = Side.left
        package var ink = Ink.full

        /// The side of a text that is at its point.
        package enum Side: String {
            // As SVG's attribute `text-anchor` has them.
            case left = "start"
            case middle
            case right = "end"
        }
    }

    package var title: String
    package var paper = Paper.a4
    package var sheets: [[Shape]] = []

    /// Makes a picture.
    package init(title: String, paper: Paper = .a4, sheets: [[Shape]] = []) {
        (self.title, self.paper, self.sheets) = (title, paper, sheets)
    }
}

extension [Picture.Shape] {
    /// Adds a text at a point; an empty one is left out.
    package mutating func text(
        _ text: String, _ x: Double, _ y: Double, size: Double, isBold: Bool = false,
        side: Picture.Lettering.Side = .left, ink: Picture.Ink = .full
    ) {
        guard !text.isEmpty else { return }
        let lettering = Picture.Lettering(size: size, isBold: isBold, side: side, ink: ink)
        append(.text(text, Picture.Point(x: x, y: y), lettering))
    }

    /// Adds a line from one point to another.
    package mutating func line(
        _ x: Double, _ y: Double, _ toX: Double, _ toY: Double, width: Double, _ ink: Picture.Ink = .full
    ) {
        append(.line(from: Picture.Point(x: x, y: y), to: Picture.Point(x: toX, y: toY), width: width, ink: ink))
    }

    /// Adds an area by its upper left corner.
    package mutating func area(_ x: Double, _ y: Double, width: Double, height: Double, _ ink: Picture.Ink) {
        append(.area(Picture.Point(x: x, y: y), width: width, height: height, ink: ink))
    }
}

extension UInt8 {
    /// The byte as two hexadecimal digits.
    var hexadecimal: String { (self < 16 ? "0" : "") + String(self, radix: 16) }
}

/// The widths of Helvetica's characters, in thousandths of the font size.
///
/// Source: Adobe's font metrics for the standard fonts of PostScript and PDF.
package enum Helvetica {
    /// From the space to the tilde: regular and bold.
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

    /// The width of a text. A character beyond ASCII counts as wide as an o, an Asian one as wide as it is high.
    package static func width(_ text: String, size: Double, isBold: Bool = false) -> Double {
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
}
