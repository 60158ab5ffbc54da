internal import Scores

/// Lays out a score on A4 sheets: one row per line, all to the same scale, with the widths of bars proportional to
/// their lengths.
struct PictureLayout {
    private var picture: Picture
    private let played: PlayedScore
    private var sheet: [Picture.Shape] = []
    /// Where the next row begins.
    private var y = 0.0

    /// How many rows fit on a sheet below a title.
    static let rowsOfSheet = 15
    /// Where rows begin and end.
    static let left = 58.0
    static let right = Picture.width - 36
    private static let top = 46.0
    private static let bottom = Picture.height - 46

    static func picture(of played: PlayedScore) throws(TextError) -> Picture {
        var layout = PictureLayout(played)
        layout.header()
        if played.score.brackets.isEmpty {
            try layout.lines()
        } else {
            layout.brackets()
        }
        layout.finish()
        return layout.picture
    }

    private init(_ played: PlayedScore) {
        self.played = played
        picture = Picture(title: played.score.title ?? "Score")
    }

    // MARK: - Sheets

    private mutating func text(
        _ text: String, _ x: Double, _ y: Double, size: Double, isBold: Bool = false,
        side: Picture.Lettering.Side = .left, ink: Picture.Ink = .full
    ) {
        guard !text.isEmpty else { return }
        let lettering = Picture.Lettering(size: size, isBold: isBold, side: side, ink: ink)
        sheet.append(.text(text, Picture.Point(x: x, y: y), lettering))
    }

    /// Draws title, composer, and facts about the whole piece.
    private mutating func header() {
        let (score, middle) = (played.score, Picture.width / 2)
        y = Self.top
        let width = Self.right - Self.left
        if let title = score.title {
            // If Helvetica is not available, another font may be wider.
            let room = width * 0.85
            let size = [20, 18, 16, 14, 12.0].first { Helvetica.width(title, size: $0, isBold: true) <= room } ?? 12
            text(
                Helvetica.fitting(title, width: room, size: size, isBold: true), middle, y + 12, size: size,
                isBold: true,
                side: .middle)
            y += 24
        }
        if let composer = score.composer {
            text(Helvetica.fitting(composer, width: width, size: 10), Self.right, y + 6, size: 10, side: .right)
        }
        var facts = [played.total.shownClock]
        if played.speed != .asWritten { facts.append("at \(played.speed)") }
        if let drone = score.drone { facts.append("drone \(drone.notes.names)") }
        if score.a4 != Score.standardA4 { facts.append("A4 = \(score.a4.plainText) Hz") }
        facts += score.tuning.facts
        if let timecode = played.timecode { facts.append("from \(timecode.textWithRate)") }
        switch score.countIn {
        case .off: break
        case .time(let time): facts.append("count-in \(time.shown) s")
        case .bars, .beats: facts.append("count-in \(score.countIn.text)")
        }
        text(facts.joined(separator: " \u{B7} "), Self.left, y + 6, size: 9, ink: .soft)
        y += 26
    }

    private mutating func turn() {
        picture.sheets.append(sheet)
        sheet = []
        y = Self.top
        if let title = played.score.title {
            text(Helvetica.fitting(title, width: 400, size: 9), Self.left, y - 12, size: 9, ink: .soft)
        }
        text("\(picture.sheets.count + 1)", Self.right, y - 12, size: 9, side: .right, ink: .soft)
    }

    private mutating func finish() {
        picture.sheets.append(sheet)
    }

    // MARK: - Lines

    private mutating func lines() throws(TextError) {
        let lines = try PictureLine.lines(of: played)
        let longest = lines.map(\.duration).max() ?? .seconds(1)
        // Keep lines whole if that leaves a bar of median length room for its number.
        let lengths = lines.flatMap { $0.bars.map(\.duration) }.sorted()
        let middle = lengths[lengths.count / 2]
        let width = Self.right - Self.left
        var span = longest
        if longest > middle * (width / 20) {
            span = middle * (width / 40)
            if let bar = lengths.last, bar <= span * 2 { span = max(span, bar) }
        }
        let rows = try PictureRow.rows(of: lines, longest: span)
        let widest = rows.map(\.duration).max() ?? span
        let scale = (Self.right - Self.left) / widest.inSeconds
        let headings = Double(rows.count { $0.heading != nil }) * 16
        let room = Self.bottom - 18 - y - headings
        let bars = lines.lazy.flatMap(\.bars)
        let (above, below) = (
            bars.contains { !$0.head.isEmpty } ? 24.0 : 14, bars.contains { !$0.note.isEmpty } ? 15.0 : 6
        )
        let least = above + 19 + below + 4
        let pitch = min(max(room / Double(rows.count), least), 66)
        let fitsOne = pitch * Double(rows.count) <= room
        let lane = min(pitch - above - below - 4, 30)
        for row in rows {
            let needed = (fitsOne ? 0.0 : pitch) + (row.heading == nil ? 0.0 : 16)
            if !fitsOne, y + needed > Self.bottom - 18 {
                axis(widest, scale)
                turn()
            }
            if let heading = row.heading {
                text(heading, Self.left, y + 10, size: 12, isBold: true)
                y += 16
            }
            var drawing = PictureRowDrawing(row, scale: scale, y: y + above, lane: lane, speed: played.speed)
            drawing.draw()
            sheet += drawing.shapes
            y += pitch
        }
        axis(widest, scale)
    }

    /// Draws a scale of seconds under the rows of a sheet.
    private mutating func axis(_ span: Duration, _ scale: Double) {
        let step = Self.step(scale, room: 26)
        sheet.append(
            .line(
                from: Picture.Point(x: Self.left, y: y + 4),
                to: Picture.Point(x: Self.left + span.inSeconds * scale, y: y + 4), width: 0.4, ink: .pale))
        var second = 0.0
        while second <= span.inSeconds + 1e-9 {
            let x = Self.left + second * scale
            sheet.append(
                .line(from: Picture.Point(x: x, y: y + 4), to: Picture.Point(x: x, y: y + 7), width: 0.4, ink: .soft))
            let isClock = span.inSeconds > 120
            let label = isClock ? Duration.seconds(Int(second)).clock : second.roundedText
            text(second == 0 && !isClock ? "0 s" : label, x, y + 14, size: 6, side: .middle, ink: .soft)
            second += step
        }
    }

    /// A round number of seconds that is at least `room` wide.
    static func step(_ scale: Double, room: Double) -> Double {
        let steps = [0.01, 0.1, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400]
        return steps.first { $0 * scale >= room } ?? 86400
    }

    // MARK: - Brackets

    /// Draws a row for every time bracket: the windows in which it may begin and end, and the time between them in
    /// which it certainly sounds.
    private mutating func brackets() {
        let brackets = played.score.playedBrackets
        let speed = played.speed
        let scale = (Self.right - Self.left) / max(played.total.inSeconds, 0.001)
        let room = Self.bottom - 18 - y
        let pitch = min(max(room / Double(max(brackets.count, 1)), 34), 54)
        for (number, bracket) in brackets.enumerated() {
            if y + pitch > Self.bottom - 18 {
                axis(played.total, scale)
                turn()
            }
            func x(_ time: Duration) -> Double { Self.left + speed.realDuration(of: time).inSeconds * scale }
            let (top, height) = (y + 12, 13.0)
            for (window, ink) in [(bracket.start, Picture.Ink.light), (bracket.end, .light)] {
                let from = Picture.Point(x: x(window.lowerBound), y: top)
                sheet.append(.area(from, width: max(x(window.upperBound) - from.x, 0), height: height, ink: ink))
            }
            let (from, to) = (x(bracket.start.upperBound), x(bracket.end.lowerBound))
            if to > from {
                sheet.append(.area(Picture.Point(x: from, y: top), width: to - from, height: height, ink: .pale))
            }
            for edge in [
                bracket.start.lowerBound, bracket.start.upperBound, bracket.end.lowerBound, bracket.end.upperBound,
            ] {
                sheet.append(
                    .line(
                        from: Picture.Point(x: x(edge), y: top - 2), to: Picture.Point(x: x(edge), y: top + height + 2),
                        width: 0.8, ink: .full))
            }
            text(
                Helvetica.fitting(
                    bracket.label.isEmpty ? "\(number + 1)" : bracket.label, width: 46, size: 10, isBold: true),
                Self.left - 10, top + 10, size: 10, isBold: true, side: .right)
            let times = "\(bracket.start.shown(at: speed)) - \(bracket.end.shown(at: speed))"
            let words = bracket.cue.isEmpty ? times : "\(times)   \(bracket.cue)"
            let width = Helvetica.width(words, size: 7)
            text(words, min(x(bracket.start.lowerBound), Self.right - width), top - 4, size: 7)
            y += pitch
        }
        axis(played.total, scale)
    }
}

extension PictureRow {
    /// The label of a section that begins with the row; nil if there is none.
    var heading: String? {
        guard let bar = line?.bars.first, bar.isSectionStart, !bar.section.isEmpty else { return nil }
        return bar.section
    }
}

extension Duration {
    var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }

    /// The duration as a clock, with at most three decimals.
    var shownClock: String { clock.utf8.count <= clock(decimals: 3).utf8.count ? clock : clock(decimals: 3) }

    /// The duration in seconds, rounded to hundredths if it has more than a few digits; as a clock from one minute on.
    var shown: String {
        if self >= .seconds(60) { return shownClock }
        let exact = exactSeconds
        return exact.utf8.count <= 4 || self < .milliseconds(10) ? exact : inSeconds.roundedText
    }
}

extension ClosedRange<Duration> {
    /// A window of time: two clocks, or one if it has no length.
    fileprivate func shown(at speed: Speed) -> String {
        let (from, to) = (speed.realDuration(of: lowerBound).shownClock, speed.realDuration(of: upperBound).shownClock)
        return lowerBound == upperBound ? from : "[\(from), \(to)]"
    }
}
