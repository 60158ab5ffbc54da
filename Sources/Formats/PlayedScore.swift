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
    /// How long after the first bar of the leading voice its own first bar begins; zero for a whole score.
    package private(set) var delay = Duration.zero
    private let passage: Passage
    /// Whether bars have numbers of their own, or a label looks like one: then formats write that of every bar.
    private let isNumbered: Bool

    /// The maximum number of bars written to a file.
    public static let barLimit = 1_000_000

    /// Makes the sequence of bars that a passage through a score plays, at a speed. The passage must have an end.
    public init(_ score: Score, passage: Passage, speed: Speed) {
        self.score = score
        self.speed = speed
        self.passage = passage
        barCount = passage.count ?? passage.bars.count
        let timeline = passage.timeline
        isNumbered = timeline.isNumbered || timeline.labels.contains { BarNumber.written(in: $0) != nil }
    }

    /// Each voice by itself, the leading one first: its bars that begin while these are played. A voice without any is
    /// left out.
    package var voices: [PlayedScore] {
        let timeline = passage.timeline
        let first = timeline.start(ofBar: passage.bars.lowerBound)
        let end = timeline.start(ofBar: passage.bars.upperBound)
        return score.voiceNames.compactMap { name in
            guard var alone = score.with(voices: [name]) else { return nil }
            alone.title = [score.title ?? "", name].filter { !$0.isEmpty }.joined(separator: ": ")
            let voice = Timeline(alone)
            var bars = voice.bars(during: first..<end)
            // A bar that began before belongs to the part before.
            if let bar = bars.first, voice.start(ofBar: bar) < first { bars = bars.dropFirst() }
            guard !bars.isEmpty else { return nil }
            var played = PlayedScore(alone, passage: Passage(voice, bars: bars), speed: speed)
            played.delay = time(of: voice.start(ofBar: bars.lowerBound) - first)
            return played
        }
    }

    /// How long all bars last together.
    public var total: Duration { time(of: passage.position(of: barCount)) }

    /// The drone with which these bars begin, unless the first one says itself what becomes of the drone of the score.
    var firstDrone: Score.Drone? {
        let first = passage.bar(of: 0).written
        guard first.isPlain || first.details.drone == nil else { return score.drone }
        return Performance(of: score, passage: passage).drone(inBarOf: 0)
    }

    /// How long the count-in lasts.
    public var countIn: Duration {
        var performance = Performance(of: score, passage: passage)
        performance.speed = speed
        return performance.countInLength
    }

    /// The bar with index `n`, 0 ..< `barCount`.
    public func bar(_ n: Int) -> PlayedBar {
        var bar = passage.bar(of: n)
        if isNumbered { bar.printedNumber = bar.number }
        let position = passage.position(of: n)
        let start = time(of: position)
        let beats = passage.timeline.beats(inBar: bar.index, InnerSettings(score)).map { beat in
            var beat = beat
            beat.offset = time(of: position + beat.offset) - start
            return beat
        }
        return PlayedBar(
            start: start, end: time(of: passage.position(of: n + 1)), timed: withClicks(bar),
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
    public var timecode: Timecode? {
        score.timecode.map { $0.after(time(of: passage.bar(of: 0).start)) }
    }

    private func time(of position: Duration) -> Duration { Anchor(speed: speed).time(of: position) }
}

/// A bar as played.
public struct PlayedBar: Sendable {
    /// When it begins and when it ends.
    public var start, end: Duration
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
