internal import Languages
internal import Scores
internal import Timing

/// Draws one row: its bars to scale, with numbers, lengths, labels, meters, beats and holds.
struct PictureRowDrawing {
    private(set) var shapes: [Picture.Shape] = []
    private let row: PictureRow
    private let paper: Picture.Paper
    /// Points per second.
    private let scale: Double
    /// The top of the lane that contains the bars.
    private var top = 0.0
    /// The height of the lane.
    private var lane = 0.0
    private let speed: Speed
    /// The timecode at a time of the piece; nil if it has none.
    private let timecode: (Duration) -> Timecode?
    /// The texts above and below the bars.
    private var above, below: PictureStack
    /// The signs of holds, with their levels above the bars.
    private var fermatas: [(x: Double, level: Int)] = []

    /// The font size of the smallest meter inside a bar; smaller ones are above it.
    private static let smallest = 5.2

    /// The heights of the texts above and below the bars.
    var aboveHeight: Double { 14 + Double(max(above.height - 1, 0)) * PictureStack.step }
    var belowHeight: Double { below.height == 0 ? 6 : 6 + Double(below.height) * PictureStack.step }

    /// The label of the section that begins with this row, split into lines; empty without a label.
    var heading: [PictureWord] {
        guard let bar = row.line?.bars.first, bar.isSectionStart else { return [] }
        return PictureWord(text: bar.section, size: 12, isBold: true).lines(width: paper.rowWidth)
    }

    /// The drawings of a row: more than one if its texts need too many levels.
    static func drawings(
        _ row: PictureRow, on paper: Picture.Paper, scale: Double, speed: Speed,
        timecode: @escaping (Duration) -> Timecode?
    ) -> [PictureRowDrawing] {
        let drawing = PictureRowDrawing(row, on: paper, scale: scale, speed: speed, timecode: timecode)
        guard max(drawing.above.height, drawing.below.height) > PictureStack.levelLimit, row.pieces.count > 1 else {
            return [drawing]
        }
        return row.halves.flatMap { drawings($0, on: paper, scale: scale, speed: speed, timecode: timecode) }
    }

    private init(
        _ row: PictureRow, on paper: Picture.Paper, scale: Double, speed: Speed,
        timecode: @escaping (Duration) -> Timecode?
    ) {
        (self.row, self.paper, self.scale, self.speed, self.timecode) = (row, paper, scale, speed, timecode)
        (above, below) = (PictureStack(edge: paper.textEdge), PictureStack(edge: paper.textEdge))
        addTexts()
    }

    /// Draws the row with the top of its texts at `y`.
    mutating func draw(y: Double, lane: Double) {
        top = y + aboveHeight
        self.lane = lane
        for piece in row.pieces { shade(piece) }
        let end = x(row.duration)
        shapes.line(paper.left, top, end, top, width: 0.4, .pale)
        shapes.line(paper.left, top + lane, end, top + lane, width: 0.4, .pale)
        ruler()
        for piece in row.pieces { draw(piece) }
        margin()
        if row.endsLine {
            shapes.line(end - 3, top, end - 3, top + lane, width: 0.5, .full)
            shapes.line(end - 0.6, top, end - 0.6, top + lane, width: 1.2, .full)
        }
        texts()
    }

    // MARK: - Texts above and below

    private mutating func addTexts() {
        // The first bar of a row always has its number, and the others have theirs where there is room.
        if let first = row.pieces.first { number(first, sizes: [7]) }
        for piece in row.pieces {
            for hold in PictureHold.holds(of: piece.bar, speed: speed) where piece.touches(hold.at) { add(hold, piece) }
        }
        // Tempi inside bars.
        for piece in row.pieces.reversed() {
            for tempo in piece.tempi where tempo.offset > .zero && piece.part.contains(tempo.offset) {
                let from = x(piece.offset + tempo.offset - piece.part.lowerBound) + 1.5
                above.add([PictureWord(text: tempo.text, size: 7)], at: from, from: 1, hasPole: true)
            }
        }
        // From the right, so that the line from a bar to its text does not cross the texts of later bars.
        for piece in row.pieces.reversed() where piece.begins {
            let from = x(piece.offset) + 1.5
            if let meter = piece.bar.written.meter?.text, !fits(meter, Self.smallest, piece) {
                above.add([PictureWord(text: meter, size: 6, isBold: true)], at: from, from: 1, hasPole: true)
            }
            above.add(piece.head, at: from, from: 1, hasPole: false)
            let note = piece.bar.note(hits: piece.bar.hits.map { shown($0, in: piece.bar) }, at: speed)
            if !note.isEmpty { below.add([PictureWord(text: note, size: 7)], at: from, from: 0, hasPole: false) }
        }
        for piece in row.pieces.dropFirst() { number(piece, sizes: [7, 5.5]) }
    }

    private mutating func number(_ piece: PictureRow.Piece, sizes: [Double]) {
        let text = piece.begins ? "\(piece.bar.number)" : "(\(piece.bar.number))"
        for size in sizes {
            let word = PictureWord(text: text, size: size)
            if above.add(word, at: x(piece.offset) + 1.5, onlyLevel: 0, ink: .soft) { return }
        }
    }

    private mutating func add(_ hold: PictureHold, _ piece: PictureRow.Piece) {
        let middle = x(piece.offset + min(hold.at + hold.length / 2, piece.part.upperBound) - piece.part.lowerBound)
        let length = hold.length > .zero ? hold.length.shownExactly : ""
        let cue = length.isEmpty ? localized("cue") : localized("cue \(length)")
        let word = PictureWord(text: hold.waits ? cue : length, size: 6.5)
        let width = 11 + word.width
        let wanted = max(min(middle - 5, x(piece.end) - width - 2), x(piece.offset) + 1)
        let (left, level) = above.place(width, at: wanted, from: 0, lines: 1)
        fermatas.append((left + 5, level))
        if !word.text.isEmpty { above.items.append(PictureStack.Item(word: word, x: left + 11, level: level)) }
    }

    private mutating func texts() {
        for (x, level) in above.poles where level > 0 {
            shapes.line(x, top, x, aboveBaseline(level), width: 0.3, .pale)
        }
        for (x, level) in below.poles where level > 0 {
            shapes.line(x, top + lane + 2, x, top + lane + 9 + Double(level) * PictureStack.step, width: 0.3, .pale)
        }
        for (x, level) in fermatas {
            shapes.append(.fermata(Picture.Point(x: x, y: aboveBaseline(level) - 0.5), width: 9, ink: .full))
        }
        for item in above.items { draw(item, aboveBaseline(item.level)) }
        for item in below.items { draw(item, top + lane + 9 + Double(item.level) * PictureStack.step) }
    }

    private func aboveBaseline(_ level: Int) -> Double { top - 3 - Double(level) * PictureStack.step }

    private mutating func draw(_ item: PictureStack.Item, _ y: Double) {
        shapes.text(item.word.text, item.x, y, size: item.word.size, isBold: item.word.isBold, ink: item.ink)
    }

    // MARK: - Parts

    /// Draws the number of the line, when it begins, as timecode if the piece has one, and how many times it is played.
    private mutating func margin() {
        guard let line = row.line, let first = line.bars.first else { return }
        shapes.text("\(first.line)", paper.left - 9, top + lane / 2 + 2, size: 14, isBold: true, side: .right)
        let start = timecode(line.begin)?.text ?? line.begin.shownClock
        let size = [7, 6.25].first { PictureWord(text: start, size: $0).width <= paper.left - 10 } ?? 5.5
        shapes.text(start, paper.left - 9, top + lane / 2 + 11, size: size, side: .right, ink: .soft)
        if line.passes > 1 {
            shapes.text("\u{D7}\(line.passes)", paper.left - 10, top - 1, size: 9, isBold: true, side: .right)
        }
    }

    /// Draws the seconds from the beginning of the row.
    private mutating func ruler() {
        let step = PictureLayout.step(scale, room: 12)
        var second = 0.0
        while second <= row.duration.inSeconds + 1e-9 {
            let x = paper.left + second * scale
            shapes.line(x, top + lane, x, top + lane + 2, width: 0.4, .soft)
            second += step
        }
    }

    private mutating func shade(_ piece: PictureRow.Piece) {
        let (from, to) = (x(piece.offset), x(piece.end))
        if piece.bar.bar.isMultiple(of: 2) { shapes.area(from, top, width: to - from, height: lane, .faint) }
        for hold in PictureHold.holds(of: piece.bar, speed: speed) {
            let (start, end) = (max(hold.at, piece.part.lowerBound), min(hold.at + hold.length, piece.part.upperBound))
            guard end > start else { continue }
            let left = x(piece.offset + (start - piece.part.lowerBound))
            shapes.area(left, top, width: (end - start).inSeconds * scale, height: lane, .light)
        }
    }

    private mutating func draw(_ piece: PictureRow.Piece) {
        let (from, to) = (x(piece.offset), x(piece.end))
        if piece.begins {
            let isFirst = piece.bar.bar == 1
            shapes.line(from, top - (isFirst ? 3 : 1), from, top + lane + 1, width: isFirst ? 1.6 : 0.8, .full)
        }
        if piece.ends, !row.endsLine || piece.bar.start != row.pieces.last?.bar.start {
            shapes.line(to, top, to, top + lane, width: 0.8, .full)
        }
        beats(piece)
        length(piece, from: from, to: to)
    }

    private mutating func beats(_ piece: PictureRow.Piece) {
        // Beats that are too dense to distinguish are not drawn.
        guard piece.bar.duration.inSeconds * scale >= 2.5 * Double(piece.bar.beats.count) else { return }
        for beat in piece.bar.beats where beat.offset > .zero && piece.part.contains(beat.offset) {
            let x = x(piece.offset + (beat.offset - piece.part.lowerBound))
            let height: Double =
                switch beat.stress {
                case .accent: 8
                case .beat: 5
                case .subdivision: 3
                case .silent: 2
                }
            let bottom = top + lane
            shapes.line(x, bottom - height, x, bottom, width: 0.6, beat.isHeard ? .full : .pale)
        }
    }

    /// Draws the length of the bar without its holds, or its meter, in the middle of the bar, as large as there is room.
    private mutating func length(_ piece: PictureRow.Piece, from: Double, to: Double) {
        let meter = piece.bar.written.meter
        let music = PictureHold.music(of: piece.bar, speed: speed)
        let sizes = [lane * 0.5, 11, 9.5, 8, 7, 6, Self.smallest]
        // All decimals only where they are easy to read.
        let choices = [
            (meter?.text ?? music.shownExactly, sizes.dropLast(2)), (meter?.text ?? music.shown, sizes[...]),
        ]
        var chosen: (words: String, size: Double)?
        for (words, sizes) in choices where chosen == nil {
            chosen = sizes.first { fits(words, $0, piece) }.map { (words, $0) }
        }
        guard piece.begins, let chosen else { return }
        shapes.text(
            chosen.words, (from + to - ending(piece)) / 2, top + lane / 2 + chosen.size * 0.36, size: chosen.size,
            isBold: meter != nil, side: .middle)
    }

    /// Whether a meter or a length fits into a bar.
    private func fits(_ text: String, _ size: Double, _ piece: PictureRow.Piece) -> Bool {
        let word = PictureWord(text: text, size: size, isBold: piece.bar.written.meter != nil)
        return word.width + 2 <= piece.width * scale - ending(piece)
    }

    /// The width of the double bar line at the end of a line, if the bar is the last one.
    private func ending(_ piece: PictureRow.Piece) -> Double {
        row.endsLine && piece.offset == row.pieces.last?.offset ? 3.6 : 0
    }

    /// A hit under its bar: `the door slams 1:23.48, beat 3`. At another speed its time is the one at which it is heard.
    private func shown(_ point: HitPoint, in bar: PlayedBar) -> String {
        let hit = point.hit
        let time =
            switch hit.time {
            case .position(let position): speed.realDuration(of: position).shownClock
            case .timecode(let written):
                speed == .asWritten ? written.text : (timecode(bar.start + point.offset) ?? written).text
            }
        let words = "\(hit.label.isEmpty ? localized("hit") : hit.label) \(time)"
        return hit.beat == .one ? words : localized("\(words), beat \(hit.beat.text)")
    }

    // MARK: - Places

    private func x(_ offset: Duration) -> Double { paper.left + offset.inSeconds * scale }
}

extension PlayedBar {
    /// The text under the bar, with its hit points.
    fileprivate func note(hits: [String], at speed: Speed) -> String {
        guard !written.isPlain else { return "" }
        let details = written.details
        var words: [String] = []
        if !details.cue.isEmpty { words.append(details.cue) }
        words += hits
        // The spoken text of a plan's interval has its time at the written speed: at another speed it would be wrong.
        let isWritten = speed == .asWritten || details.announcement.map { $0.length != nil } ?? true
        if !details.say.isEmpty, isWritten { words.append("\"\(details.say)\"") }
        if let speed = details.speed { words.append("\(speed)") }
        if let drone = details.drone {
            let notes = drone.notes.map { localized("drone \($0.names)") } ?? localized("drone")
            words.append(drone.isOff ? localized("drone off") : notes)
        }
        return words.joined(separator: " \u{B7} ")
    }
}

extension PictureRow.Piece {
    /// The texts above the bar: label, tempo and ramp.
    fileprivate var head: [PictureWord] {
        var words: [PictureWord] = []
        if !bar.label.isEmpty { words.append(PictureWord(text: bar.label, size: 9, isBold: true)) }
        words += tempi.filter { $0.offset == .zero }.map { PictureWord(text: $0.text, size: 7) }
        return words
    }

    /// Whether a time of the bar is in the part, or at its end.
    fileprivate func touches(_ time: Duration) -> Bool { (part.lowerBound...part.upperBound).contains(time) }

    fileprivate var width: Double { (part.upperBound - part.lowerBound).inSeconds }
    fileprivate var end: Duration { offset + (part.upperBound - part.lowerBound) }
}
