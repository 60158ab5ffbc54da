internal import Scores
internal import Timing

/// A steady tempo, which MIDI rounds to whole microseconds per quarter, written exactly in an event for the sequencer
/// itself (0x7F): other programs skip it.
///
/// It holds from its tick on, up to the next such event. Its content is 0x7D, the number of a manufacturer that is none,
/// then `Barline tempo 92/1`, or nothing after `tempo ` where the tempo events hold again.
enum MIDIExactTempo {
    private static let start = [0x7D] + Array("Barline tempo ".utf8)

    static func bytes(_ tempo: Fraction?) -> [UInt8] {
        start + Array((tempo.map { "\($0.numerator)/\($0.denominator)" } ?? "").utf8)
    }

    /// Reads the content of such an event; nil if it is another one or has no valid tempo. The result holds nil where the
    /// tempo events hold again.
    static func read(_ content: [UInt8]) -> Fraction?? {
        guard content.starts(with: start) else { return nil }
        let text = String(decoding: content.dropFirst(start.count), as: UTF8.self)
        guard !text.isEmpty else { return .some(nil) }
        let numbers = text.split(separator: "/", omittingEmptySubsequences: false).map { Int64(String($0)) }
        guard numbers.count == 2, let above = numbers[0], let below = numbers[1], above > 0, below > 0 else {
            return nil
        }
        let tempo = Fraction(above, below)
        return Fraction.rateRange.contains(tempo) ? tempo : nil
    }

    /// The tempo, in quarters per minute, at which all places are at the times of their ticks after the first, to the
    /// femtosecond; `division` ticks are a quarter. If `previous` fits, it is taken; otherwise the simplest fraction with a
    /// denominator of at most 1 000 000; nil if none fits.
    static func find(
        _ places: some Collection<(tick: Int64, offset: Duration)>, of division: Int64, after previous: Fraction?
    ) -> Fraction? {
        guard let first = places.first else { return nil }
        let anchors = places.dropFirst().map { (tick: $0.tick - first.tick, offset: $0.offset - first.offset) }
        guard let last = anchors.last, last.tick > 0, last.offset > .zero else { return nil }
        func fits(_ anchor: (tick: Int64, offset: Duration), _ tempo: Fraction) -> Bool {
            (duration(anchor.tick, of: division, at: tempo) - anchor.offset).magnitude < Duration(attoseconds: 1000)
        }
        if let previous, anchors.allSatisfy({ fits($0, previous) }) { return previous }
        // The convergents of the continued fraction of the mean tempo.
        var rest = (
            above: Int128(last.tick) * 60_000_000_000_000_000_000,
            below: Int128(division) * last.offset.attoseconds
        )
        guard rest.above / rest.below <= 100_000 else { return nil }
        var (one, two) = ((above: Int64(0), below: Int64(1)), (above: Int64(1), below: Int64(0)))
        while rest.below > 0 {
            let (term, remainder) = rest.above.quotientAndRemainder(dividingBy: rest.below)
            guard term <= 1_000_000 else { return nil }
            (one, two) = (two, (Int64(term) * two.above + one.above, Int64(term) * two.below + one.below))
            guard two.below <= 1_000_000 else { return nil }
            let tempo = Fraction(two.above, two.below)
            if two.above > 0, Fraction.rateRange.contains(tempo), fits(last, tempo) {
                return anchors.allSatisfy({ fits($0, tempo) }) ? tempo : nil
            }
            rest = (rest.below, remainder)
        }
        return nil
    }

    /// How long ticks last at a tempo; `division` of them are a quarter.
    static func duration(_ ticks: Int64, of division: Int64, at tempo: Fraction) -> Duration {
        guard ticks > 0 else { return .zero }
        return TempoCurve.steady(tempo / Fraction(4)).duration(of: Fraction(ticks, 4 * division))
    }
}
