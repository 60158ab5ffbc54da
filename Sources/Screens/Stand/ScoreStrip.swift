internal import Languages
internal import Playback
internal import Scores
internal import Timing

/// The line being played, with bars drawn to scale, a cursor at the current position, and brackets below.
struct ScoreStrip {
    /// A piece of text in a row.
    struct Piece: Equatable {
        var column: Int
        var text: String
        var ink = Ink()
    }

    private let timeline: Timeline
    private let words: any PieceWords
    private let columns: Range<Int>
    /// The bars that are shown.
    private let bars: Range<Int>
    /// The time that these bars span, counted from the start of the score.
    private let span: Range<Duration>
    /// The current position, counted from the start of the score.
    private let here: Duration
    private let loop: Range<Int>?
    private let inner: InnerSettings
    private let brackets: [Bracket]

    init(
        _ status: Status, _ heard: Moment.Bar, columns: Range<Int>, _ words: any PieceWords, _ part: OwnPart?
    ) {
        self.words = words
        timeline = part?.timeline ?? status.performance.passage.timeline
        self.columns = columns
        let index = heard.bar.index
        var bars = timeline.bars(ofLine: heard.bar.line) ?? index..<index + 1
        // No more bars than fit: each needs at least two columns.
        let most = max(columns.count / 2, 1)
        if bars.count > most {
            let first = min(max(index - most / 4, bars.lowerBound), bars.upperBound - most)
            bars = first..<first + most
        }
        self.bars = bars
        span = timeline.start(ofBar: bars.lowerBound)..<timeline.start(ofBar: bars.upperBound)
        here = heard.place(in: timeline)
        loop = part == nil ? status.practicedBars : nil
        brackets = status.performance.brackets
        inner = status.performance.inner
    }

    /// The rows of the strip on a screen of `screenRows` rows: numbers and marks, the strip, brackets. A small screen
    /// shows the strip alone.
    func rows(_ screenRows: Int) -> [[Piece]] {
        guard screenRows >= 14 else { return [strip] }
        return [numbers, strip] + bracketRows(min(max(screenRows - 20, 1), 8))
    }

    /// The column of a time from the start of the score.
    private func column(_ time: Duration) -> Int {
        let share = (time - span.lowerBound) / (span.upperBound - span.lowerBound)
        let column = (min(max(share, 0), 1) * Double(columns.count)).rounded(.down)
        return columns.lowerBound + min(Int(column), columns.count - 1)
    }

    /// The numbers of the bars, or the names of intervals, where there is room, [ and ] around a loop, ^ at a bar with a hold.
    private var numbers: [Piece] {
        var pieces: [Piece] = []
        var free = columns.lowerBound
        for index in bars {
            let begin = column(timeline.start(ofBar: index))
            let bar = timeline[index]
            let text = words.stripName(of: bar, loop)
            // An interval until the lap button has no width, so that its name may have no room.
            let isMarked =
                bar.hasHold && words.tellsHolds
                || loop.map { [$0.lowerBound, $0.upperBound - 1].contains(index) } ?? false
            guard begin >= free || isMarked, begin + text.columns <= columns.upperBound else { continue }
            pieces.append(Piece(column: max(begin, columns.lowerBound), text: text, ink: isMarked ? .bold : .dim))
            free = begin + text.columns + 1
        }
        return pieces
    }

    /// The part that has been played and the part that has not, bar lines, holds, and the cursor.
    private var strip: [Piece] {
        let cursor = column(here)
        var cells = columns.map { $0 < cursor ? "━" : "─" }
        for index in bars { cells[column(timeline.start(ofBar: index)) - columns.lowerBound] = "│" }
        for index in words.tellsHolds ? bars : 0..<0 {
            let end = index + 1 < bars.upperBound ? column(timeline.start(ofBar: index + 1)) : columns.upperBound
            for hold in timeline.holds(inBar: index, inner) {
                draw(hold, from: timeline.start(ofBar: index), before: end, cursor, &cells)
            }
        }
        return [Piece(column: columns.lowerBound, text: cells.joined()), Piece(column: cursor, text: "●", ink: .bold)]
    }

    /// Draws a hold in its bar: ^ where the music stands still, then a broken line as long as the hold.
    private func draw(_ hold: PlayedHold, from start: Duration, before end: Int, _ cursor: Int, _ cells: inout [String])
    {
        let first = column(start)
        // Not in place of the bar line, nor of the next one, unless the bar has no other column.
        let at = max(min(max(column(start + hold.span.lowerBound), first + 1), end - 1), first)
        cells[at - columns.lowerBound] = "^"
        for rest in at + 1..<max(at + 1, min(column(start + hold.span.upperBound), end)) {
            cells[rest - columns.lowerBound] = rest < cursor ? "╍" : "╌"
        }
    }

    /// The brackets that are open or come next: ░ where a bracket may begin, █ where it is played, ▒ where it may end.
    private func bracketRows(_ most: Int) -> [[Piece]] {
        let coming = brackets.enumerated().filter { $0.element.end.upperBound > here }
            .sorted { $0.element.start.lowerBound < $1.element.start.lowerBound }
        return coming.prefix(most).map { number, bracket in
            let edges = [bracket.start, bracket.end].flatMap { [column($0.lowerBound), column($0.upperBound)] }
            let text = (edges[0]...max(edges[3], edges[0])).map { at in
                at < edges[1] ? "░" : at < edges[2] || edges[2] == edges[3] ? "█" : "▒"
            }
            let name = bracket.label.isEmpty ? "\(number + 1)" : bracket.label
            let word = [name, bracket.cue, ScoreStrip.state(of: bracket, at: here)].joinedNonempty(" ")
            // The name goes beside the bracket, on the side that has room.
            let isLeft = edges[0] - columns.lowerBound > word.columns + 1
            let at = isLeft ? edges[0] - word.columns - 1 : edges[3] + 2
            let isOpen = bracket.start.lowerBound <= here
            let ink: Ink = isOpen ? .bold : .dim
            return [Piece(column: edges[0], text: text.joined(), ink: ink), Piece(column: at, text: word, ink: ink)]
        }
    }

    /// The state of a bracket at a time, in a word; empty before it opens and after it has closed.
    static func state(of bracket: Bracket, at time: Duration) -> String {
        if time < bracket.start.lowerBound { return "" }
        if time < bracket.start.upperBound { return localized("opening") }
        if time < bracket.end.lowerBound { return localized("open") }
        return time < bracket.end.upperBound ? localized("closing") : ""
    }
}

extension Moment.Bar {
    /// The share of the bar that is over, 0 ... 1.
    var share: Double { duration > .zero ? min(max(1 - left / duration, 0), 1) : 1 }

    /// The time in the score at which the music is.
    func place(in timeline: Timeline) -> Duration {
        let start = timeline.start(ofBar: bar.index)
        let length = Double((timeline.start(ofBar: bar.index + 1) - start).attoseconds)
        return start + Duration(attoseconds: Int128(length * share))
    }
}
