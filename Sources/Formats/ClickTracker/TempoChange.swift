internal import Glibc
internal import Scores

/// A gradual change of tempo, as Click Tracker's `tc` requests it.
///
/// Click Tracker does not publish its formula. Here the length of a quarter goes from a to b seconds over X quarters as
/// a + (b - a)·(x/X)ᶜ, where c is the curve: c = 1 is linear, c < 1 changes more at the beginning. The time of x
/// quarters is the integral, which has a closed form: t(x) = x·(a + (b - a)·(x/X)ᶜ / (1 + c)).
struct TempoChange {
    /// The length of a quarter at the beginning and at the end, in seconds.
    var from, to: Double
    /// In quarters.
    var length: Double
    var curve: Double

    /// Click Tracker's default curve: 0.5 for slowing down, 0.8 for speeding up.
    static func standardCurve(from: Fraction, to: Fraction) -> Fraction { to > from ? Fraction(1, 2) : Fraction(4, 5) }

    /// The time at `quarters` after the beginning; at most the time of the end.
    func moment(of quarters: Double) -> Duration {
        let u = min(quarters / length, 1)
        let seconds = length * u * (from + (to - from) * pow(u, curve) / (1 + curve))
        return Duration(attoseconds: Int128((min(seconds, 1e15) * 1e18).rounded()))
    }

    /// The length of a quarter at `quarters` after the beginning, in seconds.
    func quarter(after quarters: Double) -> Double {
        from + (to - from) * pow(min(quarters / length, 1), curve)
    }
}

/// The position in a Click Tracker score: its tempo, whether steady or changing.
struct ClickTrackerClock {
    /// The length of a quarter in seconds.
    private(set) var quarter = Fraction.one
    /// The change in progress, and how many of its quarters have passed.
    private var change: (shape: TempoChange, end: Fraction, length: Fraction, done: Fraction?)?

    /// Whether the tempo is not changing.
    var isSteady: Bool { change == nil }
    /// The tempo written last.
    private(set) var tempo = Tempo.standard

    mutating func set(_ tempo: Tempo) {
        self.tempo = tempo
        quarter = Fraction(60) / (tempo.wholeNotes * Fraction(4))
        change = nil
    }

    /// Begins a change to `rate` of the tempo's note values per minute, over `length` quarters.
    mutating func begin(to rate: Fraction, over length: Fraction, curve: Fraction?) {
        let now = change.map { Fraction(nearestSeconds: $0.shape.quarter(after: $0.done?.value ?? 0)) } ?? quarter
        tempo = Tempo(tempo.value, rate)
        let end = Fraction(60) / (tempo.wholeNotes * Fraction(4))
        let curve = curve ?? TempoChange.standardCurve(from: now, to: end)
        let shape = TempoChange(from: now.value, to: end.value, length: length.value, curve: curve.value)
        change = (shape, end, length, nil)
    }

    /// Advances by a number of quarters; returns how many seconds that takes.
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
    /// A duration in seconds, to the femtosecond if it is long; at least one attosecond.
    init(duration: Duration) {
        var (above, below) = (max(1, duration.attoseconds), Int128(1_000_000_000_000_000_000))
        while above > Int128(Int64.max) { (above, below) = ((above + 5) / 10, below / 10) }
        self.init(Int64(above), Int64(max(1, below)))
    }

    fileprivate init(nearestSeconds value: Double) {
        self.init(duration: Duration(attoseconds: Int128((min(max(value, 1e-9), 1e9) * 1e18).rounded())))
    }

    /// The difference from a smaller number; nil if nothing is left.
    func minus(_ other: Fraction) -> Fraction? {
        let above = Int128(numerator) * Int128(other.denominator) - Int128(other.numerator) * Int128(denominator)
        var (left, below) = (above, Int128(denominator) * Int128(other.denominator))
        guard left > 0 else { return nil }
        while max(left, below) > Int128(Int64.max) { (left, below) = (left / 2, below / 2) }
        return left > 0 && below > 0 ? Fraction(Int64(left), Int64(below)) : nil
    }
}
