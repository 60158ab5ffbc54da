extension ScoreFormat.Definition {
    static var pdf: Self {
        Self(
            name: "a PDF picture", extensions: ["pdf"],
            write: .played { played, losses throws(TextError) in
                var writer = PDFPicture()
                let bytes = writer.bytes(of: try PictureLayout.picture(of: played))
                if writer.hasForeignLetters {
                    losses.note("letters that a PDF's own fonts do not have are shown as ? (SVG has all)")
                }
                return bytes
            }, carries: ScoreFeature.pictured)
    }
}

/// A picture as PDF: lines, areas and Helvetica, which every reader of PDF brings along.
///
/// Source: ISO 32000-1. The letters are those of Windows-1252.
struct PDFPicture {
    private var out: [UInt8] = []
    /// Where objects begin in the file; object n is at n - 1.
    private var places: [Int] = []
    /// Whether a text had letters that are not there.
    private(set) var hasForeignLetters = false

    /// The file.
    mutating func bytes(of picture: Picture) -> [UInt8] {
        out = Array("%PDF-1.4\n%\u{E9}\u{E9}\n".utf8)
        let count = picture.sheets.count
        let kids = (0..<count).map { "\(6 + 2 * $0) 0 R" }.joined(separator: " ")
        object("<< /Type /Catalog /Pages 2 0 R >>")
        object("<< /Type /Pages /Kids [\(kids)] /Count \(count) >>")
        object("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>")
        object("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>")
        object("<< /Title \(string(picture.title)) /Producer (Barline) >>")
        let size = "\(SVGPicture.number(Picture.width)) \(SVGPicture.number(Picture.height))"
        for (index, sheet) in picture.sheets.enumerated() {
            object(
                "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 \(size)] /Contents \(7 + 2 * index) 0 R "
                    + "/Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> >>")
            let content = sheet.map { operators($0) }.joined(separator: "\n")
            object("<< /Length \(content.utf8.count) >>\nstream\n\(content)\nendstream")
        }
        let start = out.count
        append("xref\n0 \(places.count + 1)\n0000000000 65535 f \n")
        for place in places {
            let digits = "\(place)"
            append(String(repeating: "0", count: 10 - digits.count) + digits + " 00000 n \n")
        }
        append("trailer\n<< /Size \(places.count + 1) /Root 1 0 R /Info 5 0 R >>\nstartxref\n\(start)\n%%EOF\n")
        return out
    }

    private mutating func append(_ text: String) { out.append(contentsOf: text.utf8) }

    private mutating func object(_ content: String) {
        places.append(out.count)
        append("\(places.count) 0 obj\n\(content)\nendobj\n")
    }

    private mutating func operators(_ shape: Picture.Shape) -> String {
        func xy(_ point: Picture.Point) -> String {
            "\(SVGPicture.number(point.x)) \(SVGPicture.number(Picture.height - point.y))"
        }
        func number(_ value: Double) -> String { SVGPicture.number(value) }
        switch shape {
        case .line(let from, let to, let width, let ink):
            return "\(number(ink.gray)) G \(number(width)) w \(xy(from)) m \(xy(to)) l S"
        case .area(let corner, let width, let height, let ink):
            let lower = Picture.Point(x: corner.x, y: corner.y + height)
            return "\(number(ink.gray)) g \(xy(lower)) \(number(width)) \(number(height)) re f"
        case .fermata(let base, let width, let ink):
            let (left, right, top) = (base.x - width / 2, base.x + width / 2, base.y - width * 0.85)
            let points = [(left, top), (right, top), (right, base.y)].map { xy(Picture.Point(x: $0, y: $1)) }
            let dot = Picture.Point(x: base.x, y: base.y - 1)
            // A line of no length with round ends is a dot.
            return
                "\(number(ink.gray)) G 1.1 w \(xy(Picture.Point(x: left, y: base.y))) m \(points.joined(separator: " ")) c S "
                + "q 1 J 2.2 w \(xy(dot)) m \(xy(dot)) l S Q"
        case .text(let text, let point, let lettering):
            let width = Helvetica.width(text, size: lettering.size, isBold: lettering.isBold)
            let shift =
                switch lettering.side {
                case .left: 0.0
                case .middle: width / 2
                case .right: width
                }
            let place = xy(Picture.Point(x: point.x - shift, y: point.y))
            return
                "BT \(number(lettering.ink.gray)) g /F\(lettering.isBold ? 2 : 1) \(number(lettering.size)) Tf \(place) Td "
                + "\(string(text)) Tj ET"
        }
    }

    /// A text in hexadecimal digits.
    private mutating func string(_ text: String) -> String {
        var digits = "<"
        for scalar in text.unicodeScalars {
            let byte = scalar.windows1252
            if byte == nil { hasForeignLetters = true }
            let hex = String(byte ?? UInt8(ascii: "?"), radix: 16)
            digits += hex.count == 1 ? "0" + hex : hex
        }
        return digits + ">"
    }
}
