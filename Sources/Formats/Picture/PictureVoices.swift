internal import Languages
internal import Scores

/// Draws all voices of a piece on one sheet, above each other, with one axis of time.
///
/// The time is divided into as many systems as the sheet has room for. In each, every voice has a lane, whose bars are
/// to the scale of all others.
extension PictureLayout {
    /// The smallest and the largest height of a lane, and the room above it for texts and below the last for the axis.
    private static let lanes = (least: 9.0, most: 32.0, texts: 11.0, axis: 24.0)
    /// The most systems, so that a short piece is not torn.
    private static let systemLimit = 12

    mutating func voices() throws(TextError) {
        let voices = played.voices
        let bars = voices.reduce(0) { $0 + $1.barCount }
        guard bars <= PictureLine.barLimit else {
            throw TextError(
                localized("a picture has at most 20 000 bars"), hint: localized("show a part of the piece"))
        }
        let total = voices.map(\.total).max() ?? played.total
        let room = paper.bottom - y
        func height(_ lane: Double) -> Double { Double(voices.count) * (lane + Self.lanes.texts) + Self.lanes.axis }
        // As many systems as it takes until a bar of median length has room for its length.
        let lengths = voices.flatMap { voice in voice.bars.map(\.duration) }.sorted()
        let wanted = Int(
            (total.inSeconds * 26 / max(lengths[lengths.count / 2].inSeconds, 0.001) / paper.rowWidth).rounded(.up))
        let most = min(max(Int(room / height(Self.lanes.least + 5)), 1), Self.systemLimit)
        let count = min(max(wanted, 1), most)
        let free = (room / Double(count) - Self.lanes.axis) / Double(voices.count) - Self.lanes.texts
        let lane = min(max(free, Self.lanes.least), Self.lanes.most)
        let span = total / count
        for system in 0..<count {
            var drawing = PictureSystem(
                from: span * system, to: system + 1 < count ? span * (system + 1) : total, top: y, lane: lane,
                texts: Self.lanes.texts, on: paper)
            for voice in voices { drawing.draw(voice) }
            drawing.axis(voices.count)
            sheet += drawing.shapes
            y += height(lane)
        }
    }
}

/// One system: the same time of all voices.
private struct PictureSystem {
    private(set) var shapes: [Picture.Shape] = []
    private let from, to: Duration
    private let top, lane, texts: Double
    private let paper: Picture.Paper
    private let scale: Double
    /// How many voices are drawn.
    private var index = 0

    init(from: Duration, to: Duration, top: Double, lane: Double, texts: Double, on paper: Picture.Paper) {
        (self.from, self.to, self.top, self.lane, self.texts, self.paper) = (from, to, top, lane, texts, paper)
        scale = paper.rowWidth / max((to - from).inSeconds, 0.001)
    }

    private func x(_ time: Duration) -> Double {
        paper.left + (min(max(time, from), to) - from).inSeconds * scale
    }

    /// Draws the part of a voice that is in the system.
    mutating func draw(_ voice: PlayedScore) {
        let y = top + Double(index) * (lane + texts) + texts
        index += 1
        let names = voice.score.voice.name.isEmpty ? "\(index)" : voice.score.voice.name
        let word =
            [9, 7.5, 6].map { PictureWord(text: names, size: $0, isBold: true) }
            .first { $0.width <= paper.left - 14 } ?? PictureWord(text: names, size: 5, isBold: true)
        let lines = word.lines(width: paper.left - 14).prefix(2)
        for (number, line) in lines.enumerated() {
            let middle = y + lane / 2 + word.size * (0.36 + Double(number) - 0.5 * Double(lines.count - 1))
            shapes.text(line.text, paper.left - 6, middle, size: word.size, isBold: true, side: .right)
        }
        // The first bar of the system, and the last that begins in it.
        var (low, high) = (0, voice.barCount)
        while high - low > 1 {
            let middle = (low + high) / 2
            if voice.bar(middle).start <= from { low = middle } else { high = middle }
        }
        // Where the last text above the lane ends.
        var taken = 0.0
        while low < voice.barCount {
            let bar = voice.bar(low)
            guard bar.start < to else { break }
            draw(bar, speed: voice.speed, y, &taken)
            low += 1
        }
        let last = voice.total
        let (start, end) = (x(voice.bar(0).start), x(last))
        guard end > start else { return }
        shapes.line(start, y, end, y, width: 0.4, .pale)
        shapes.line(start, y + lane, end, y + lane, width: 0.4, .pale)
        if last > from, last <= to { shapes.line(end, y, end, y + lane, width: 1.4) }
    }

    private mutating func draw(_ bar: PlayedBar, speed: Speed, _ y: Double, _ taken: inout Double) {
        let (start, end) = (bar.start, bar.end)
        let (left, right) = (x(start), x(end))
        guard right > left else { return }
        if bar.bar.isMultiple(of: 2) { shapes.area(left, y, width: right - left, height: lane, .faint) }
        var middle = (left + right) / 2
        for hold in PictureHold.holds(of: bar, speed: speed) where hold.length > .zero {
            let (from, to) = (x(start + hold.at), x(start + hold.at + hold.length))
            guard to > from else { continue }
            shapes.area(from, y, width: to - from, height: lane, .light)
            // The length of a bar is beside a hold at its end.
            if to == right { middle = (left + from) / 2 }
        }
        let isFirst = bar.bar == 1
        if start >= from {
            shapes.line(left, y - (isFirst ? 2 : 0), left, y + lane, width: isFirst ? 1.4 : 0.6)
            above(bar, at: left, y, &taken)
        }
        let text = bar.written.meter?.text ?? PictureHold.music(of: bar, speed: speed).shown
        let size = [min(lane * 0.5, 13), 11, 9, 7, 5.5].first { size in
            PictureWord(text: text, size: size, isBold: bar.written.meter != nil).width + 2 <= (middle - left) * 2
        }
        guard let size, start >= from else { return }
        shapes.text(
            text, middle, y + lane / 2 + size * 0.36, size: size, isBold: bar.written.meter != nil,
            side: .middle)
    }

    /// Draws the label and the number of a bar where there is room.
    private mutating func above(_ bar: PlayedBar, at left: Double, _ y: Double, _ taken: inout Double) {
        let words = [
            PictureWord(text: bar.title, size: 8.5, isBold: true),
            PictureWord(text: "\(bar.number)", size: 6.5),
        ].filter { !$0.text.isEmpty }
        var place = left + 1.5
        for word in words where place >= taken && place + word.width <= paper.right + 20 {
            shapes.text(
                word.text, place, y - 2, size: word.size, isBold: word.isBold, ink: word.isBold ? .full : .soft)
            place += word.width + 2
            taken = place
        }
    }

    /// Draws the axis of time under the lanes, with a line through all of them at each of its marks.
    mutating func axis(_ count: Int) {
        let bottom = top + Double(count) * (lane + texts)
        let isClock = to > .seconds(60)
        let widest = PictureWord(text: isClock ? to.clock(decimals: 0) : "00 s", size: 6).width
        let step = PictureLayout.step(scale, room: max(26, widest + 4))
        shapes.line(paper.left, bottom + 3, paper.right, bottom + 3, width: 0.4, .pale)
        var second = (from.inSeconds / step).rounded(.up) * step
        while second <= to.inSeconds + 1e-9 {
            let x = paper.left + (second - from.inSeconds) * scale
            shapes.line(x, top + texts, x, bottom + 6, width: 0.25, .pale)
            let label = isClock ? Duration.seconds(Int(second)).clock : second == 0 ? "0 s" : second.roundedText
            shapes.text(label, x, bottom + 13, size: 6, side: .middle, ink: .soft)
            second += step
        }
    }
}
