internal import Playback
internal import Scores
internal import Timing

/// The line that is played as lengths to scale, with the place where the music is; brackets under it.
struct ScoreStrip {
    /// A piece of a row.
    struct Piece: Equatable {
        var column: Int
        var text: String
        var ink = Ink()
    }

    private let timeline: Timeline
    private let columns: Range<Int>
    /// The bars that are shown.
    private let bars: Range<Int>
    /// What they take, from the start of the piece.
    private let span: Range<Duration>
    /// Where the music is, from the start of the piece.
    private let here: Duration
    private let loop: Range<Int>?
    private let brackets: [Bracket]

    init(_ status: Status, _ heard: Moment.Bar, columns: Range<Int>) {
        timeline = status.performance.passage.timeline
        self.columns = columns
        let index = heard.bar.index
        var bars = timeline.bars(ofLine: heard.bar.line) ?? index..<index + 1
        // No more than there are columns for: a bar has two at least.
        let most = max(columns.count / 2, 1)
        if bars.count > most {
            let first = min(max(index - most / 4, bars.lowerBound), bars.upperBound - most)
            bars = first..<first + most
        }
        self.bars = bars
        span = timeline.start(ofBar: bars.lowerBound)..<timeline.start(ofBar: bars.upperBound)
        let share = heard.duration > .zero ? 1 - heard.left / heard.duration : 1
        let start = timeline.start(ofBar: index)
        let length = Double((timeline.start(ofBar: index + 1) - start).attoseconds)
        here = start + Duration(attoseconds: Int128(length * min(max(share, 0), 1)))
        loop = status.loop
        brackets = status.performance.brackets
    }

    /// The rows for a screen of so many: numbers and marks, the strip itself, brackets. The strip alone on a small one.
    func rows(_ screenRows: Int) -> [[Piece]] {
        guard screenRows >= 14 else { return [strip] }
        return [numbers, strip] + bracketRows(min(max(screenRows - 20, 1), 8))
    }

    /// Where a moment of the piece stands.
    private func column(_ time: Duration) -> Int {
        let share = (time - span.lowerBound) / (span.upperBound - span.lowerBound)
        let column = (min(max(share, 0), 1) * Double(columns.count)).rounded(.down)
        return columns.lowerBound + min(Int(column), columns.count - 1)
    }

    /// The numbers of the bars as far as they have room, [ and ] around what is looped, ^ where a hold is.
    private var numbers: [Piece] {
        var pieces: [Piece] = []
        var free = columns.lowerBound
        for index in bars {
            let begin = column(timeline.start(ofBar: index))
            let bar = timeline[index]
            var text = "\(bar.bar)"
            if loop?.lowerBound == index { text = "[" + text }
            let hasHold = !bar.written.isPlain && !bar.written.details.holds.isEmpty
            if hasHold { text += "^" }
            if loop.map({ $0.upperBound - 1 }) == index { text += "]" }
            let isMarked = hasHold || loop.map { [$0.lowerBound, $0.upperBound - 1].contains(index) } ?? false
            guard begin >= free || isMarked, begin + text.count <= columns.upperBound else { continue }
            pieces.append(Piece(column: max(begin, columns.lowerBound), text: text, ink: isMarked ? .bold : .dim))
            free = begin + text.count + 1
        }
        return pieces
    }

    /// What has been played and what has not, the bars' beginnings, and where the music is.
    private var strip: [Piece] {
        let cursor = column(here)
        var cells = columns.map { $0 < cursor ? "━" : "─" }
        for index in bars { cells[column(timeline.start(ofBar: index)) - columns.lowerBound] = "│" }
        return [
            Piece(column: columns.lowerBound, text: cells.joined()),
            Piece(column: cursor, text: "●", ink: .bold),
        ]
    }

    /// Brackets that are open or come next: ░ while one may begin, █ while it is played, ▒ while it may end.
    private func bracketRows(_ most: Int) -> [[Piece]] {
        let coming = brackets.enumerated().filter { $0.element.end.upperBound > here }
            .sorted { $0.element.start.lowerBound < $1.element.start.lowerBound }
        return coming.prefix(most).map { number, bracket in
            let edges = [
                bracket.start.lowerBound, bracket.start.upperBound, bracket.end.lowerBound, bracket.end.upperBound,
            ]
            .map { column($0) }
            let text = (edges[0]...max(edges[3], edges[0])).map { at in
                at < edges[1] ? "░" : at < edges[2] || edges[2] == edges[3] ? "█" : "▒"
            }
            let name = bracket.label.isEmpty ? "\(number + 1)" : bracket.label
            let word = [name, bracket.cue, ScoreStrip.state(of: bracket, at: here)].filter { !$0.isEmpty }
                .joined(separator: " ")
            // Beside the bracket, on the side that has room.
            let isLeft = edges[0] - columns.lowerBound > word.columns + 1
            let at = isLeft ? edges[0] - word.columns - 1 : edges[3] + 2
            let isOpen = bracket.start.lowerBound <= here
            return [
                Piece(column: edges[0], text: text.joined(), ink: isOpen ? .bold : .dim),
                Piece(column: at, text: word, ink: isOpen ? .bold : .dim),
            ]
        }
    }

    /// What a bracket is doing at a moment; nothing before it opens.
    static func state(of bracket: Bracket, at time: Duration) -> String {
        if time < bracket.start.lowerBound { return "" }
        if time < bracket.start.upperBound { return "opening" }
        if time < bracket.end.lowerBound { return "open" }
        return time < bracket.end.upperBound ? "closing" : ""
    }
}
