internal import Languages

/// A change of tempo inside a bar with a meter.
public struct TempoChange: Sendable, Hashable {
    /// The beat of the bar at which it is, from 1; 3.5 is half of the third beat after that beat.
    public var beat: Fraction
    /// What changes.
    public var kind: Kind

    /// What changes at a beat.
    public enum Kind: Sendable, Hashable {
        /// The tempo.
        case tempo(TempoMark)
        /// The tempo, gradually from here on. One that is counted in bars ends at a bar line.
        case ramp(Ramp)
    }

    /// The maximum number of changes inside a bar.
    public static let limitInBar = 1000

    /// Makes a change.
    public init(at beat: Fraction, _ kind: Kind) { (self.beat, self.kind) = (beat, kind) }

    /// Makes a change to another tempo.
    public init(at beat: Fraction, to tempo: Tempo) { self.init(at: beat, .tempo(.tempo(tempo))) }

    /// The tempo; nil for a ramp.
    package var mark: TempoMark? { if case .tempo(let mark) = kind { mark } else { nil } }
    /// The ramp; nil for a tempo.
    package var ramp: Ramp? { if case .ramp(let ramp) = kind { ramp } else { nil } }
}

extension TempoChange {
    /// Why a bar whose beats are at these places, nil for a bar of seconds, cannot have it inside; nil if it can.
    package func fault(in places: BeatPlaces?) -> TextError? {
        guard let places else {
            return TextError(
                localized("in a bar of seconds, the tempo can change only at the beginning"),
                hint: localized("write it without a beat, or give the bar a meter"))
        }
        guard !places.contains(beat) else { return nil }
        let beat = beat.text
        return TextError(
            places.count == 1
                ? localized("the tempo changes at beat \(beat), but the bar has 1 beat")
                : localized("the tempo changes at beat \(beat), but the bar has \(places.count) beats"))
    }
}

/// Where the beats of a bar with a meter are, in whole notes from its beginning.
package struct BeatPlaces {
    /// Where each beat begins, nil for the beginning of the bar, and how long it is.
    private let beats: [(begin: Fraction?, length: Fraction)]

    package init(_ meter: Meter, marked marks: [Beat]?) {
        var beats: [(begin: Fraction?, length: Fraction)] = []
        for beat in meter.beats(marked: marks) {
            let begin = beats.last.map { last in last.begin.map { $0 + last.length } ?? last.length }
            beats.append((begin, beat.value ?? .one))
        }
        self.beats = beats
    }

    package var count: Int { beats.count }

    /// Whether the bar has this beat.
    package func contains(_ beat: Fraction) -> Bool { beat >= .one && beat.floor <= Int64(count) }

    /// The place of a beat that the bar has; nil for its beginning.
    package func place(of beat: Fraction) -> Fraction? {
        let number = min(Int(clamping: beat.floor), count)
        guard number >= 1 else { return nil }
        let (begin, length) = beats[number - 1]
        guard let part = beat - Fraction(Int64(number)) else { return begin }
        return begin.map { $0 + part * length } ?? part * length
    }

    /// The beat at a place; nil for a place after the end of the bar.
    package func beat(at place: Fraction?) -> Fraction? {
        guard let place else { return .one }
        let index = beats.lastIndexByHalving { $0.begin.map { $0 <= place } ?? true }
        guard count > 0, let within = beats[index].begin.map({ place - $0 }) ?? place else {
            return Fraction(Int64(index) + 1)
        }
        let part = within / beats[index].length
        return part < .one ? part + Fraction(Int64(index) + 1) : nil
    }
}

extension Meter {
    /// The beats of a bar with their values: the marked ones, or those of the meter with the marks' stresses in order.
    package func beats(marked marks: [Beat]?) -> [Beat] {
        if let marks, marks.contains(where: { $0.value != nil }) { return marks }
        var beats = self.beats
        for (i, mark) in (marks ?? []).enumerated() where i < beats.count { beats[i].stress = mark.stress }
        return beats
    }
}
