internal import Languages
internal import Scores

/// A meter as a time signature: `beats` beats, each a whole note divided by 2 to the power `power`.
struct MIDIMeter: Equatable {
    var beats: Int64
    var power: Int

    /// The length in ticks, of which a quarter has so many.
    func ticks(_ quarter: Int64) -> Int64 { (beats * 4 * quarter) >> Int64(power) }
}

/// A bar in ticks.
struct MIDIBar {
    /// Meters, with the ticks of the bar at which they begin; just one, except for bars of hours.
    private(set) var meters: [(tick: Int64, meter: MIDIMeter)] = []
    /// Ticks with their times after the beginning of the bar, including its beginning and its end; the tempo between
    /// two of them is steady.
    private(set) var anchors: [(tick: Int64, offset: Duration)] = []
    /// Its parts: the anchors of each, and its tempo in quarters per minute if this is steady. More than one if all parts
    /// have a steady tempo.
    private(set) var parts: [(anchors: ArraySlice<(tick: Int64, offset: Duration)>, tempo: Fraction?)] = []
    /// What MIDI cannot express as the score has it; nil if there is nothing.
    private(set) var loss: String?
    /// Ticks per quarter.
    private let quarter: Int64

    /// The length of the bar in ticks.
    var ticks: Int64 { meters.reduce(0) { $0 + $1.meter.ticks(quarter) } }

    /// Lays out a bar. `previous` is the steady tempo of the bar before: if it fits, it stays.
    init(_ bar: PlayedBar, after previous: Fraction?, quarter: Int64) {
        self.quarter = quarter
        let hasPositions = bar.beats.dropFirst().allSatisfy { $0.position != nil }
        if let meter = bar.written.meter.flatMap(MIDIBar.meter), hasPositions {
            meters = [(0, meter)]
            let beatTicks = bar.beats.map { beat in
                let exact = beat.position.map { $0 * Fraction(4 * quarter) }
                return exact.map { Int64((Int128($0.numerator) + Int128($0.denominator / 2)) / Int128($0.denominator)) }
            }
            setAnchors(bar, beatTicks.map { $0 ?? 0 })
        } else if bar.written.meter != nil || bar.written.details.beats != nil, (1...255).contains(bar.beats.count) {
            // Beats whose lengths do not fit a time signature: each becomes a quarter with its own tempo.
            meters = [(0, MIDIMeter(beats: Int64(bar.beats.count), power: 2))]
            setAnchors(bar, bar.beats.indices.map { Int64($0) * quarter })
            if bar.written.meter != nil {
                loss = localized("meters that MIDI does not have get a quarter for each beat")
            }
        } else {
            setSeconds(bar)
            if meters.count > 1 { loss = localized("bars that are longer than MIDI's longest are written as several") }
        }
        if anchors.contains(where: { $0.offset > bar.duration }) || !isSlowEnough {
            setSeconds(bar)
            loss = localized("beats that are longer than 16.777215 s, MIDI's longest, are several quarters")
        }
        parts = steadyParts(bar, after: previous)
    }

    /// The parts between changes of tempo if all of them are steady; otherwise the whole bar.
    private func steadyParts(
        _ bar: PlayedBar, after previous: Fraction?
    ) -> [(anchors: ArraySlice<(tick: Int64, offset: Duration)>, tempo: Fraction?)] {
        let changes = bar.tempi.compactMap { tempo in tempo.place.map { _ in tempo.offset } }
        var parts: [(anchors: ArraySlice<(tick: Int64, offset: Duration)>, tempo: Fraction?)] = []
        var (first, previous) = (0, previous)
        for (index, anchor) in anchors.enumerated() where index > 0 {
            guard index == anchors.count - 1 || changes.contains(anchor.offset) else { continue }
            let part = anchors[first...index]
            previous = MIDIExactTempo.find(part, of: quarter, after: previous)
            parts.append((part, previous))
            first = index
        }
        let isSteady = parts.allSatisfy { $0.tempo != nil }
        return parts.count == 1 || isSteady ? parts : [(anchors[...], nil)]
    }

    private mutating func setSeconds(_ bar: PlayedBar) {
        meters = seconds(bar.duration)
        anchors = [(0, .zero), (ticks, bar.duration)]
    }

    /// The beginning, the beats and the end; places on the same tick count once.
    private mutating func setAnchors(_ bar: PlayedBar, _ ticks: [Int64]) {
        let length = self.ticks
        anchors = [(0, .zero)]
        var places = zip(ticks, bar.beats).map { (tick: $0, offset: $1.offset) }
        // Where the tempo changes between two beats.
        for tempo in bar.tempi where bar.beats.allSatisfy({ $0.offset != tempo.offset }) {
            guard let tick = tempo.place.map({ $0 * Fraction(4 * quarter) }) else { continue }
            places.append(((tick + Fraction(1, 2)).floor, tempo.offset))
        }
        if places.count > ticks.count { places.sort { ($0.tick, $0.offset) < ($1.tick, $1.offset) } }
        for (tick, offset) in places where tick > (anchors.last?.tick ?? 0) && tick < length {
            if offset > (anchors.last?.offset ?? .zero), offset < bar.duration { anchors.append((tick, offset)) }
        }
        anchors.append((length, bar.duration))
    }

    /// Whether MIDI can express every tempo: none is too slow.
    private var isSlowEnough: Bool {
        zip(anchors, anchors.dropFirst()).allSatisfy { from, to in
            (to.offset - from.offset).attoseconds * Int128(quarter)
                <= MIDIGrid.longestQuarter.attoseconds * Int128(to.tick - from.tick)
        }
    }

    /// The time signature of a meter; nil if there is none: at most 255 beats, each a 128th or longer.
    private static func meter(_ meter: Meter) -> MIDIMeter? {
        let length = meter.length
        let written = meter.terms.map(\.denominator).max() ?? .one
        let least = max(length.denominator, written.denominator == 1 ? written.numerator : 1)
        guard let power = (0...7).first(where: { 1 << Int64($0) == least }) else { return nil }
        let beats = length * Fraction(least)
        guard beats.denominator == 1, beats.numerator <= 255 else { return nil }
        return MIDIMeter(beats: beats.numerator, power: power)
    }

    /// Time signatures for a bar of seconds: one quarter per second, approximately. If there are too many quarters,
    /// whole notes and several signatures.
    private func seconds(_ duration: Duration) -> [(tick: Int64, meter: MIDIMeter)] {
        let second = Int128(1_000_000_000_000_000_000)
        let quarters = Int64(max(1, (duration.attoseconds + second / 2) / second))
        if quarters <= 255 { return [(0, MIDIMeter(beats: quarters, power: 2))] }
        let longest = MIDIGrid.longestQuarter.attoseconds * 4
        // As many whole notes as needed at the slowest tempo, but at least 64.
        let wholes = Int64(max(64, (duration.attoseconds + longest - 1) / longest))
        return stride(from: 0, to: wholes, by: 255).map { first in
            (first * 4 * quarter, MIDIMeter(beats: min(wholes - first, 255), power: 0))
        }
    }
}
