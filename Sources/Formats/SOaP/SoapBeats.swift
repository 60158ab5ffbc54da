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
    /// How much of the meter has been added, in whole notes.
    private var place: Fraction?
    /// The tempi, each with its place; the first is at the beginning.
    private var tempi: [(place: Fraction?, tempo: Tempo)] = []
    /// Whether all beats begin where the meter has them.
    private var isMetered = true
    /// The sum of all beats, in seconds.
    private var sum: Fraction?

    typealias Fermata = (part: Fraction?, note: Fraction, kind: SoapFermata, range: Range<Int>)

    /// Adds the next beat of the meter, or a part of it, at a tempo.
    mutating func add(_ part: SoapBeatRest, _ tempo: Tempo) throws(Problem) {
        let length = part.length
        let pace = Fraction(60) / tempo.wholeNotes
        if tempi.last?.tempo != tempo { tempi.append((place, tempo)) }
        place = place.map { $0 + length } ?? length
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
                throw Problem(
                    fermata.range, localized("this fermata begins before the note of the last one ends"),
                    hint: localized("a shorter note there leaves room for it"))
            }
            if let gap = placed.map({ start?.minus($0) }) ?? start, let left = rest {
                append(gap * pace, stress)
                (rest, stress) = (left.minus(gap), nil)
            }
            isMetered = isMetered && start == nil && part.beginsBeat
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
    private mutating func hold(_ fermata: Fermata, _ pace: Fraction, _ stress: Beat.Stress) throws(Problem) {
        isMetered = false
        let written = fermata.note * pace
        let whole =
            switch fermata.kind {
            case .seconds(let duration): Fraction(seconds: duration)
            case .times(let times): written * times
            case .waits: written
            }
        guard DurationUse.hold.range.contains(whole.seconds) else {
            throw Problem(fermata.range, localized("a fermata lasts 1 ms to 24 h"))
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
        sum = sum.map { $0 + seconds } ?? seconds
        if let stress {
            beats.append((seconds, stress))
        } else if let last = beats.indices.last {
            beats[last].seconds = beats[last].seconds + seconds
        }
    }

    /// The bar, with the meter of `bar` if its beats begin there, otherwise with its length in seconds; and how long it
    /// lasts without its holds.
    func bar(like bar: Score.Bar) -> (bar: Score.Bar, duration: Duration) {
        var result = bar
        let inner = tempi.compactMap { tempo in tempo.place.map { (place: $0, tempo: tempo.tempo) } }
        if !isMetered || !(tempi.first?.tempo.isWritable ?? true) || !result.set(tempi: inner) {
            result = Score.Bar(beats: beats)
        }
        result.set(holdsAtBeats: holds)
        return (result, sum?.seconds ?? result.duration)
    }

    /// The tempi at the beginning and at the end.
    var ends: (first: Tempo, last: Tempo)? {
        guard let first = tempi.first, let last = tempi.last else { return nil }
        return (first.tempo, last.tempo)
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
