internal import CZlib
internal import Languages
internal import Scores

/// A picture as PDF: lines, areas and text in Helvetica, which every PDF reader includes.
///
/// Source: ISO 32000-1. The available characters are those of Windows-1252.
package struct PDFPicture {
    private var out: [UInt8] = []
    /// The positions in the file where objects begin; object n is at index n - 1.
    private var places: [Int] = []
    /// Whether a text contains characters that are not available.
    private var hasForeignLetters = false

    /// The bytes of the file, and what it does not carry; nil if it carries all.
    package static func bytes(of picture: Picture) -> (bytes: [UInt8], loss: String?) {
        var file = PDFPicture()
        file.write(picture)
        let loss = localized("letters that the standard fonts of PDF lack are shown as ? (SVG has all)")
        return (file.out, file.hasForeignLetters ? loss : nil)
    }

    private mutating func write(_ picture: Picture) {
        out = Array("%PDF-1.4\n%\u{E9}\u{E9}\n".utf8)
        let count = picture.sheets.count
        let kids = (0..<count).map { "\(6 + 2 * $0) 0 R" }.joined(separator: " ")
        object("<< /Type /Catalog /Pages 2 0 R >>")
        object("<< /Type /Pages /Kids [\(kids)] /Count \(count) >>")
        object("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>")
        object("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>")
        object("<< /Title \(string(picture.title)) /Producer (Barline) >>")
        let size = "\(picture.paper.width.roundedText) \(picture.paper.height.roundedText)"
        for (index, sheet) in picture.sheets.enumerated() {
            object(
                "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 \(size)] /Contents \(7 + 2 * index) 0 R "
                    + "/Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> >>")
            stream(operators(Picture.Layers(sheet), on: picture.paper))
        }
        let start = out.count
        append("xref\n0 \(places.count + 1)\n0000000000 65535 f \n")
        for place in places {
            let digits = "\(place)"
            append(String(repeating: "0", count: 10 - digits.count) + digits + " 00000 n \n")
        }
        append("trailer\n<< /Size \(places.count + 1) /Root 1 0 R /Info 5 0 R >>\nstartxref\n\(start)\n%%EOF\n")
    }

    private mutating func append(_ text: String) { out.append(contentsOf: text.utf8) }

    private mutating func object(_ content: String, stream: [UInt8]? = nil) {
        places.append(out.count)
        append("\(places.count) 0 obj\n\(content)\n")
        if let stream { out += Array("stream\n".utf8) + stream + Array("\nendstream\n".utf8) }
        append("endobj\n")
    }

    /// Adds an object with operators, compressed if there is enough memory.
    private mutating func stream(_ content: String) {
        let plain = Array(content.utf8)
        var packed = [UInt8](repeating: 0, count: Int(compressBound(uLong(plain.count))))
        var count = uLongf(packed.count)
        let isPacked = compress(&packed, &count, plain, uLong(plain.count)) == Z_OK
        let bytes = isPacked ? Array(packed.prefix(Int(count))) : plain
        object("<< /Length \(bytes.count)\(isPacked ? " /Filter /FlateDecode" : "") >>", stream: bytes)
    }

    /// The operators that draw a sheet.
    private mutating func operators(_ layers: Picture.Layers, on paper: Picture.Paper) -> String {
        func xy(_ x: Double, _ y: Double) -> String { "\(x.roundedText) \((paper.height - y).roundedText)" }
        var text = ""
        for (ink, boxes) in layers.areas {
            text += "\(ink.gray.roundedText) g\n"
            for box in boxes {
                let corner = xy(box.corner.x, box.corner.y + box.height)
                text += "\(corner) \(box.width.roundedText) \(box.height.roundedText) re\n"
            }
            text += "f\n"
        }
        for (style, lines) in layers.lines {
            text += "\(style.ink.gray.roundedText) G \(style.width.roundedText) w\n"
            for (from, to) in lines { text += "\(xy(from.x, from.y)) m \(xy(to.x, to.y)) l\n" }
            text += "S\n"
        }
        for (base, width, ink) in layers.fermatas {
            let (left, right, top) = (base.x - width / 2, base.x + width / 2, base.y - width * 0.85)
            let points = [xy(left, top), xy(right, top), xy(right, base.y)].joined(separator: " ")
            let dot = xy(base.x, base.y - 1)
            // A line of zero length with round ends is a dot.
            text += "\(ink.gray.roundedText) G 1.1 w \(xy(left, base.y)) m \(points) c S\n"
            text += "q 1 J 2.2 w \(dot) m \(dot) l S Q\n"
        }
        for (lettering, texts) in layers.texts {
            text +=
                "BT \(lettering.ink.gray.roundedText) g /F\(lettering.isBold ? 2 : 1) \(lettering.size.roundedText) Tf\n"
            for (words, place) in texts {
                let width = Helvetica.width(words, size: lettering.size, isBold: lettering.isBold)
                let shift =
                    switch lettering.side {
                    case .left: 0.0
                    case .middle: width / 2
                    case .right: width
                    }
                text += "1 0 0 1 \(xy(place.x - shift, place.y)) Tm \(string(words)) Tj\n"
            }
            text += "ET\n"
        }
        return text
    }

    /// A text as a hexadecimal string of PDF.
    private mutating func string(_ text: String) -> String {
        var digits = "<"
        for scalar in text.unicodeScalars {
            let byte = scalar.windows1252
            if byte == nil { hasForeignLetters = true }
            digits += (byte ?? UInt8(ascii: "?")).hexadecimal
        }
        return digits + ">"
    }
}
