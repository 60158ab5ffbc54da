internal import Languages
internal import Scores

// Bars whose beats have individual lengths, from formats that give a tempo for every beat.
extension Score.Bar {
    /// Makes a bar of seconds with beats of given lengths, in seconds. Its duration is their exact sum; each beat keeps
    /// its length, to the nanosecond, as its share of the bar.
    init(beats: [(seconds: Fraction, stress: Beat.Stress)], label: String = "", cue: String = "") {
        // No format has a bar without beats; such a bar would last a second.
        let first = beats.first ?? (.one, .accent)
        let sum = beats.dropFirst().reduce(first.seconds) { $0 + $1.seconds }
        self.init(sum.seconds, label: label, cue: cue)
        guard beats.count > 1 || first.stress != .accent else { return }
        let isEven = beats.allSatisfy { $0.seconds == first.seconds }
        // Each beat begins at a whole nanosecond, so that the rounding of many beats does not add up.
        var (end, before) = (Fraction?.none, Int64(0))
        details.beats = beats.map { beat in
            end = end.map { $0 + beat.seconds } ?? beat.seconds
            defer { before = end?.nanoseconds ?? before }
            return Beat(beat.stress, isEven ? nil : Fraction(nanoseconds: (end?.nanoseconds ?? before) - before))
        }
    }

    /// Sets the tempi inside a bar with a meter, each with its distance from the beginning in whole notes; false if a
    /// score cannot write them exactly.
    mutating func set(tempi: some Collection<(place: Fraction, tempo: Tempo)>) -> Bool {
        guard let meter, tempi.count <= TempoChange.limitInBar else { return false }
        let places = BeatPlaces(meter, marked: details.beats)
        var changes: [TempoChange] = []
        for (place, tempo) in tempi {
            guard let beat = places.beat(at: place), (try? Fraction(scoreText: beat.text)) == beat, tempo.isWritable
            else { return false }
            changes.append(TempoChange(at: beat, to: tempo))
        }
        if !changes.isEmpty { details.tempoChanges = changes }
        return true
    }

    /// Sets holds at beats of the bar. A hold at a beat needs that beat, so a bar of seconds gets its only one.
    mutating func set(holdsAtBeats holds: [Hold]) {
        guard !holds.isEmpty else { return }
        details.holds = holds
        if meter == nil, details.beats == nil { details.beats = [Beat(.accent)] }
    }
}

/// Counts bars that need memory of their own, for formats in which a few bytes can make many of them.
struct DescribedBars {
    private var bars = 0
    private var beats = 0

    /// The maximum number of bars that have their own tempo, beats or text, and of all beats in these bars.
    static let barLimit = 200_000
    static let beatLimit = 1_000_000

    /// Counts a bar; returns an error message if there are too many bars or beats.
    mutating func add(_ bar: Score.Bar) -> String? {
        guard !bar.isPlain else { return nil }
        bars += 1
        beats += (bar.details.beats?.count ?? 0) + bar.details.tempoChanges.count
        if bars > DescribedBars.barLimit {
            return localized("the piece has more than 200 000 bars with their own tempi, beats or cues")
        }
        if beats > DescribedBars.beatLimit {
            return localized("the piece has more than 1 000 000 beats of individual lengths")
        }
        return nil
    }
}

extension Tempo {
    /// Whether a score can write it exactly.
    var isWritable: Bool { (try? Tempo(scoreText: text)) == self }
}

extension Fraction {
    /// A number as written, in lowest terms; nil for zero. If there are more than 18 digits, the last ones are rounded.
    init?(_ text: DecimalText) {
        var (above, below) = (text.scaled, Int128(1_000_000_000_000_000_000))
        while above > Int128(Int64.max) { (above, below) = ((above + 5) / 10, below / 10) }
        guard above > 0, below > 0 else { return nil }
        self.init(Int64(above), Int64(below))
    }

    /// A number of seconds in whole nanoseconds, to the nearest.
    fileprivate var nanoseconds: Int64 { Int64(clamping: (seconds.attoseconds + 500_000_000) / 1_000_000_000) }

    /// A number of nanoseconds as seconds, within the lengths that a beat can have.
    fileprivate init(nanoseconds: Int64) {
        let value = Fraction(nanoseconds, 1_000_000_000)
        self = min(max(value, Fraction.noteRange.lowerBound), Fraction.noteRange.upperBound)
    }
}

extension Duration {
    /// The nearest microsecond if it is less than a picosecond away, for results of divisions and multiplications;
    /// otherwise the duration itself.
    var rounded: Duration {
        let unit: Int128 = 1_000_000_000_000
        let nearest = (attoseconds + unit / 2) / unit * unit
        return (nearest - attoseconds).magnitude < 1_000_000 ? Duration(attoseconds: nearest) : self
    }
}
