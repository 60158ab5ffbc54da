internal import Languages
internal import Scores

/// Lays out a score on sheets of paper: one row per line, all to the same scale, with the widths of bars proportional to
/// their lengths.
struct PictureLayout {
    private var sheets: [[Picture.Shape]] = []
    let played: PlayedScore
    let paper: Picture.Paper
    var sheet: [Picture.Shape] = []
    /// Where the next row begins.
    var y = 0.0

    /// The sheets of a piece; those of several voices follow a sheet on which all of them have one axis of time.
    static func picture(of played: PlayedScore, _ options: WritingOptions) throws(TextError) -> Picture {
        let paper = options.paper ?? .a4
        var whole = Picture(title: played.score.title ?? localized("Score"), paper: paper)
        if !played.score.companions.isEmpty {
            whole.sheets += try sheets(of: played, on: paper) { layout throws(TextError) in try layout.voices() }
        }
        for voice in played.score.companions.isEmpty ? [played] : played.voices {
            whole.sheets += try sheets(of: voice, on: paper) { layout throws(TextError) in
                if voice.score.brackets.isEmpty { try layout.lines() } else { layout.brackets() }
            }
        }
        return whole
    }

    private static func sheets(
        of played: PlayedScore, on paper: Picture.Paper, _ draw: (inout PictureLayout) throws(TextError) -> Void
    ) throws(TextError) -> [[Picture.Shape]] {
        var layout = PictureLayout(played, paper)
        layout.header()
        try draw(&layout)
        return layout.sheets + [layout.sheet]
    }

    private init(_ played: PlayedScore, _ paper: Picture.Paper) { (self.played, self.paper) = (played, paper) }

    // MARK: - Sheets

    /// Draws title, composer, and facts about the whole piece.
    private mutating func header() {
        let (score, middle) = (played.score, paper.width / 2)
        y = paper.top
        if let title = score.title {
            let sizes = [20, 18, 16, 14, 12.0].map { PictureWord(text: title, size: $0, isBold: true) }
            let word = sizes.first { $0.width <= paper.rowWidth } ?? sizes[sizes.count - 1]
            for line in word.lines(width: paper.rowWidth) {
                sheet.text(line.text, middle, y + 12, size: line.size, isBold: true, side: .middle)
                y += line.size + 4
            }
        }
        var facts = [played.total.shownClock]
        if played.speed != .asWritten { facts.append(localized("at \(played.speed)")) }
        if let drone = played.firstDrone { facts.append(localized("drone \(drone.notes.names)")) }
        if score.a4 != Score.standardA4 { facts.append("A4 = \(score.a4.plainText) Hz") }
        facts += score.tuning.facts
        if let timecode = played.timecode { facts.append(localized("from \(timecode.textWithRate)")) }
        switch played.heard.countIn {
        case .off: break
        case .time(let time): facts.append(localized("count-in \(time.shown) s"))
        case .bars(1): facts.append(localized("count-in 1 bar"))
        case .bars(let count): facts.append(localized("count-in \(count) bars"))
        case .beats(1): facts.append(localized("count-in 1 beat"))
        case .beats(let count): facts.append(localized("count-in \(count) beats"))
        }
        let composer = PictureWord(text: score.composer ?? "", size: 10)
        let fact = PictureWord(text: facts.joined(separator: " \u{B7} "), size: 9)
        let sharesLine = composer.width + fact.width <= paper.rowWidth
        for line in composer.lines(width: paper.rowWidth) {
            sheet.text(line.text, paper.right, y + 6, size: 10, side: .right)
            if !sharesLine { y += 13 }
        }
        for line in fact.lines(width: paper.rowWidth) {
            sheet.text(line.text, paper.left, y + 6, size: 9, ink: .soft)
            y += 12
        }
        y += 14
    }

    private mutating func turn() {
        sheets.append(sheet)
        sheet = []
        y = paper.top
        sheet.text("\(sheets.count + 1)", paper.right, y - 12, size: 9, side: .right, ink: .soft)
        for (number, line) in PictureWord(text: played.score.title ?? "", size: 9).lines(width: 430).enumerated() {
            if number > 0 { y += 12 }
            sheet.text(line.text, paper.left, y - 12, size: 9, ink: .soft)
        }
    }

    // MARK: - Lines

    private mutating func lines() throws(TextError) {
        let lines = try PictureLine.lines(of: played, on: paper)
        let longest = lines.map(\.duration).max() ?? .seconds(1)
        // Keep lines whole if that leaves a bar of median length room for its number.
        let lengths = lines.flatMap { $0.bars.map(\.duration) }.sorted()
        let middle = lengths[lengths.count / 2]
        var span = longest
        if longest > middle * (paper.rowWidth / 20) {
            span = middle * (paper.rowWidth / 40)
            if let bar = lengths.last, bar <= span * 2 { span = max(span, bar) }
        }
        let rows = try PictureRow.rows(of: lines, longest: span)
        let widest = rows.map(\.duration).max() ?? span
        let scale = paper.rowWidth / widest.inSeconds
        let drawings = rows.flatMap {
            PictureRowDrawing.drawings($0, on: paper, scale: scale, speed: played.speed, timecode: played.timecode(at:))
        }
        let heights = drawings.map { drawing in
            drawing.aboveHeight + drawing.belowHeight + 4 + 16 * Double(drawing.heading.count)
        }
        // If all rows fit on one sheet, they share its room.
        let room = paper.bottom - 18 - y
        let spare = (room - heights.reduce(0, +)) / Double(rows.count)
        let lane = min(max(spare, 19), 30)
        let gap = min(max(spare - lane, 0), 12)
        let fitsOne = spare >= 19
        for (drawing, height) in zip(drawings, heights) {
            if !fitsOne, y + height + lane > paper.bottom - 18 {
                axis(widest, scale)
                turn()
            }
            for line in drawing.heading {
                sheet.text(line.text, paper.left, y + 10, size: line.size, isBold: true)
                y += 16
            }
            var drawing = drawing
            drawing.draw(y: y, lane: lane)
            sheet += drawing.shapes
            y += height - 16 * Double(drawing.heading.count) + lane + gap
        }
        axis(widest, scale)
    }

    /// Draws a scale of seconds under the rows of a sheet.
    private mutating func axis(_ span: Duration, _ scale: Double) {
        let step = Self.step(scale, room: max(26, PictureWord(text: span.clock(decimals: 0), size: 6).width + 4))
        sheet.line(paper.left, y + 4, paper.left + span.inSeconds * scale, y + 4, width: 0.4, .pale)
        var second = 0.0
        while second <= span.inSeconds + 1e-9 {
            let x = paper.left + second * scale
            sheet.line(x, y + 4, x, y + 7, width: 0.4, .soft)
            let isClock = span.inSeconds > 120
            let label = isClock ? Duration.seconds(Int(second)).clock : second.roundedText
            sheet.text(second == 0 && !isClock ? "0 s" : label, x, y + 14, size: 6, side: .middle, ink: .soft)
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
        let scale = paper.rowWidth / max(played.total.inSeconds, 0.001)
        let room = paper.bottom - 18 - y
        let shared = min(max(room / Double(max(brackets.count, 1)), 34), 54)
        for (number, bracket) in brackets.enumerated() {
            // The player, and what he plays.
            let label = bracket.label.isEmpty ? "\(number + 1)" : bracket.label
            let title = [bracket.player, label].filter { !$0.isEmpty }.joined(separator: " ")
            let name = [10, 8, 6.5].lazy.map { PictureWord(text: title, size: $0, isBold: true) }
                .first { $0.width <= 46 }
            let times = "\(bracket.start.shown(at: speed)) - \(bracket.end.shown(at: speed))"
            // A long label is before the times.
            let words = [name == nil ? title : "", times, bracket.cue].filter { !$0.isEmpty }
            let lines = PictureWord(text: words.joined(separator: " \u{B7} "), size: 7).lines(width: paper.rowWidth)
            let pitch = shared + 9 * Double(lines.count - 1)
            if y + pitch > paper.bottom - 18 {
                axis(played.total, scale)
                turn()
            }
            func x(_ time: Duration) -> Double { paper.left + speed.realDuration(of: time).inSeconds * scale }
            let (top, height) = (y + 12 + 9 * Double(lines.count - 1), 13.0)
            for window in [bracket.start, bracket.end] {
                let (from, to) = (x(window.lowerBound), x(window.upperBound))
                sheet.area(from, top, width: max(to - from, 0), height: height, .light)
            }
            let (from, to) = (x(bracket.start.upperBound), x(bracket.end.lowerBound))
            if to > from { sheet.area(from, top, width: to - from, height: height, .pale) }
            for window in [bracket.start, bracket.end] {
                for edge in [x(window.lowerBound), x(window.upperBound)] {
                    sheet.line(edge, top - 2, edge, top + height + 2, width: 0.8)
                }
            }
            if let name {
                sheet.text(name.text, paper.left - 10, top + 10, size: name.size, isBold: true, side: .right)
            }
            let widest = lines.map(\.width).max() ?? 0
            let left = min(x(bracket.start.lowerBound), paper.right - widest)
            for (number, line) in lines.reversed().enumerated() {
                sheet.text(line.text, left, top - 4 - 9 * Double(number), size: 7)
            }
            y += pitch
        }
        axis(played.total, scale)
    }
}

extension Duration {
    var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }

    /// The duration as a clock, with at most three decimals.
    var shownClock: String { clock.utf8.count <= clock(decimals: 3).utf8.count ? clock : clock(decimals: 3) }

    /// The duration in seconds with up to seven digits, otherwise rounded; as a clock from one minute on.
    var shownExactly: String {
        let exact = exactSeconds
        return self < .seconds(60) && exact.utf8.count <= 8 ? exact : shown
    }

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
