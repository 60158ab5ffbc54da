internal import Glibc
internal import Scores

/// A gradual change of tempo as Click Tracker's `tc` asks for it.
///
/// Click Tracker does not publish its formula. Here the length of a quarter goes from a to b seconds over X quarters as
/// a + (b - a)·(x/X)ᶜ, with c the curve: 1 is even, less changes more at first. The moment of x quarters is the integral,
/// a closed form: t(x) = x·(a + (b - a)·(x/X)ᶜ / (1 + c)).
struct TempoChange {
    /// Seconds of a quarter at the beginning and at the end.
    var from, to: Double
    /// In quarters.
    var length: Double
    var curve: Double

    /// The curve where none is written, as Click Tracker has it: 0.5 for slower, 0.8 for faster.
    static func standardCurve(from: Fraction, to: Fraction) -> Fraction { to > from ? Fraction(1, 2) : Fraction(4, 5) }

    /// The moment of `quarters` after the beginning, not behind the end.
    func moment(of quarters: Double) -> Duration {
        let u = min(quarters / length, 1)
        let seconds = length * u * (from + (to - from) * pow(u, curve) / (1 + curve))
        return Duration(attoseconds: Int128((min(seconds, 1e15) * 1e18).rounded()))
    }

    /// How long a quarter is after `quarters`.
    func quarter(after quarters: Double) -> Double {
        from + (to - from) * pow(min(quarters / length, 1), curve)
    }
}

/// Where a Click Tracker score stands: its tempo, as it is or as it changes.
struct ClickTrackerClock {
    /// Seconds of a quarter.
    private(set) var quarter = Fraction.one
    /// The change under way, and how many of its quarters are over.
    private var change: (shape: TempoChange, end: Fraction, length: Fraction, done: Fraction?)?

    /// Whether the tempo stays for so many quarters.
    var isSteady: Bool { change == nil }
    /// The tempo as it is written last.
    private(set) var tempo = Tempo.standard

    mutating func set(_ tempo: Tempo) {
        self.tempo = tempo
        quarter = Fraction(60) / (tempo.wholeNotes * Fraction(4))
        change = nil
    }

    /// Begins to change to so many of the tempo's note values a minute, over so many quarters.
    mutating func begin(to rate: Fraction, over length: Fraction, curve: Fraction?) {
        let now = change.map { Fraction(nearestSeconds: $0.shape.quarter(after: $0.done?.value ?? 0)) } ?? quarter
        tempo = Tempo(tempo.value, rate)
        let end = Fraction(60) / (tempo.wholeNotes * Fraction(4))
        let curve = curve ?? TempoChange.standardCurve(from: now, to: end)
        let shape = TempoChange(from: now.value, to: end.value, length: length.value, curve: curve.value)
        change = (shape, end, length, nil)
    }

    /// Goes on by so many quarters; how many seconds that takes.
    mutating func pass(_ quarters: Fraction) -> Fraction {
        guard let (shape, end, length, done) = change else { return quarters * quarter }
        let before = done?.value ?? 0
        let after = done.map { $0 + quarters } ?? quarters
        let from = done == nil ? Duration.zero : shape.moment(of: before)
        guard after >= length else {
            change?.done = after
            return Fraction(duration: shape.moment(of: after.value) - from)
        }
        quarter = end
        change = nil
        let within = Fraction(duration: shape.moment(of: length.value) - from)
        guard after > length else { return within }
        let rest = after.minus(length)
        return rest.map { within + $0 * end } ?? within
    }
}

extension Fraction {
    /// A length of time in seconds, to the femtosecond where it is long; at least one attosecond.
    init(duration: Duration) {
        var (above, below) = (max(1, duration.attoseconds), Int128(1_000_000_000_000_000_000))
        while above > Int128(Int64.max) { (above, below) = ((above + 5) / 10, below / 10) }
        self.init(Int64(above), Int64(max(1, below)))
    }

    fileprivate init(nearestSeconds value: Double) {
        self.init(duration: Duration(attoseconds: Int128((min(max(value, 1e-9), 1e9) * 1e18).rounded())))
    }

    /// What is left after taking away a smaller number; nil where nothing is.
    func minus(_ other: Fraction) -> Fraction? {
        let above = Int128(numerator) * Int128(other.denominator) - Int128(other.numerator) * Int128(denominator)
        var (left, below) = (above, Int128(denominator) * Int128(other.denominator))
        guard left > 0 else { return nil }
        while max(left, below) > Int128(Int64.max) { (left, below) = (left / 2, below / 2) }
        return left > 0 && below > 0 ? Fraction(Int64(left), Int64(below)) : nil
    }
}
