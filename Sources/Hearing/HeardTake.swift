/// What was heard of a score in a take.
package struct HeardTake: Sendable {
    /// Samples per second of a take.
    package static let rate = Bands.rate

    /// The bars in the order in which they were played.
    package let bars: [HeardBar]
    /// The clicks of the metronome that are heard in it, in seconds; empty if none are.
    package let clicks: [Double]

    /// Why nothing can be said about a take.
    package enum Fault: Error, Equatable {
        /// There is no sound in it.
        case silent
        /// It has no beginnings of notes, or only one or two.
        case noNotes
        case fewNotes
        /// Its notes do not fit the durations of the score.
        case otherPiece
        /// The clicks of the metronome are all that is heard.
        case onlyClicks
    }

    /// Listens to a take of `rate` samples per second, of a score whose bars last as long as `written`, in seconds. Steady tones,
    /// as those of a drone, are taken out of it first.
    ///
    /// The player begins with bar `first`, most likely; `lines` are the first bars of lines. `known` are the clicks that a
    /// metronome may have played beside the player. `expected` says when bars begin, in seconds, if the take was recorded while
    /// the music played: then nothing is searched.
    package init(
        _ samples: [Float], _ written: [Double], first: Int = 0, lines: [Int] = [0], known: KnownClicks? = nil,
        expected: [Double?] = []
    ) throws(Fault) {
        let peak = samples.reduce(Float(0)) { max($0, abs($1)) }
        // Half of the smallest step of 16 bits would be dither.
        guard peak > 1e-4 else { throw .silent }
        let samples = SteadyTones.removed(SteadyTones.frequencies(in: samples), from: samples)
        var found = known?.found(in: samples)
        if let known, var placed = found, !expected.isEmpty {
            known.place(&placed, at: expected, written, first: first)
            found = placed
        }
        // Clicks of a count-in are too few for their sound to be learned from the take, and no bar begins there.
        let countIn = found?.countIn ?? []
        let onsets = OnsetDetector.onsets(samples, known: found).filter { onset in
            !countIn.contains { abs($0 - onset.seconds) < Alignment.reach }
        }
        let notes = onsets.reduce(0) { $0 + $1.probability }
        guard notes >= 2 else { throw found != nil ? .onlyClicks : notes < 0.5 ? .noNotes : .fewNotes }
        if let found, HeardTake.areClicks(onsets, found, within: 0.015) { throw .onlyClicks }
        let alignment = Alignment(onsets, written, first: first, lines: lines, expected: expected)
        let events = HeardTake.doubted(alignment.events, onsets, found)
        // Of notes at random, hardly any bar is sure.
        let sure = events.count { $0.confidence >= HeardBar.sure }
        guard sure >= 2, sure * 5 >= events.count, alignment.evidence > HeardTake.leastEvidence else {
            if let found, HeardTake.areClicks(onsets, found, within: 0.1) { throw .onlyClicks }
            throw .otherPiece
        }
        var bars: [HeardBar] = []
        for event in events {
            if let last = bars.last, !event.isRestart, event.bar > last.bar + 1 {
                for bar in last.bar + 1..<event.bar { bars.append(HeardBar(bar: bar, seconds: nil, confidence: 0)) }
            }
            bars.append(
                HeardBar(
                    bar: event.bar, seconds: onsets[event.onset].seconds, confidence: event.confidence,
                    isRestart: event.isRestart))
        }
        self.bars = bars
        clicks = found?.clicks.map(\.seconds) ?? []
    }

    /// Whether nearly all that is heard is at clicks, at the same distance: a player is not as exact, and plays other notes too.
    private static func areClicks(_ onsets: [Onset], _ found: KnownClicks.Found, within reach: Double) -> Bool {
        let probable = onsets.filter { $0.probability > 0.5 }.map { found.distance($0.seconds) }
        let near = probable.filter { abs($0) < reach }.sorted()
        guard near.count * 20 >= probable.count * 17, !near.isEmpty else { return near.count == probable.count }
        return near[near.count * 3 / 4] - near[near.count / 4] < 0.015
    }

    /// The events, without certainty for those that follow each other at the same distance from a click: what is left of the
    /// clicks is there, and no player is as exact.
    private static func doubted(
        _ events: [Alignment.Event], _ onsets: [Onset], _ found: KnownClicks.Found?
    ) -> [Alignment.Event] {
        guard let found, !found.clicks.isEmpty else { return events }
        let distances = events.map { found.distance(onsets[$0.onset].seconds) }
        var events = events
        for index in events.indices.dropFirst() where abs(distances[index] - distances[index - 1]) < mostExact {
            for one in [index - 1, index] { events[one].confidence = min(events[one].confidence, 0.5) }
        }
        return events
    }

    /// Two notes of a player are not as near the same distance from their clicks, in seconds.
    static let mostExact = 0.0005

    /// The logarithm of how much more probable the notes must be with the score than at random. It is about 1.8 for each bar
    /// that was played; what shows another piece is that no bar is sure.
    private static let leastEvidence = 5.0
}
