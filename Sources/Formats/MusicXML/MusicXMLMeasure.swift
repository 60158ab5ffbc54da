internal import Scores

/// A place in a measure: quarters after its beginning.
struct MusicXMLPosition: Hashable, Comparable {
    /// Nil at the beginning.
    private(set) var quarters: Fraction?

    static let zero = MusicXMLPosition()

    init(_ quarters: Fraction? = nil) { self.quarters = quarters }

    static func + (a: MusicXMLPosition, b: Fraction) -> MusicXMLPosition {
        MusicXMLPosition(a.quarters.map { $0 + b } ?? b)
    }

    /// The position that is `b` earlier, at most the beginning.
    static func - (a: MusicXMLPosition, b: Fraction) -> MusicXMLPosition {
        MusicXMLPosition(a.quarters?.minus(b))
    }

    static func < (a: MusicXMLPosition, b: MusicXMLPosition) -> Bool {
        guard let other = b.quarters else { return false }
        return a.quarters.map { $0 < other } ?? true
    }
}

/// A measure: everything in it that has to do with time, of all parts.
struct MusicXMLMeasure {
    /// Where it begins in the text.
    var place: Int
    /// Its printed number; nil if it has none.
    var number: BarNumber?
    /// Whether it is not counted, as a pickup.
    var isImplicit: Bool
    /// The meter; nil for free time (senza misura).
    var meter: Meter?
    /// In quarters; nil if there are no notes, so that the meter decides.
    var written: Fraction?
    var marks: [MusicXMLMark]
    /// In the order of their positions, departures first.
    var tempi: [MusicXMLTempo]
    var words: [MusicXMLWords]

    /// In quarters; nil for an empty measure in free time.
    var length: Fraction? { written ?? meter.map { $0.length * Fraction(4) } }
    /// Whether it ends before its meter does.
    var isShort: Bool { if let written, let meter { written < meter.length * Fraction(4) } else { false } }
}

extension MusicXMLMeasure {
    /// Adds the same measure of another part. The longest part decides how long it is; a tempo of another part counts
    /// where the parts before it have none, or one of a lower rank; and so does any other mark of a kind that they lack.
    mutating func merge(_ other: MusicXMLMeasure) {
        if let length = other.written { written = Swift.max(written ?? length, length) }
        let known = Set(marks.map(\.kind))
        marks += other.marks.filter { !known.contains($0.kind) }
        if !other.tempi.isEmpty {
            var places: [MusicXMLTempo.Place: MusicXMLTempo] = [:]
            for tempo in tempi + other.tempi where places[tempo.place].map({ tempo.rank > $0.rank }) ?? true {
                places[tempo.place] = tempo
            }
            tempi = places.values.inOrder
        }
        let texts = Set(words.map { $0.text.lowercased() })
        words += other.words.filter { !texts.contains($0.text.lowercased()) }
    }
}

extension Collection<MusicXMLTempo> {
    /// By their positions, departures first.
    var inOrder: [MusicXMLTempo] {
        sorted { ($0.position, $0.isDeparture ? 0 : 1) < ($1.position, $1.isDeparture ? 0 : 1) }
    }
}

extension MusicXMLMark {
    fileprivate enum Kind {
        case fermata, rehearsal, forward, backward, endingStart, endingStop, segno, coda, daCapo, dalSegno, toCoda, fine
    }

    fileprivate var kind: Kind {
        switch self {
        case .fermata: .fermata
        case .rehearsal: .rehearsal
        case .forward: .forward
        case .backward: .backward
        case .endingStart: .endingStart
        case .endingStop: .endingStop
        case .segno: .segno
        case .coda: .coda
        case .daCapo: .daCapo
        case .dalSegno: .dalSegno
        case .toCoda: .toCoda
        case .fine: .fine
        }
    }
}

/// A mark in a measure.
enum MusicXMLMark {
    /// A fermata at a position; nil for the end of the measure.
    case fermata(MusicXMLPosition?)
    case rehearsal(String)
    /// The measure begins, or ends, a repeat; `times` is how many times it is played, nil if it is not written.
    case forward
    case backward(times: Int?, isAfterJump: Bool, place: Int)
    /// An ending begins in the measure, or ends with it.
    case endingStart([Int], place: Int)
    case endingStop([Int], place: Int)
    /// Signs at the beginning of the measure, with their names.
    case segno(String)
    case coda(String)
    /// Jumps after the measure.
    case daCapo
    case dalSegno(String, place: Int)
    case toCoda(String, place: Int)
    case fine
}

extension Fraction {
    /// A positive decimal number, with blanks around it; nil for anything else. If it has more than 12 decimals, it is
    /// rounded to 9.
    init?(written text: String) {
        guard let number = DecimalText(text.trimmingBlanks), number.whole < 1_000_000_000 else { return nil }
        guard number.decimals > 12 else {
            self.init(number)
            return
        }
        // Programs write 195.79999999999998 for 195.8.
        let billionths = Int64((number.scaled + 500_000_000) / 1_000_000_000)
        guard billionths > 0 else { return nil }
        self.init(billionths, 1_000_000_000)
    }
}
