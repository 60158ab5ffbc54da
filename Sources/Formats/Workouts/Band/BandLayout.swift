internal import Languages

/// Draws a band on a sheet of A4: a strip to cut out, fold along its middle and tape around the wrist.
///
/// The strip keeps 3 cm from the upper and lower edge, so that a printer with Letter paper prints all of it, wherever it
/// places the sheet. Lengths are in points.
package struct BandLayout {
    private static let millimeter = 72 / 25.4
    /// The strip: the width of the face, its length, and the part of the length that goes under the tape.
    private static let width = 50 * millimeter
    private static let length = 200 * millimeter
    private static let overlap = 15 * millimeter
    /// The upper left corner of the strip.
    private static let left = 30 * millimeter
    private static let top = 32 * millimeter
    private static let margin = 1 * millimeter
    private static let gutter = 1 * millimeter

    /// The width of lines on the face.
    package static let innerWidth = width - 2 * margin
    /// The smallest type of rows. The x-height of Helvetica is 0.523 of its size, so this is 2.4 mm, and digits are 3.3 mm
    /// high: readable at 60 cm.
    package static let leastSize = 13.2
    private static let largestSize = 22.0
    /// The height of a line as a multiple of its type.
    private static let leading = 1.14
    /// The room of the head. It is the same for all, so that the number of rows does not depend on the title.
    private static let headHeight = 32 * millimeter
    private static let headingHeight = 10.0
    private static var rowsHeight: Double { length - overlap - headHeight - headingHeight - margin }

    /// The space between the two texts of a row.
    package static func gap(_ size: Double) -> Double { size * 0.3 }

    private var shapes: [Picture.Shape] = []
    /// Texts that were cut because they are too long.
    package private(set) var cuts: [String] = []

    package static func picture(of band: Band) -> (picture: Picture, cuts: [String]) {
        var layout = BandLayout()
        layout.strip()
        layout.head(band)
        layout.rows(band)
        let title = band.title.isEmpty ? (band.facts + [band.time]).joined(separator: " ") : band.title
        return (Picture(title: title, sheets: [layout.shapes]), layout.cuts)
    }

    // MARK: - Type

    /// The number of columns and the size of type with which rows fit, as large as possible; nil if they do not fit.
    package static func size(of rows: [Band.Row], _ headings: (mark: String, text: String)) -> (
        columns: Int, size: Double
    )? {
        let marks = rows.map { Helvetica.width($0.mark, size: 1, isBold: $0.isEnd) }.max() ?? 0
        let texts = rows.map { Helvetica.width($0.text, size: 1, isBold: $0.isEnd) }.max() ?? 0
        var best: (columns: Int, size: Double)?
        for columns in 1...2 {
            let width = (innerWidth - gutter * Double(columns - 1)) / Double(columns)
            let lines = (rows.count + columns - 1) / columns
            let size = min(width / (marks + texts + gap(1)), rowsHeight / Double(lines) / leading, largestSize)
            if size >= leastSize, size > best?.size ?? 0 { best = (columns, size) }
        }
        return best
    }

    /// A text, cut with an ellipsis if it is wider than a width.
    package static func cut(_ text: String, size: Double, isBold: Bool, width: Double) -> String {
        guard Helvetica.width(text, size: size, isBold: isBold) > width else { return text }
        var short = text
        while !short.isEmpty, Helvetica.width(short + "…", size: size, isBold: isBold) > width { short.removeLast() }
        return short + "…"
    }

    // MARK: - Parts

    /// The lines to cut and to fold, the end to tape, and how to do it.
    private mutating func strip() {
        let (left, top, right, bottom) = (Self.left, Self.top, Self.left + 2 * Self.width, Self.top + Self.length)
        let fold = left + Self.width
        shapes.line(left, top, right, top, width: 0.5)
        shapes.line(right, top, right, bottom, width: 0.5)
        shapes.line(right, bottom, left, bottom, width: 0.5)
        shapes.line(left, bottom, left, top, width: 0.5)
        var dash = top
        while dash < bottom {
            shapes.line(fold, dash, fold, min(dash + 6, bottom), width: 0.5, .soft)
            dash += 10
        }
        let tab = bottom - Self.overlap
        shapes.area(left, tab, width: 2 * Self.width, height: Self.overlap, .faint)
        shapes.text(
            localized("tape under the other end"), left + Self.width / 2, bottom - Self.overlap / 2, size: 8,
            side: .middle,
            ink: .soft)
        shapes.text(
            localized("fold back"), fold + Self.width / 2, top + Self.length / 2, size: 8, side: .middle, ink: .soft)
        let ruler = bottom + 8 * Self.millimeter
        shapes.line(left, ruler, left + 50 * Self.millimeter, ruler, width: 0.5)
        for x in [left, left + 50 * Self.millimeter] { shapes.line(x, ruler - 3, x, ruler + 3, width: 0.5) }
        shapes.text(localized("50 mm if printed at 100 %"), left + 54 * Self.millimeter, ruler + 3, size: 9)
        shapes.text(
            localized("Cut along the lines, fold along the dashes, wrap it around your wrist, and tape it."), left,
            ruler + 6 * Self.millimeter, size: 9)
    }

    /// Title, target and workout, in the middle of the head.
    private mutating func head(_ band: Band) {
        var lines: [(text: String, size: Double, isBold: Bool)] = []
        if !band.title.isEmpty { lines += wrapped(band.title, size: 12, isBold: true, limit: 2) }
        if !band.time.isEmpty { lines.append((band.time, 24, true)) }
        let facts = band.facts.joined(separator: "  ")
        if !facts.isEmpty {
            let width = Helvetica.width(facts, size: 1, isBold: true)
            lines.append((facts, min(14, Self.innerWidth / width), true))
        }
        // What is left holds at most three lines of the workout.
        let used = lines.reduce(0) { $0 + $1.size * Self.leading }
        let room = Int((Self.headHeight - Self.margin - used) / (9.5 * Self.leading))
        if !band.workout.isEmpty, room > 0 {
            lines += wrapped(band.workout, size: 9.5, isBold: false, limit: min(room, 3))
        }
        let height = lines.reduce(0) { $0 + $1.size * Self.leading }
        var y = Self.top + (Self.headHeight - height) / 2
        for (words, size, isBold) in lines {
            y += size * Self.leading
            shapes.text(words, Self.left + Self.width / 2, y - size * 0.3, size: size, isBold: isBold, side: .middle)
        }
    }

    /// A text in at most `limit` lines, of which the last is cut if it must.
    private mutating func wrapped(
        _ words: String, size: Double, isBold: Bool, limit: Int
    ) -> [(text: String, size: Double, isBold: Bool)] {
        var lines: [String] = []
        var rest = words.split(separator: " ").map(String.init)[...]
        while let first = rest.popFirst() {
            var line = first
            let isLast = lines.count == limit - 1
            while let next = rest.first,
                isLast || Helvetica.width("\(line) \(next)", size: size, isBold: isBold) <= Self.innerWidth
            {
                line += " \(next)"
                rest.removeFirst()
            }
            let shown = Self.cut(line, size: size, isBold: isBold, width: Self.innerWidth)
            if shown != line { cuts.append(line) }
            lines.append(shown)
        }
        return lines.map { ($0, size, isBold) }
    }

    private mutating func rows(_ band: Band) {
        guard let (columns, size) = Self.size(of: band.rows, band.headings) else { return }
        let width = (Self.innerWidth - Self.gutter * Double(columns - 1)) / Double(columns)
        let lines = (band.rows.count + columns - 1) / columns
        let pitch = min(Self.rowsHeight / Double(lines), size * 1.6)
        let top = Self.top + Self.headHeight + Self.headingHeight
        let marks = (band.rows.map { Helvetica.width($0.mark, size: size, isBold: $0.isEnd) }.max() ?? 0)
        for column in 0..<columns {
            let left = Self.left + Self.margin + Double(column) * (width + Self.gutter)
            shapes.text(
                band.headings.mark, left + max(marks, Helvetica.width(band.headings.mark, size: 8)), top - 2.5, size: 8,
                side: .right, ink: .soft)
            shapes.text(band.headings.text, left + width, top - 2.5, size: 8, side: .right, ink: .soft)
            if column > 0 {
                let x = left - Self.gutter / 2
                shapes.line(x, top, x, top + pitch * Double(lines), width: 0.5, .pale)
            }
            for (index, row) in band.rows.dropFirst(column * lines).prefix(lines).enumerated() {
                let line = top + Double(index) * pitch
                // Every other row is shaded, so that the eye stays in it.
                if index % 2 == 0 { shapes.area(left - 1, line, width: width + 2, height: pitch, .faint) }
                let base = line + pitch / 2 + size * 0.36
                shapes.text(row.mark, left + marks, base, size: size, isBold: row.isEnd, side: .right)
                shapes.text(row.text, left + width, base, size: size, isBold: row.isEnd, side: .right)
            }
        }
    }
}
