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
            <title>\(escaped(picture.title))</title>
            <rect width="100%" height="100%" fill="#fff"/>

            """
        for (index, sheet) in picture.sheets.enumerated() {
            text += "<g transform=\"translate(0 \(number(Picture.height * Double(index))))\">\n"
            for shape in sheet { text += element(shape) + "\n" }
            text += "</g>\n"
        }
        return text + "</svg>\n"
    }

    private static func element(_ shape: Picture.Shape) -> String {
        switch shape {
        case .line(let from, let to, let width, let ink):
            return "<path d=\"M\(number(from.x)) \(number(from.y))L\(number(to.x)) \(number(to.y))\" "
                + "stroke=\"\(color(ink))\" stroke-width=\"\(number(width))\"/>"
        case .area(let corner, let width, let height, let ink):
            return "<rect x=\"\(number(corner.x))\" y=\"\(number(corner.y))\" width=\"\(number(width))\" "
                + "height=\"\(number(height))\" fill=\"\(color(ink))\"/>"
        case .fermata(let base, let width, let ink):
            let (left, right, top) = (base.x - width / 2, base.x + width / 2, base.y - width * 0.85)
            return "<path d=\"M\(number(left)) \(number(base.y))C\(number(left)) \(number(top)) \(number(right)) "
                + "\(number(top)) \(number(right)) \(number(base.y))\" fill=\"none\" stroke=\"\(color(ink))\" "
                + "stroke-width=\"1.1\"/><circle cx=\"\(number(base.x))\" cy=\"\(number(base.y - 1))\" r=\"1.1\" fill=\"\(color(ink))\"/>"
        case .text(let text, let point, let lettering):
            let anchor =
                switch lettering.side {
                case .left: ""
                case .middle: " text-anchor=\"middle\""
                case .right: " text-anchor=\"end\""
                }
            return "<text x=\"\(number(point.x))\" y=\"\(number(point.y))\" font-size=\"\(number(lettering.size))\""
                + (lettering.isBold ? " font-weight=\"bold\"" : "") + anchor + " fill=\"\(color(lettering.ink))\">"
                + "\(escaped(text))</text>"
        }
    }

    private static func color(_ ink: Picture.Ink) -> String {
        let hex = String(Int((ink.gray * 255).rounded()), radix: 16)
        let two = hex.count == 1 ? "0" + hex : hex
        return "#" + two + two + two
    }

    static func number(_ value: Double) -> String { value.roundedText }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
