internal import Languages
package import Scores
internal import Timing

/// A list of all boundaries of a score, or of its beats. `print` writes it to standard output.
package struct TimelineRequest: Sendable {
    /// The score: a file, the name of a score, or `-`.
    package var score: String
    package var passage = PassageRequest()
    /// The count-in from whose start times are counted.
    package var countIn: Score.Lead?
    /// Whether there is a row for every beat.
    package var beats = false
    package var style = TimelinePrinter.Style.table

    package init(_ score: String) { self.score = score }

    /// Prints it. Errors: `ProgramEnd`, whose reason has been told.
    package func print() throws {
        let wish = try self.passage.passage(of: .named(score))
        let (page, passage, first) = (wish.score, wish.passage, wish.first)
        var performance = Performance(of: page, passage: passage)
        performance.first = first
        if let speed = self.passage.speed { performance.speed = speed }
        performance.countIn = countIn ?? .off
        let start = Anchor(
            time: performance.countInLength, position: passage.position(of: first), speed: performance.speed)
        // Of a passage that repeats forever, one pass is printed.
        let boundaries = first..<(passage.count ?? (first / passage.barsInPass + 1) * passage.barsInPass)
        if beats { return try printBeats(boundaries, passage, InnerSettings(page), start, style) }
        try printBars(boundaries, performance, start, style)
    }

    private func printBars(
        _ boundaries: Range<Int>, _ performance: Performance, _ anchor: Anchor, _ style: TimelinePrinter.Style
    ) throws {
        let (passage, timeline) = (performance.passage, performance.passage.timeline)
        let film = performance.timecode.map { LinearTimecode(start: $0) }
        // The widest name of a voice; nil if there is only one voice.
        let width = timeline.companions.isEmpty ? nil : timeline.voices.map(\.name.printable.columns).max()
        var printer = try TimelinePrinter(style, head: BarRow.head(voiceWidth: width, hasFilm: film != nil))
        func row(_ bar: TimedBar, _ start: Duration, _ end: Duration, _ voice: Timeline, of n: Int) -> BarRow {
            // A duration is the difference of two exact starts, so that the rows add up.
            let span = TimeSpan(start, end, anchor)
            let place = film.map {
                let passed = performance.film(at: start, inBarOf: n, at: anchor.speed, $0) - $0.start.duration
                return FilmTime(bar, of: voice, at: $0.start.after(passed), speed: anchor.speed)
            }
            return BarRow(bar: bar, span: span, voice: width.map { (voice.voice.name, $0) }, film: place)
        }
        var start = passage.position(of: boundaries.lowerBound)
        for n in boundaries {
            let end = passage.position(of: n + 1)
            let leading = row(passage.bar(of: n), start, end, timeline, of: n)
            try printer.add(leading.line) { leading.add(to: &$0) }
            for companion in passage.companionBars(during: n) {
                let (bar, span) = (companion.bar, companion.span)
                let voice = timeline.companions.first { $0.voice == companion.voice } ?? timeline
                let other = row(bar, span.lowerBound, span.upperBound, voice, of: n)
                try printer.add(other.line) { other.add(to: &$0) }
            }
            start = end
        }
        let (count, total) = (boundaries.count, anchor.time(of: passage.position(of: boundaries.upperBound)))
        try printer.end(count == 1 ? localized("1 bar") : localized("\(count) bars"), total)
    }

    private func printBeats(
        _ boundaries: Range<Int>, _ passage: Passage, _ settings: InnerSettings, _ anchor: Anchor,
        _ style: TimelinePrinter.Style
    ) throws {
        var printer = try TimelinePrinter(style, head: BeatRow.head)
        var beats = 0
        for n in boundaries {
            let rows = BeatRow.all(of: n, passage, settings, anchor)
            for row in rows { try printer.add(row.line) { row.add(to: &$0) } }
            beats += rows.count
        }
        let total = anchor.time(of: passage.position(of: boundaries.upperBound))
        try printer.end(beats == 1 ? localized("1 beat") : localized("\(beats) beats"), total)
    }
}
