internal import Languages
internal import Scores

/// The beats of one bar with a meter, as they are heard: a note with a fermata takes the time of its fermata.
///
/// Before the music goes on after a fermata, two beats are heard, each as long as the note is written. They sound as
/// subdivisions. A fermata that is too short for them has one or none.
struct SoapBeats {
    private var beats: [(seconds: Fraction, stress: Beat.Stress)] = []
    private var holds: [Hold] = []
    /// The part of a note with a fermata that reaches into the next beat, in whole notes.
    private var covered: Fraction?
    /// The seconds that a whole note lasts; nil if this changes.
    private var pace: Fraction?
    /// Whether all beats begin where the meter has them, at one tempo.
    private var isSteady = true

    typealias Fermata = (part: Fraction?, note: Fraction, kind: SoapFermata, range: Range<Int>)

    /// Adds the next beat of the meter, or a part of it, at `pace` seconds for a whole note.
    mutating func add(_ part: SoapBeatRest, _ pace: Fraction) throws(FormatFault) {
        let length = part.length
        isSteady = isSteady && (self.pace ?? pace) == pace
        self.pace = pace
        var rest: Fraction? = length
        var stress: Beat.Stress? = !part.beginsBeat ? nil : beats.isEmpty ? .accent : .beat
        if let covered {
            (self.covered, rest) = (covered.minus(length), length.minus(covered))
            stress = nil
        }
        for fermata in part.fermatas {
            let start = part.start(of: fermata)
            let placed = rest.map { length.minus($0) } ?? length
            if let placed, start.map({ $0 < placed }) ?? true {
                throw FormatFault(
                    fermata.range, localized("this fermata begins before the note of the last one ends"),
                    hint: localized("a shorter note there leaves room for it"))
            }
            if let gap = placed.map({ start?.minus($0) }) ?? start, let left = rest {
                append(gap * pace, stress)
                (rest, stress) = (left.minus(gap), nil)
            }
            isSteady = isSteady && start == nil
            if case .waits = fermata.kind {
                holds.append(Hold(.zero, at: .beat(beats.count + 1), waits: true))
                stress = stress ?? .silent
            } else {
                try hold(fermata, pace, stress ?? .silent)
                covered = rest.flatMap { fermata.note.minus($0) }
                rest = rest?.minus(fermata.note)
                stress = nil
            }
        }
        if let rest { append(rest * pace, stress) }
    }

    /// Adds a note with a fermata: as long as it is written, then a hold, then the beats before the music goes on.
    private mutating func hold(_ fermata: Fermata, _ pace: Fraction, _ stress: Beat.Stress) throws(FormatFault) {
        isSteady = false
        let written = fermata.note * pace
        let whole =
            switch fermata.kind {
            case .seconds(let duration): Fraction(seconds: duration)
            case .times(let times): written * times
            case .waits: written
            }
        guard DurationUse.hold.range.contains(whole.seconds) else {
            throw FormatFault(fermata.range, localized("a fermata lasts 1 ms to 24 h"))
        }
        let (one, two) = (whole.minus(written), whole.minus(written + written))
        let sounding = two ?? one ?? whole
        append(min(sounding, written), stress)
        if let standing = sounding.minus(written)?.seconds {
            if standing >= DurationUse.hold.range.lowerBound {
                holds.append(Hold(standing, at: .beat(beats.count)))
            } else {
                append(Fraction(seconds: standing), nil)
            }
        }
        for _ in 0..<(two != nil ? 2 : one != nil ? 1 : 0) { append(written, .subdivision) }
    }

    /// Adds a beat; without a stress, the last one becomes longer.
    private mutating func append(_ seconds: Fraction, _ stress: Beat.Stress?) {
        if let stress {
            beats.append((seconds, stress))
        } else if let last = beats.indices.last {
            beats[last].seconds = beats[last].seconds + seconds
        }
    }

    /// The bar, and whether it is steady: then it has the meter of `bar`, otherwise it has its length in seconds.
    func bar(like bar: Score.Bar, isCurve: Bool) -> (bar: Score.Bar, isSteady: Bool) {
        let isSteady = isSteady && !isCurve
        var result = isSteady ? bar : Score.Bar(beats: beats)
        result.set(holdsAtBeats: holds)
        return (result, isSteady)
    }
}

/// A beat, or what is left of it after a tempo inside it.
struct SoapBeatRest {
    /// In whole notes.
    private(set) var length: Fraction
    /// In order.
    private(set) var fermatas: [SoapBeats.Fermata]
    /// The length of the whole beat, and of what is before this part.
    private let whole: Fraction
    private var before: Fraction?
    /// Whether it is heard as a beat.
    var beginsBeat: Bool { before == nil }

    init(_ length: Fraction, _ fermatas: [SoapBeats.Fermata]) {
        (self.length, whole, self.fermatas) = (length, length, fermatas)
    }

    /// Where a fermata begins in this part; nil at its beginning.
    func start(of fermata: SoapBeats.Fermata) -> Fraction? {
        fermata.part.flatMap { part in before.map { (part * whole).minus($0) } ?? part * whole }
    }

    /// Takes off what is before a part of the whole beat; nil if nothing is.
    mutating func split(at part: Fraction) -> SoapBeatRest? {
        let end = part * whole
        guard let length = before.map({ end.minus($0) }) ?? end, let rest = whole.minus(end) else { return nil }
        var first = self
        first.length = length
        first.fermatas = fermatas.filter { ($0.part?.value ?? 0) < part.value }
        fermatas.removeFirst(first.fermatas.count)
        (self.length, before) = (rest, end)
        return first
    }
}

extension Fraction {
    /// A positive duration in seconds; at least one attosecond.
    fileprivate init(seconds: Duration) {
        self.init(nearest: max(1, seconds.attoseconds), 1_000_000_000_000_000_000)
    }
}
