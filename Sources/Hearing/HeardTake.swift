internal import Glibc

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
        /// It has hardly any beginnings of notes.
        case noNotes
        /// Its notes do not fit the durations of the score.
        case otherPiece
        /// The clicks of the metronome are all that is heard.
        case onlyClicks
    }

    /// Listens to a take of `rate` samples per second, of a score whose bars last as long as `written`, in seconds.
    ///
    /// The player begins with bar `first`, most likely; `lines` are the first bars of lines. `known` are the clicks that a
    /// metronome may have played beside the player.
    package init(
        _ samples: [Float], _ written: [Double], first: Int = 0, lines: [Int] = [0], known: KnownClicks? = nil
    ) throws(Fault) {
        let peak = samples.reduce(Float(0)) { max($0, abs($1)) }
        // Half of the smallest step of 16 bits would be dither.
        guard peak > 1e-4 else { throw .silent }
        let found = known?.found(in: samples)
        let onsets = OnsetDetector.onsets(samples, known: found)
        let notes = onsets.reduce(0) { $0 + $1.probability }
        guard notes >= 2 else { throw found == nil ? .noNotes : .onlyClicks }
        let alignment = Alignment(onsets, written, first: first, lines: lines)
        let events = alignment.events
        // Of notes at random, hardly any bar is sure.
        let sure = events.count { $0.confidence >= HeardBar.sure }
        guard sure >= 2, sure * 5 >= events.count, alignment.evidence > HeardTake.leastEvidence else {
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

    /// The logarithm of how much more probable the notes must be with the score than at random. Of 50 takes beside the score
    /// of another piece, none reached 16; of takes beside their own score, none of 24 bars was below 30.
    private static let leastEvidence = 5.0
}
