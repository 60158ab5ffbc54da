internal import Glibc
internal import Languages
internal import Scores
internal import Timing

/// A gradual change of tempo.
///
/// A beat in it has the rate from + (to - from)·pᶜ. p is its place in the curve, counted from one beat before the
/// beginning, so that already the first beat has another tempo; the rate is constant through a beat.
struct SoapCurve {
    /// The number of notes of the tempo's value per minute at the beginning and at the end.
    var from, to: Fraction
    var exponent: Double
    /// The length from one beat before the beginning, in notes of the tempo's value.
    var length: Fraction
    /// How much of `length` is over.
    var done: Fraction

    fileprivate var rate: Fraction {
        let place = (done / length).value
        return Fraction(nearest: from.value + (to.value - from.value) * pow(min(place, 1), exponent))
    }
}

extension SoapCurve {
    /// Makes the curve that begins with `tempo`, at an item of a bar with a signature; nil if it has no end.
    ///
    /// It ends at the next tempo with a number. An equivalence before that makes it count other notes. A bar of seconds
    /// counts like a bar of the last signature.
    init?(
        _ bars: [SoapBar], from start: (bar: Int, item: Int), _ signature: SoapSignature, _ tempo: Tempo,
        _ exponent: Double
    ) {
        let beat = bars[start.bar].items[start.item].beat.number
        var (signature, value, isMetered) = (signature, tempo.value, true)
        let first = signature.length(signature.beats[beat - 1]) / value
        var length = first
        for index in start.bar..<bars.count {
            let (bar, isFirst) = (bars[index], index == start.bar)
            // How many notes of the bar are counted already.
            var notes = isFirst ? signature.notes(before: beat - 1) : 0
            for (item, _, _) in bar.items[(isFirst ? bar.items.count : 0)...] {
                if case .signature(let new) = item { (signature, isMetered) = (new, true) }
                if case .length = item { isMetered = false }
            }
            func count(to end: Int) {
                if end > notes { length = length + signature.length(end - notes) / value }
                notes = max(notes, end)
            }
            for (item, beat, _) in bar.items[(isFirst ? start.item + 1 : 0)...] where item.isTempo {
                count(to: isMetered ? signature.notes(before: beat.number - 1) : 0)
                if case .equivalence(let new, let old, _) = item { value = value * new / old }
                guard case .tempo(let end, _) = item else { continue }
                self.init(from: tempo.rate, to: end.rate, exponent: exponent, length: length, done: first)
                return
            }
            count(to: signature.notes(before: signature.beats.count))
            guard index + 1 < bars.count else { break }
            let skipped = bars[index + 1].number - bar.number - 1
            if skipped > 0 { length = length + signature.length * Fraction(Int64(skipped)) / value }
        }
        return nil
    }
}

/// The tempo at a place of a SO(a)P score.
struct SoapClock {
    /// The tempo written last; in a curve, its note value is the one that the curve counts. Nil before the first tempo.
    private(set) var tempo: Tempo?
    private(set) var curve: SoapCurve?
    /// The tempo before an equivalence, and the equivalence as a mark.
    private var modulation: (base: Tempo, mark: TempoMark)?

    /// The seconds that a whole note lasts in this beat; nil before the first tempo.
    var pace: Fraction? { tempo.map { Fraction(60) / ($0.value * (curve?.rate ?? $0.rate)) } }

    mutating func set(_ tempo: Tempo, _ curve: SoapCurve? = nil) {
        self.tempo = tempo
        self.curve = curve
        modulation = nil
    }

    /// From here on, `new` lasts as long as `old` did. A curve goes on: it counts other notes now.
    mutating func equate(_ new: Fraction, _ old: Fraction) throws(TextError) {
        guard let before = tempo else {
            throw TextError(localized("there is no tempo before this one"), hint: localized("write [1/4]=60"))
        }
        if curve != nil {
            tempo = Tempo(before.value * new / old, before.rate)
        } else {
            let mark = TempoMark.modulation(old: old, new: new)
            tempo = mark.tempo(after: before)
            modulation = (before, mark)
        }
        guard let tempo, Fraction.rateRange.contains(tempo.rate), Fraction.noteRange.contains(tempo.value) else {
            throw TextError(localized("with this equivalence, the tempo is not 0.001 to 100 000 per minute"))
        }
    }

    /// Moves on by `length` whole notes.
    mutating func pass(_ length: Fraction) {
        guard let tempo, let done = curve?.done else { return }
        curve?.done = done + length / tempo.value
    }

    /// The mark that makes a tempo of `written`.
    func mark(after written: Tempo?) -> TempoMark? {
        guard let tempo, tempo != written else { return nil }
        if let modulation, modulation.base == written { return modulation.mark }
        return .tempo(tempo)
    }
}
