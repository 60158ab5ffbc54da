internal import Languages
internal import Scores
internal import Timing

/// A line of the score in a picture: its bars, and how many times it is played in a row.
struct PictureLine {
    var bars: [PlayedBar]
    var passes = 1
    /// The tempi that the bars show, by their index.
    var tempi: [Int: [PictureTempo]] = [:]

    var duration: Duration { bars.last.map { $0.start + $0.heard.upperBound - begin } ?? .zero }
    /// When the line begins, or what is played of it.
    var begin: Duration { bars[0].start + bars[0].heard.lowerBound }

    /// Whether a later line is the same music.
    func isAlike(_ other: PictureLine) -> Bool {
        guard bars.count == other.bars.count else { return false }
        return zip(bars, other.bars).allSatisfy { one, two in
            one.heard == two.heard && one.bar == two.bar && one.written == two.written && one.label == two.label
                && one.section == two.section && (one.section.isEmpty || one.isSectionStart == two.isSectionStart)
        }
    }

    /// Whether a sheet does not have room for all lines of a piece, so that immediate repeats of a line have one row.
    static func joinsRepeats(of played: PlayedScore, on paper: Picture.Paper) -> Bool {
        played.bar(played.barCount - 1).line - played.bar(0).line >= paper.rowCount
    }

    /// The lines of a piece.
    static func lines(of played: PlayedScore, on paper: Picture.Paper) throws(TextError) -> [PictureLine] {
        let joins = joinsRepeats(of: played, on: paper)
        var lines: [PictureLine] = []
        var open: PictureLine?
        var shown = 0
        func close() {
            guard let line = open else { return }
            if joins, let last = lines.last, last.isAlike(line) {
                lines[lines.count - 1].passes += 1
                shown -= line.bars.count
            } else {
                lines.append(line)
            }
        }
        for bar in played.bars {
            if open?.bars[0].line == bar.line {
                open?.bars.append(bar)
            } else {
                close()
                open = PictureLine(bars: [bar])
            }
            shown += 1
            guard shown <= PictureLine.barLimit else {
                throw TextError(
                    localized("a picture has at most 20 000 bars"), hint: localized("show a part of the piece"))
            }
        }
        close()
        var tempi = PictureTempi()
        for line in lines.indices {
            for (index, bar) in lines[line].bars.enumerated() {
                let shown = tempi.tempi(of: bar)
                if !shown.isEmpty { lines[line].tempi[index] = shown }
            }
        }
        return lines
    }

    /// The maximum number of bars in a picture, where immediate repeats of a line count once, and of rows.
    static let barLimit = 20_000
}

/// A row of a picture: a line, or a part of a line that is too long for the paper.
struct PictureRow {
    /// A bar, or a part of a bar that is longer than a row.
    struct Piece {
        var bar: PlayedBar
        /// The part of the bar that is in the row, from the beginning of the bar.
        var part: Range<Duration>
        /// Where the part begins, from the beginning of the row.
        var offset: Duration
        /// The tempi that the bar shows.
        var tempi: [PictureTempo] = []

        var begins: Bool { part.lowerBound == .zero }
        var ends: Bool { part.upperBound == bar.duration }
    }

    var pieces: [Piece] = []
    /// The line that begins here; nil in a row that continues a line.
    var line: PictureLine?
    /// Whether a line ends here.
    var endsLine = false

    var duration: Duration { pieces.last.map { $0.offset + ($0.part.upperBound - $0.part.lowerBound) } ?? .zero }

    /// The row as two rows with half of the bars each.
    var halves: [PictureRow] {
        let middle = pieces.count / 2
        var (one, two) = (self, self)
        one.pieces.removeSubrange(middle...)
        two.pieces.removeSubrange(..<middle)
        one.endsLine = false
        two.line = nil
        let shift = two.pieces.first?.offset ?? .zero
        for index in two.pieces.indices { two.pieces[index].offset -= shift }
        return [one, two]
    }

    /// The rows of lines, none longer than `longest`.
    static func rows(of lines: [PictureLine], longest: Duration) throws(TextError) -> [PictureRow] {
        var rows: [PictureRow] = []
        var row = PictureRow()
        func close() throws(TextError) {
            guard rows.count < PictureLine.barLimit else {
                throw TextError(
                    localized("a picture has at most 20 000 rows"), hint: localized("show a part of the piece"))
            }
            rows.append(row)
            row = PictureRow()
        }
        for line in lines {
            row.line = line
            for (index, bar) in line.bars.enumerated() {
                let heard = bar.heard
                if !row.pieces.isEmpty, row.duration + (heard.upperBound - heard.lowerBound) > longest {
                    try close()
                }
                var part = heard.lowerBound
                while part < heard.upperBound {
                    let end = min(part + longest, heard.upperBound)
                    row.pieces.append(
                        Piece(bar: bar, part: part..<end, offset: row.duration, tempi: line.tempi[index] ?? []))
                    part = end
                    if part < heard.upperBound { try close() }
                }
            }
            row.endsLine = true
            try close()
        }
        return rows
    }
}
