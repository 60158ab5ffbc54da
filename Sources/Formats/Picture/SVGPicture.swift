internal import Scores

extension ScoreFormat.Definition {
    static var svg: Self {
        Self(
            name: "an SVG picture", extensions: ["svg"],
            write: .played { played, _ throws(TextError) in
                Array(SVGPicture.text(try PictureLayout.picture(of: played)).utf8)
            },
            carries: ScoreFeature.pictured)
    }
}

/// A picture as SVG: its sheets one under the other.
enum SVGPicture {
    static func text(_ picture: Picture) -> String {
        let height = Picture.height * Double(picture.sheets.count)
        var text = """
            <svg xmlns="http://www.w3.org/2000/svg" width="210mm" height="\(297 * picture.sheets.count)mm" \
            viewBox="0 0 \(number(Picture.width)) \(number(height))" font-family="Helvetica, Arial, Liberation Sans, sans-serif">
            <title>\(picture.title.escapedForXML)</title>
            <rect width="100%" height="100%" fill="#fff"/>

            """
        for (index, sheet) in picture.sheets.enumerated() {
            text += "<g transform=\"translate(0 \(number(Picture.height * Double(index))))\">\n"
            text += elements(Picture.Layers(sheet)) + "</g>\n"
        }
        return text + "</svg>\n"
    }

    private static func elements(_ layers: Picture.Layers) -> String {
        var text = ""
        for (ink, boxes) in layers.areas {
            text += "<g fill=\"\(color(ink))\">\n"
            for box in boxes {
                text +=
                    "<rect x=\"\(number(box.corner.x))\" y=\"\(number(box.corner.y))\" width=\"\(number(box.width))\" "
                    + "height=\"\(number(box.height))\"/>\n"
            }
            text += "</g>\n"
        }
        for (style, lines) in layers.lines {
            let path = lines.map { from, to in
                let end = to.x == from.x ? "V\(number(to.y))" : to.y == from.y ? "H\(number(to.x))" : "L\(point(to))"
                return "M\(point(from))" + end
            }
            text +=
                "<path stroke=\"\(color(style.ink))\" stroke-width=\"\(number(style.width))\" d=\"\(path.joined())\"/>\n"
        }
        for (base, width, ink) in layers.fermatas {
            let (left, right, top) = (
                number(base.x - width / 2), number(base.x + width / 2), number(base.y - width * 0.85)
            )
            text +=
                "<path d=\"M\(left) \(number(base.y))C\(left) \(top) \(right) \(top) \(right) \(number(base.y))\" fill=\"none\" "
                + "stroke=\"\(color(ink))\" stroke-width=\"1.1\"/><circle cx=\"\(number(base.x))\" "
                + "cy=\"\(number(base.y - 1))\" r=\"1.1\" fill=\"\(color(ink))\"/>\n"
        }
        for (lettering, texts) in layers.texts {
            let anchor =
                switch lettering.side {
                case .left: ""
                case .middle: " text-anchor=\"middle\""
                case .right: " text-anchor=\"end\""
                }
            text +=
                "<g font-size=\"\(number(lettering.size))\"" + (lettering.isBold ? " font-weight=\"bold\"" : "")
                + anchor
                + " fill=\"\(color(lettering.ink))\">\n"
            for (words, place) in texts {
                text += "<text x=\"\(number(place.x))\" y=\"\(number(place.y))\">\(words.escapedForXML)</text>\n"
            }
            text += "</g>\n"
        }
        return text
    }

    private static func point(_ point: Picture.Point) -> String { "\(number(point.x)) \(number(point.y))" }

    private static func color(_ ink: Picture.Ink) -> String {
        let hex = String(Int((ink.gray * 255).rounded()), radix: 16)
        let two = hex.count == 1 ? "0" + hex : hex
        return "#" + two + two + two
    }

    static func number(_ value: Double) -> String { value.roundedText }
}
