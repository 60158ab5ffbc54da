internal import Scores
internal import Timing

/// Draws one row: its bars to scale, with numbers, lengths, labels, meters, beats and holds.
struct PictureRowDrawing {
    private(set) var shapes: [Picture.Shape] = []
    private let row: PictureRow
    /// Points per second.
    private let scale: Double
    /// The top of the lane that contains the bars.
    private let top: Double
    /// The height of the lane.
    private let lane: Double
    private let speed: Speed

    private static let left = PictureLayout.left

    init(_ row: PictureRow, scale: Double, y: Double, lane: Double, speed: Speed) {
        self.row = row
        self.scale = scale
        self.lane = lane
        self.speed = speed
        top = y
    }

    mutating func draw() {
        for piece in row.pieces { shade(piece) }
        let end = x(row.duration)
        line(Self.left, top, end, top, width: 0.4, .pale)
        line(Self.left, top + lane, end, top + lane, width: 0.4, .pale)
        ruler()
        for piece in row.pieces { draw(piece) }
        margin()
        if row.endsLine {
            line(end - 3, top, end - 3, top + lane, width: 0.5, .full)
            line(end - 0.6, top, end - 0.6, top + lane, width: 1.2, .full)
        }
        notes()
    }

    // MARK: - Parts

    /// Draws the number of the line, when it begins, and how many times it is played.
    private mutating func margin() {
        guard let line = row.line, let first = line.bars.first else { return }
        text("\(first.line)", Self.left - 9, top + lane / 2 + 2, size: 14, isBold: true, side: .right)
        text(first.start.shownClock, Self.left - 9, top + lane / 2 + 11, size: 7, side: .right, ink: .soft)
        if line.passes > 1 {
            text("\u{D7}\(line.passes)", Self.left - 10, top - 1, size: 9, isBold: true, side: .right)
        }
    }

    /// Draws the seconds from the beginning of the row.
    private mutating func ruler() {
        let step = PictureLayout.step(scale, room: 12)
        var second = 0.0
        while second <= row.duration.inSeconds + 1e-9 {
            let x = Self.left + second * scale
            line(x, top + lane, x, top + lane + 2, width: 0.4, .soft)
            second += step
        }
    }

    private mutating func shade(_ piece: PictureRow.Piece) {
        let (from, to) = (x(piece.offset), x(piece.end))
        if piece.bar.bar.isMultiple(of: 2) {
            shapes.append(.area(Picture.Point(x: from, y: top), width: to - from, height: lane, ink: .faint))
        }
        for hold in holds(of: piece.bar) {
            let (start, end) = (max(hold.at, piece.part.lowerBound), min(hold.at + hold.length, piece.part.upperBound))
            guard end > start else { continue }
            let left = x(piece.offset + (start - piece.part.lowerBound))
            shapes.append(
                .area(
                    Picture.Point(x: left, y: top), width: (end - start).inSeconds * scale, height: lane, ink: .light))
        }
    }

    private mutating func draw(_ piece: PictureRow.Piece) {
        let (from, to) = (x(piece.offset), x(piece.end))
        if piece.begins {
            let isFirst = piece.bar.bar == 1
            line(from, top - (isFirst ? 3 : 1), from, top + lane + 1, width: isFirst ? 1.6 : 0.8, .full)
        }
        if piece.ends, !row.endsLine || piece.bar.index(in: row) == nil {
            line(to, top, to, top + lane, width: 0.8, .full)
        }
        beats(piece)
        length(piece, from: from, to: to)
        head(piece, from: from)
        for hold in holds(of: piece.bar) where hold.at >= piece.part.lowerBound && hold.at <= piece.part.upperBound {
            draw(hold, piece)
        }
    }

    private mutating func beats(_ piece: PictureRow.Piece) {
        // Beats that are too dense to distinguish are not drawn.
        guard !piece.bar.beats.isEmpty, piece.bar.duration.inSeconds * scale >= 2.5 * Double(piece.bar.beats.count)
        else {
            return
        }
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
            line(x, bottom - height, x, bottom, width: 0.6, beat.isHeard ? .full : .pale)
        }
    }

    /// Draws the length of the bar, or its meter, in the middle of the bar, as large as there is room.
    private mutating func length(_ piece: PictureRow.Piece, from: Double, to: Double) {
        let meter = piece.bar.written.meter
        let words = meter?.text ?? piece.bar.duration.shown
        guard piece.begins,
            let size = [lane * 0.5, 11, 9.5, 8, 7, 6, 5.2].first(where: {
                Helvetica.width(words, size: $0, isBold: meter != nil) <= to - from - 5
            })
        else { return }
        text(words, (from + to) / 2, top + lane / 2 + size * 0.36, size: size, isBold: meter != nil, side: .middle)
    }

    /// Draws the number above the bar, and above that its label and tempo, which extend at most to the next bar with
    /// either.
    private mutating func head(_ piece: PictureRow.Piece, from: Double) {
        guard piece.begins else { return text("(\(piece.bar.bar))", from + 1.5, top - 3, size: 6, ink: .soft) }
        if piece.width * scale >= 9 || piece.bar.bar == 1 {
            text("\(piece.bar.bar)", from + 1.5, top - 3, size: 7, ink: .soft)
        }
        let next = row.pieces.first { $0.offset > piece.offset && $0.begins && !$0.bar.head.isEmpty }
        let end = next.map { self.x($0.offset) - 3 } ?? PictureLayout.right
        var x = from + 1.5
        for word in piece.bar.head {
            let fitting = Helvetica.fitting(word.text, width: end - x, size: word.size, isBold: word.isBold)
            text(fitting, x, top - 12, size: word.size, isBold: word.isBold)
            x += Helvetica.width(fitting, size: word.size, isBold: word.isBold) + 5
        }
    }

    private mutating func draw(_ hold: PictureHold, _ piece: PictureRow.Piece) {
        let middle = hold.at + hold.length / 2 - piece.part.lowerBound
        let x = min(x(piece.offset + middle), PictureLayout.right - 5)
        shapes.append(.fermata(Picture.Point(x: x, y: top - 3.5), width: 9, ink: .full))
        let length = hold.length > .zero ? hold.length.shown : ""
        text(hold.waits ? "cue \(length)" : length, x + 6, top - 3, size: 6.5)
    }

    /// Draws cues, and changes of speed and drone, under their bars.
    private mutating func notes() {
        let noted = row.pieces.filter { $0.begins && !$0.bar.note.isEmpty }
        for (index, piece) in noted.enumerated() {
            let from = x(piece.offset) + 1.5
            let end = index + 1 < noted.count ? x(noted[index + 1].offset) : PictureLayout.right
            text(Helvetica.fitting(piece.bar.note, width: end - from - 2, size: 7), from, top + lane + 9, size: 7)
        }
    }

    // MARK: - Places

    private func x(_ offset: Duration) -> Double { Self.left + offset.inSeconds * scale }

    private mutating func line(
        _ x: Double, _ y: Double, _ toX: Double, _ toY: Double, width: Double, _ ink: Picture.Ink
    ) {
        shapes.append(
            .line(from: Picture.Point(x: x, y: y), to: Picture.Point(x: toX, y: toY), width: width, ink: ink))
    }

    private mutating func text(
        _ text: String, _ x: Double, _ y: Double, size: Double, isBold: Bool = false,
        side: Picture.Lettering.Side = .left, ink: Picture.Ink = .full
    ) {
        guard !text.isEmpty else { return }
        let lettering = Picture.Lettering(size: size, isBold: isBold, side: side, ink: ink)
        shapes.append(.text(text, Picture.Point(x: x, y: y), lettering))
    }

    private func holds(of bar: PlayedBar) -> [PictureHold] {
        bar.written.isPlain ? [] : PictureHold.holds(of: bar, speed: speed)
    }
}

/// A hold at its time in a bar.
struct PictureHold {
    var at: Duration
    var length: Duration
    var waits: Bool

    /// The holds of a bar as played, in order.
    static func holds(of bar: PlayedBar, speed: Speed) -> [PictureHold] {
        let holds = bar.written.details.holds
        let sum = holds.reduce(Duration.zero) { $0 + speed.realDuration(of: $1.length) }
        let music = bar.duration - sum
        let placed = holds.map { hold -> (at: Duration, hold: Hold) in
            switch hold.place {
            case .end: (music, hold)
            case .offset(let offset):
                (
                    min(speed.realDuration(of: bar.written.details.speed?.realDuration(of: offset) ?? offset), music),
                    hold
                )
            case .beat(let number): (bar.musicOffset(ofBeat: number, holds, speed) ?? music, hold)
            }
        }
        var shift = Duration.zero
        return placed.sorted { $0.at < $1.at }.map { at, hold in
            let length = speed.realDuration(of: hold.length)
            defer { shift += length }
            return PictureHold(at: at + shift, length: length, waits: hold.waits)
        }
    }
}

extension PlayedBar {
    /// When a beat begins, not counting the holds before it; nil if there is no such beat.
    fileprivate func musicOffset(ofBeat number: Int, _ holds: [Hold], _ speed: Speed) -> Duration? {
        guard let beat = beats.first(where: { $0.number == max(number, 1) }) else { return nil }
        let before = holds.filter { hold in
            if case .beat(let other) = hold.place { return other < number }
            return false
        }
        return beat.offset
            - before.reduce(Duration.zero) { $0 + speed.realDuration(of: $1.length) }
    }

    /// 0 if the bar is not the last one of the row; nil if it is.
    fileprivate func index(in row: PictureRow) -> Int? {
        guard let last = row.pieces.last, last.bar.start != start else { return 0 }
        return nil
    }

    /// The texts above the bar: label, tempo and ramp.
    var head: [(text: String, size: Double, isBold: Bool)] {
        var words: [(text: String, size: Double, isBold: Bool)] = []
        if !label.isEmpty { words.append((label, 9, true)) }
        guard !written.isPlain else { return words }
        let details = written.details
        if let tempo = details.tempo { words.append((tempo.shown, 7, false)) }
        if let ramp = details.ramp { words.append(("to \(ramp.target.shown)", 7, false)) }
        return words
    }

    /// The text under the bar.
    var note: String {
        guard !written.isPlain else { return "" }
        let details = written.details
        var words: [String] = []
        if !details.cue.isEmpty { words.append(details.cue) }
        words += hits.map(\.shown)
        if !details.say.isEmpty { words.append("\"\(details.say)\"") }
        if let speed = details.speed { words.append("\(speed)") }
        if let drone = details.drone {
            words.append(drone.isOff ? "drone off" : "drone" + (drone.notes.map { " \($0.names)" } ?? ""))
        }
        return words.joined(separator: "   ")
    }
}

extension HitPoint {
    /// The hit under its bar: `the door slams 1:23.48, beat 3`.
    fileprivate var shown: String {
        let time =
            switch hit.time {
            case .position(let position): position.shownClock
            case .timecode(let timecode): timecode.text
            }
        let beat = hit.beat == .one ? "" : ", beat \(hit.beat.text)"
        return "\(hit.label.isEmpty ? "hit" : hit.label) \(time)\(beat)"
    }
}

extension PictureRow.Piece {
    fileprivate var width: Double { (part.upperBound - part.lowerBound).inSeconds }
    fileprivate var end: Duration { offset + (part.upperBound - part.lowerBound) }
}

extension TempoMark {
    fileprivate var shown: String {
        switch self {
        case .tempo(let tempo): tempo.shown
        case .modulation(let old, let new): "\(old.noteText) = \(new.noteText)"
        }
    }
}
