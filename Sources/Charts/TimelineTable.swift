internal import Languages
internal import Scores
package import Timing

/// A list of the boundaries of a passage, or of its beats.
package struct TimelineTable: Sendable {
    /// How it is written.
    package enum Style: Sendable {
        case table, csv, json
    }

    private let performance: Performance
    /// Where the music is when.
    private let anchor: Anchor
    /// By what the beats of a bar have their places; nil if only bars are listed.
    private let beats: InnerSettings?
    private let style: Style

    /// A list from the first boundary of a performance on, after its count-in.
    package init(_ performance: Performance, ofBeats beats: InnerSettings?, _ style: Style) {
        (self.performance, self.beats, self.style) = (performance, beats, style)
        anchor = Anchor(
            time: performance.countInLength, position: performance.passage.position(of: performance.first),
            speed: performance.speed)
    }

    /// The boundaries that are listed: of a passage that repeats forever, those of one pass.
    private var boundaries: Range<Int> {
        let (passage, first) = (performance.passage, performance.first)
        return first..<(passage.count ?? (first / passage.barsInPass + 1) * passage.barsInPass)
    }

    /// Passes it on in pieces, since it may have millions of rows. Errors: those of `pass`.
    package func write(to pass: @escaping ([UInt8]) throws -> Void) throws {
        if let beats { try writeBeats(beats, to: pass) } else { try writeBars(to: pass) }
    }

    private func writeBars(to pass: @escaping ([UInt8]) throws -> Void) throws {
        let (passage, timeline, boundaries) = (performance.passage, performance.passage.timeline, self.boundaries)
        let film = performance.timecode.map { LinearTimecode(start: $0) }
        // The widest name of a voice; nil if there is only one voice.
        let width = timeline.companions.isEmpty ? nil : timeline.voices.map(\.name.printable.columns).max()
        let head = BarRow.head(voiceWidth: width, hasFilm: film != nil)
        var writer = TimelineWriter(style, head: head, to: pass)
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
            try writer.add(leading.line) { leading.add(to: &$0) }
            for companion in passage.companionBars(during: n) {
                let (bar, span) = (companion.bar, companion.span)
                let voice = timeline.companions.first { $0.voice == companion.voice } ?? timeline
                let other = row(bar, span.lowerBound, span.upperBound, voice, of: n)
                try writer.add(other.line) { other.add(to: &$0) }
            }
            start = end
        }
        let (count, total) = (boundaries.count, anchor.time(of: passage.position(of: boundaries.upperBound)))
        try writer.end(count == 1 ? localized("1 bar") : localized("\(count) bars"), total)
    }

    private func writeBeats(_ settings: InnerSettings, to pass: @escaping ([UInt8]) throws -> Void) throws {
        let (passage, boundaries) = (performance.passage, self.boundaries)
        var writer = TimelineWriter(style, head: BeatRow.head, to: pass)
        var beats = 0
        for n in boundaries {
            let rows = BeatRow.all(of: n, passage, settings, anchor)
            for row in rows { try writer.add(row.line) { row.add(to: &$0) } }
            beats += rows.count
        }
        let total = anchor.time(of: passage.position(of: boundaries.upperBound))
        try writer.end(beats == 1 ? localized("1 beat") : localized("\(beats) beats"), total)
    }
}
