internal import Scores

/// Follows the tempos of a MIDI file in ascending order of ticks; times are exact.
struct MIDIClock {
    /// A time: `count` units, where a microsecond has `parts` units.
    struct Time {
        var count: Int128
        var parts: Int128

        /// The time, to the nearest attosecond.
        var duration: Duration {
            let (whole, rest) = count.quotientAndRemainder(dividingBy: parts)
            return Duration(attoseconds: whole * 1_000_000_000_000 + (rest * 1_000_000_000_000 + parts / 2) / parts)
        }

        /// The seconds since an earlier time.
        func fraction(since earlier: Time) -> Fraction {
            var (above, below) = (max(1, count - earlier.count), parts * 1_000_000)
            while max(above, below) > Int128(Int64.max) { (above, below) = (max(1, above / 2), max(1, below / 2)) }
            return Fraction(Int64(above), Int64(below))
        }
    }

    /// Tempos in microseconds per quarter, with the ticks (in 1024ths) at which they begin.
    private var changes: [(tick: Int64, tempo: Int64)] = [(0, 500_000)]
    /// The change in effect at the last requested tick, and the time of that change.
    private var index = 0
    private var since: Int128 = 0
    private let parts: Int128

    init(_ file: MIDIFile) {
        parts = Int128(file.division) * 1024
        for event in file.tempi {
            let tick = event.tick * 1024
            if changes[changes.count - 1].tick == tick { changes.removeLast() }
            if changes.last?.tempo != event.value { changes.append((tick, event.value)) }
        }
    }

    /// The time of a tick, which must not be before the last requested one.
    mutating func time(at tick: Int64) -> Time {
        advance(to: tick)
        return Time(count: since + Int128(tick - changes[index].tick) * Int128(changes[index].tempo), parts: parts)
    }

    /// The tempo from a tick on, which must not be before the last requested one.
    mutating func tempo(at tick: Int64) -> Int64 {
        advance(to: tick)
        return changes[index].tempo
    }

    /// The slower of the tempi before and after a tick, which must not be before the last requested one.
    mutating func slowerTempo(around tick: Int64) -> Int64 {
        let after = tempo(at: tick)
        return changes[index].tick == tick && index > 0 ? max(after, changes[index - 1].tempo) : after
    }

    /// The tick at which the tempo changes next after the tick that was asked for last; nil if it does not change again.
    var nextChange: Int64? { index + 1 < changes.count ? changes[index + 1].tick : nil }

    private mutating func advance(to tick: Int64) {
        while index + 1 < changes.count, changes[index + 1].tick <= tick {
            since += Int128(changes[index + 1].tick - changes[index].tick) * Int128(changes[index].tempo)
            index += 1
        }
    }
}
