internal import Scores

/// A picture as SVG, its sheets one below the other.
package enum SVGPicture {
    /// The bytes of the file.
    package static func bytes(of picture: Picture) -> [UInt8] {
        let (paper, count) = (picture.paper, Double(picture.sheets.count))
        var svg = SVG()
        svg.add(
            "svg",
            [
                "xmlns": "http://www.w3.org/2000/svg", "width": "\(paper.millimeters.width.roundedText)mm",
                "height": "\((paper.millimeters.height * count).roundedText)mm",
                "viewBox": "0 0 \(paper.width.roundedText) \((paper.height * count).roundedText)",
                "font-family": "Helvetica, Arial, Liberation Sans, sans-serif",
            ]
        ) { svg in
            svg.add("title", words: picture.title)
            svg.add("rect", ["width": "100%", "height": "100%", "fill": "#fff"])
            for (index, sheet) in picture.sheets.enumerated() {
                let top = (paper.height * Double(index)).roundedText
                svg.add("g", ["transform": "translate(0 \(top))"]) { draw(Picture.Layers(sheet), in: &$0) }
            }
        }
        return Array(svg.text.utf8)
    }

    private static func draw(_ layers: Picture.Layers, in svg: inout SVG) {
        for (ink, boxes) in layers.areas {
            svg.add("g", ["fill": color(ink)]) { svg in
                for box in boxes {
                    svg.add("rect", ["x": box.corner.x, "y": box.corner.y, "width": box.width, "height": box.height])
                }
            }
        }
        for (style, lines) in layers.lines {
            let path = lines.map { from, to in
                let (x, y) = (to.x.roundedText, to.y.roundedText)
                return "M\(point(from))" + (to.x == from.x ? "V\(y)" : to.y == from.y ? "H\(x)" : "L\(x) \(y)")
            }
            svg.add("path", ["stroke": color(style.ink), "stroke-width": style.width, "d": path.joined()])
        }
        for (base, width, ink) in layers.fermatas {
            let (left, right) = ((base.x - width / 2).roundedText, (base.x + width / 2).roundedText)
            let (top, bottom) = ((base.y - width * 0.85).roundedText, base.y.roundedText)
            svg.add(
                "path",
                [
                    "d": "M\(left) \(bottom)C\(left) \(top) \(right) \(top) \(right) \(bottom)", "fill": "none",
                    "stroke": color(ink), "stroke-width": 1.1,
                ])
            svg.add("circle", ["cx": base.x, "cy": base.y - 1, "r": 1.1, "fill": color(ink)])
        }
        for (lettering, texts) in layers.texts {
            svg.add(
                "g",
                [
                    "font-size": lettering.size, "font-weight": lettering.isBold ? "bold" : "normal",
                    "text-anchor": lettering.side.rawValue, "fill": color(lettering.ink),
                ]
            ) { svg in
                for (words, place) in texts { svg.add("text", ["x": place.x, "y": place.y], words: words) }
            }
        }
    }

    private static func point(_ point: Picture.Point) -> String { "\(point.x.roundedText) \(point.y.roundedText)" }

    private static func color(_ ink: Picture.Ink) -> String {
        "#" + String(repeating: UInt8((ink.gray * 255).rounded()).hexadecimal, count: 3)
    }
}
