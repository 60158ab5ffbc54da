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
    /// The length from one beat before the beginning, in notes of the tempo's value; from the rest of a beat before it
    /// if it begins inside that beat.
    var length: Fraction
    /// How much of `length` is over at the last beat, and since then.
    var done: Fraction
    var since: Fraction?

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
        let begin = bars[start.bar].items[start.item].beat
        var (signature, value, isMetered) = (signature, tempo.value, true)
        let first = signature.rest(after: begin) / value
        var length = first
        for index in start.bar..<bars.count {
            let (bar, isFirst) = (bars[index], index == start.bar)
            // How much of the bar is counted already, in whole notes.
            var counted = isFirst ? signature.notes(before: begin) : nil
            for (item, _, _) in bar.items[(isFirst ? bar.items.count : 0)...] {
                if case .signature(let new) = item { (signature, isMetered) = (new, true) }
                if case .length = item { isMetered = false }
            }
            func count(to end: Fraction?) {
                guard let end, let more = counted.map({ end.minus($0) }) ?? end else { return }
                length = length + more / value
                counted = end
            }
            // A bar of seconds has one beat, and counts like a bar of the last signature.
            func notes(before place: SoapBeat) -> Fraction? {
                if isMetered { return signature.notes(before: place) }
                return place.number > 1 ? signature.length : place.part.map { $0 * signature.length }
            }
            for (item, beat, _) in bar.items[(isFirst ? start.item + 1 : 0)...] where item.isTempo {
                count(to: notes(before: beat))
                if case .equivalence(let new, let old, _) = item { value = value * new / old }
                guard case .tempo(let end, _) = item else { continue }
                self.init(from: tempo.rate, to: end.rate, exponent: exponent, length: length, done: first)
                return
            }
            count(to: signature.length)
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

    /// The tempo of this beat; nil before the first tempo. In a curve it has twelve decimals, as in a text.
    var sounding: Tempo? { tempo.map { Tempo($0.value, curve.map(\.rate.roundedForText) ?? $0.rate) } }

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

    /// Moves on by `length` whole notes; a curve has one rate from beat to beat.
    mutating func pass(_ length: Fraction, endsBeat: Bool = true) {
        guard let tempo, let curve else { return }
        let since = curve.since.map { $0 + length / tempo.value } ?? length / tempo.value
        self.curve?.since = endsBeat ? nil : since
        if endsBeat { self.curve?.done = curve.done + since }
    }

    /// The mark that leads from a tempo to that of the first beat.
    func mark(after written: Tempo?, to first: Tempo) -> TempoMark {
        if let modulation, modulation.base == written, tempo == first { return modulation.mark }
        return .tempo(first)
    }
}

extension Fraction {
    /// The number with twelve decimals; a small one as it is.
    fileprivate var roundedForText: Fraction {
        guard numerator > denominator, floor < 1_000_000 else { return self }
        let unit: Int64 = 1_000_000_000_000
        return Fraction(
            nearest: (Int128(numerator) * Int128(unit) + Int128(denominator / 2)) / Int128(denominator), Int128(unit))
    }
}
