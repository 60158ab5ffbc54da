import Scores

/// A rational number without rounding; the numbers of the cues below stay far from overflow.
struct Rational: Comparable {
    var above: Int128
    var below: Int128

    init(_ above: Int128, _ below: Int128 = 1) {
        var (a, b) = (above.magnitude, below.magnitude)
        while b != 0 { (a, b) = (b, a % b) }
        let divisor = Int128(max(a, 1))
        (self.above, self.below) = (above / divisor, below / divisor)
    }

    static func + (a: Self, b: Self) -> Self { Self(a.above * b.below + b.above * a.below, a.below * b.below) }
    static func - (a: Self, b: Self) -> Self { a + Self(-b.above, b.below) }
    static func * (a: Self, b: Self) -> Self { Self(a.above * b.above, a.below * b.below) }
    static func / (a: Self, b: Self) -> Self { a * Self(b.below, b.above) }
    static func < (a: Self, b: Self) -> Bool { a.above * b.below < b.above * a.below }

    /// The distance of a time in attoseconds from this number of seconds.
    func distance(from time: Duration) -> Double {
        let second = Self(1_000_000_000_000_000_000)
        let whole = Self(time.attoseconds / 1_000_000_000_000_000_000)
        let part = (self - whole) * second - Self(time.attoseconds % 1_000_000_000_000_000_000)
        return Double(part.above) / Double(part.below)
    }
}

/// A film cue and, by exact fractions, the time of each of its beats when all hits are met: an independent model.
struct HitModel {
    /// What follows one after the other: notes at a tempo, fixed times, beats that are timed, and hits.
    private enum Item {
        case notes(Rational)
        case fixed(Rational)
        case beat(bar: Int, beat: Int)
        case hit(Rational)
    }

    private var items: [Item] = []
    private(set) var score: Score
    /// The times of the beats by bar; a bar of seconds has one.
    private(set) var times: [[Rational]] = []

    /// A random cue: bars with meters and of seconds, holds, tempi, and hits on beats or between them.
    init(bars: Int, hits: Int, _ random: inout Seeded) {
        score = Score(tempo: Tempo(Fraction(1, 4), Fraction(96)), sections: [])
        score.beats = true
        var (line, rate) = ([Score.Bar](), Int128(96))
        // The last hit, and how long notes and fixed times have lasted since.
        var (last, notes, fixed) = (Rational(0), Rational(0), Rational(0))
        var left = hits
        for index in 0..<bars {
            let every = bars / hits
            var bar = Score.Bar(.milliseconds(random.int(500...4000)))
            var hitBeat: (number: Int, isBetween: Bool)?
            let isHit = left > 0 && index % every == every - 1
            if isHit || !random.chance(8) {
                let (count, unit) = [(4, 4), (3, 4), (5, 8), (2, 2)][random.int(0...3)]
                bar = Score.Bar(Meter(Int64(count), over: Int64(unit)))
                if random.chance(6) {
                    rate = [60, 80, 90, 96, 120][random.int(0...4)]
                    bar.details.tempo = .tempo(Tempo(Fraction(1, 4), Fraction(Int64(rate))))
                }
                let hold = random.chance(7) ? random.int(1...count) : nil
                if let hold { bar.details.holds = [Hold(.seconds(1), at: .beat(hold))] }
                if isHit { hitBeat = (random.int(1...count), random.chance(3)) }
                let beat = Rational(240, Int128(unit) * rate)
                for number in 1...count {
                    var parts = [Rational(1)]
                    if let hitBeat, hitBeat.number == number {
                        left -= 1
                        if hitBeat.isBetween { parts = [Rational(1, 2), Rational(1, 2)] }
                    }
                    for (half, part) in parts.enumerated() {
                        let isHere = hitBeat.map { $0.number == number && half == ($0.isBetween ? 1 : 0) } ?? false
                        if isHere {
                            // Near to where the written tempi would have it, in milliseconds.
                            let wish =
                                (last + fixed + notes * Rational(Int128(random.int(940...1060)), 1000)) * Rational(1000)
                            let milliseconds = wish.above / wish.below
                            (last, notes, fixed) = (Rational(milliseconds, 1000), Rational(0), Rational(0))
                            items.append(.hit(last))
                            bar.details.hits = [
                                Hit(
                                    .position(.milliseconds(Int64(milliseconds))),
                                    beat: hitBeat?.isBetween ?? false
                                        ? Fraction(Int64(2 * number + 1), 2) : Fraction(Int64(number)))
                            ]
                        }
                        if half == 0 {
                            items.append(.beat(bar: index, beat: number - 1))
                            if hold == number {
                                items.append(.fixed(Rational(1)))
                                fixed = fixed + Rational(1)
                            }
                        }
                        items.append(.notes(beat * part))
                        notes = notes + beat * part
                    }
                }
            } else {
                items.append(.beat(bar: index, beat: 0))
                let length = Rational(bar.duration.attoseconds / 1_000_000_000_000_000, 1000)
                items.append(.fixed(length))
                fixed = fixed + length
            }
            line.append(bar)
        }
        score.sections = [Score.Section(parts: [.line(Score.Line(bars: line))])]
        solve(bars)
    }

    /// Sets the times: between hits, notes take what fixed times leave, in proportion.
    private mutating func solve(_ bars: Int) {
        times = Array(repeating: [], count: bars)
        var (now, index) = (Rational(0), 0)
        while index < items.count {
            let next = items[index...].firstIndex { if case .hit = $0 { true } else { false } }
            var (notes, fixed) = (Rational(0), Rational(0))
            for item in items[index..<(next ?? items.count)] {
                switch item {
                case .notes(let length): notes = notes + length
                case .fixed(let length): fixed = fixed + length
                case .beat, .hit: break
                }
            }
            var factor = Rational(1)
            if let next, case .hit(let time) = items[next], notes > Rational(0) {
                factor = (time - now - fixed) / notes
            }
            // In closed form from the hit before, so that fractions stay small.
            (notes, fixed) = (Rational(0), Rational(0))
            for item in items[index..<(next ?? items.count)] {
                switch item {
                case .notes(let length): notes = notes + length
                case .fixed(let length): fixed = fixed + length
                case .beat(let bar, _): times[bar].append(now + fixed + notes * factor)
                case .hit: break
                }
            }
            if let next, case .hit(let time) = items[next] { now = time }
            index = (next ?? items.count) + 1
        }
    }
}
