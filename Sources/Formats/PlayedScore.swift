internal import Languages
public import Scores
public import Timing

/// A score as played, for formats that have times but no page: bars in playing order, with repeats and jumps taken.
///
/// All times are in real time, at the speed of the performance, from the first bar that is played.
public struct PlayedScore: Sendable {
    /// The score with its page.
    public let score: Score
    /// The speed at which it is played.
    public let speed: Speed
    /// How many bars are played, at least one.
    public let barCount: Int
    /// The settings that the score states itself: the page has them even where they equal the defaults.
    package var stated: Set<Score.Preference> = []
    /// The score with the user's settings, from which the count-in is.
    package var heard: Score
    /// How long after the beginning of the part its first bar begins; negative if that began before, as a voice that does
    /// not lead can. Zero for a whole score.
    private var delay = Duration.zero
    /// How long the part lasts in which a voice is heard; nil for all of its bars.
    private var limit: Duration?
    private let passage: Passage
    /// Whether bars have numbers of their own, or a label begins like one: then formats write that of every bar.
    private let isNumbered: Bool
    /// The first bar that has another number than its place among those that are written; nil if all bars are numbered in
    /// order from 1. Only `numbered` sets it: it has to look at every bar.
    private var firstOutOfCount: Int?

    /// The maximum number of bars written to a file.
    public static let barLimit = 1_000_000

    /// Makes the sequence of bars that a passage through a score plays, at a speed. The passage must have an end.
    public init(_ score: Score, passage: Passage, speed: Speed) {
        self.score = score
        heard = score
        self.speed = speed
        self.passage = passage
        barCount = passage.count ?? passage.bars.count
        let timeline = passage.timeline
        isNumbered = timeline.isNumbered || timeline.labels.contains { $0.hasPrefix("no.") }
    }

    /// Each voice by itself, the leading one first: its bars that sound while these are played, and what is heard of
    /// them. A voice without any is left out.
    package var voices: [PlayedScore] {
        let timeline = passage.timeline
        let first = timeline.start(ofBar: passage.bars.lowerBound)
        let end = timeline.start(ofBar: passage.bars.upperBound)
        return score.voiceNames.compactMap { name in
            guard var alone = score.with(voices: [name]) else { return nil }
            alone.title = [score.title ?? "", name].filter { !$0.isEmpty }.joined(separator: ": ")
            let voice = Timeline(alone)
            var bars = voice.bars(during: first..<end)
            let moment = SameMoment.tolerance
            while let bar = bars.first, voice.start(ofBar: bar + 1) < first + moment { bars.removeFirst() }
            while let bar = bars.last, voice.start(ofBar: bar) > end - moment { bars.removeLast() }
            guard let start = bars.first.map(voice.start(ofBar:)) else { return nil }
            var played = PlayedScore(alone, passage: Passage(voice, bars: bars), speed: speed)
            played.heard.countIn = heard.countIn
            let isInside = start > first - moment
            played.delay = isInside ? time(of: max(start - first, .zero)) : .zero - time(of: first - start)
            played.limit = total
            return played
        }
    }

    /// The same with the numbers that formats write. If they write one, each of the other bars has its place in its line
    /// for a number.
    var numbered: PlayedScore {
        var played = self
        guard let first = (0..<barCount).first(where: { passage.bar(of: $0).number != .counted($0 + 1) }) else {
            return played
        }
        let isOutOfPlace = { (bar: TimedBar) in bar.number != .counted(bar.bar) }
        played.firstOutOfCount = (0..<barCount).first { isOutOfPlace(passage.bar(of: $0)) } ?? first
        return played
    }

    /// How long all bars last together; for a voice, until when it is heard after the beginning of the part.
    public var total: Duration {
        let end = delay + time(of: passage.position(of: barCount))
        return limit.map { min($0, end) } ?? end
    }

    /// The drone with which these bars begin, unless the first one says itself what becomes of the drone of the score.
    var firstDrone: Score.Drone? {
        let first = passage.bar(of: 0).written
        guard first.isPlain || first.details.drone == nil else { return score.drone }
        return Performance(of: score, passage: passage).drone(inBarOf: 0)
    }

    /// How long the count-in lasts.
    public var countIn: Duration {
        var performance = Performance(of: heard, passage: passage)
        performance.speed = speed
        return performance.countInLength
    }

    /// The bar with index `n`, 0 ..< `barCount`; an index outside counts as the nearest one.
    public func bar(_ n: Int) -> PlayedBar {
        let n = min(max(n, 0), barCount - 1)
        var bar = passage.bar(of: n)
        let isOutOfPlace = firstOutOfCount != nil && bar.number != .counted(bar.bar)
        bar.printedNumber = isNumbered || n == firstOutOfCount || isOutOfPlace ? bar.number : nil
        let position = passage.position(of: n)
        let start = time(of: position)
        let beats = passage.timeline.beats(inBar: bar.index, InnerSettings(score)).map { beat in
            var beat = beat
            beat.offset = time(of: position + beat.offset) - start
            return beat
        }
        let (begin, end) = (start + delay, time(of: passage.position(of: n + 1)) + delay)
        // Boundaries that meet may be an attosecond apart.
        let before = begin < .zero - SameMoment.tolerance ? Duration.zero - begin : .zero
        let heard = before..<max(before, min(end, limit ?? end) - begin)
        return PlayedBar(
            start: begin, end: end, heard: heard, timed: withClicks(bar),
            tempi: tempi(of: bar, at: position), beats: beats,
            hits: passage.timeline.hits(inBar: bar.index).map { hit in
                var hit = hit
                hit.offset = time(of: position + hit.offset) - start
                return hit
            })
    }

    /// A bar with the clicks of its voice.
    private func withClicks(_ bar: TimedBar) -> TimedBar {
        let voice = score.voice.click
        guard voice != BarClick() else { return bar }
        var bar = bar
        let own = bar.written.details.click ?? BarClick()
        bar.written.details.click = BarClick(
            own.sound ?? voice.sound, decibels: own.decibels + voice.decibels, isSilent: own.isSilent || voice.isSilent)
        return bar
    }

    /// The tempi of a bar at a position: more than one if it changes inside.
    private func tempi(of bar: TimedBar, at position: Duration) -> [PlayedTempo] {
        let timeline = passage.timeline
        guard let meter = bar.written.meter, var unit = timeline.tempoUnit(ofBar: bar.index) else { return [] }
        let (start, details) = (time(of: position), bar.written.details)
        let tempi = timeline.tempi(inBar: bar.index, InnerSettings(score))
        let places = details.tempoChanges.isEmpty ? nil : BeatPlaces(meter, marked: details.beats)
        return tempi.enumerated().map { index, tempo in
            let from = tempo.step.from
            var mark = index == 0 ? details.tempo : nil
            for change in details.tempoChanges where places.map({ $0.place(of: change.beat) == from }) ?? false {
                mark = change.mark ?? mark
                unit = change.unit
            }
            let end = index + 1 < tempi.count ? tempi[index + 1].step.from ?? meter.length : meter.length
            return PlayedTempo(
                offset: time(of: position + tempo.offset) - start, place: from, curve: tempo.step.curve,
                length: from.map { end - $0 } ?? end, mark: mark, unit: unit)
        }
    }

    /// All bars, each computed when it is asked for.
    var bars: some Sequence<PlayedBar> { (0..<barCount).lazy.map { bar($0) } }

    /// The timecode at which it begins; nil if the score has none.
    public var timecode: Timecode? { timecode(at: .zero) }

    /// The timecode at a time after its beginning; nil if the score has none. It is rounded once: a sum of rounded parts differs.
    func timecode(at time: Duration) -> Timecode? {
        score.timecode.map { $0.after(self.time(of: passage.bar(of: 0).start) - delay + time) }
    }

    private func time(of position: Duration) -> Duration { Anchor(speed: speed).time(of: position) }

    /// Checks that no written bar is longer than one that can be read back, as an interval of a plan can be.
    func checkWrittenLengths() throws(TextError) {
        let longest = DurationUse.bar.range.upperBound
        guard score.lines.allSatisfy({ $0.bars.allSatisfy { $0.duration <= longest } }) else {
            throw TextError(DurationUse.bar.atMost)
        }
    }

    /// Checks that each bar has a length that can be read back. Only another speed can give it one that a score cannot have.
    func checkLengths() throws(TextError) {
        guard speed != .asWritten else { return }
        var start = time(of: passage.position(of: 0))
        for n in 0..<barCount {
            let end = time(of: passage.position(of: n + 1))
            let (length, range) = (end - start, DurationUse.bar.range)
            start = end
            guard !range.contains(length) else { continue }
            let bar = passage.bar(of: n)
            throw TextError(
                localized(
                    "at \(speed), bar \(bar.line).\(bar.bar) lasts \(length.exactSeconds) s; a bar lasts 1 ms to 24 h"
                ), hint: localized("choose another speed"))
        }
    }
}

/// A bar as played.
public struct PlayedBar: Sendable {
    /// When it begins and when it ends: in a voice that does not lead, perhaps before and after what is played.
    public var start, end: Duration
    /// What is played of it, from its beginning.
    package var heard: Range<Duration>
    /// The bar at the speed of the score.
    let timed: TimedBar
    /// The tempi from its beginning on, at 100 % speed; empty if it has no meter.
    package var tempi: [PlayedTempo] = []
    /// Its beats and clicks, in order; empty if there are none.
    public var beats: [PlayedBeat]
    /// Its hit points, in order.
    public var hits: [HitPoint] = []

    /// The line it is played in, from 1.
    public var line: Int { timed.line }
    /// Its place in the line, from 1.
    public var bar: Int { timed.bar }
    /// Its number on the page, as in printed music.
    public var number: BarNumber { timed.number }
    /// The same if the author gave numbers to bars, or where it says more than the place; nil otherwise.
    public var printedNumber: BarNumber? { timed.printedNumber }
    /// What stands above its section.
    public var heading: Score.Section.Heading { timed.heading }
    /// The label of its section; empty if there is none.
    public var section: String { timed.section }
    /// Whether it is the first bar of its section.
    public var isSectionStart: Bool { timed.isSectionStart }
    /// Its label; empty if there is none.
    public var label: String { timed.label }
    /// The bar as written.
    public var written: Score.Bar { timed.written }
    /// Whether a click, a hit or the like at a time after its beginning is among what is played.
    func hears(_ offset: Duration) -> Bool {
        heard.contains(offset) && offset < heard.upperBound - SameMoment.tolerance
    }
    /// How long it lasts.
    public var duration: Duration { end - start }
    /// The label of the section that begins with the bar, and its own label.
    public var title: String {
        [isSectionStart && section != label ? section : "", label].filter { !$0.isEmpty }.joined(separator: " ")
    }
    /// Its place, such as `5.7`.
    public var place: String { "\(line).\(bar)" }
    /// Whether the click that begins it is silent.
    public var isSilent: Bool {
        written.details.click?.isSilent ?? false
            || beats.first.map { $0.offset == .zero && $0.stress == .silent } ?? false
    }
}

/// A tempo in a bar.
package struct PlayedTempo: Sendable {
    /// When it begins, from the beginning of the bar.
    var offset: Duration
    /// The same in whole notes; nil at the beginning.
    var place: Fraction?
    var curve: TempoCurve
    /// How long it lasts, in whole notes; nil for no time.
    var length: Fraction?
    /// The tempo mark that the page has there; nil if it has none.
    var mark: TempoMark?
    /// The note value that it counts on the page.
    var unit: Fraction
}

extension TempoChange {
    /// The note value that the new tempo counts.
    fileprivate var unit: Fraction {
        switch kind {
        case .tempo(.tempo(let tempo)): tempo.value
        case .tempo(.modulation(_, let new)): new
        case .ramp(let ramp): ramp.target.value
        }
    }
}
