internal import Glibc
internal import Scores
internal import Timing

/// A gradual change of tempo, as Click Tracker's `tc` requests it.
///
/// An event that begins x quarters into a change over X quarters has the tempo v = v₀ + (v₁ - v₀)(x/X)ᶜ to its end.
/// Source: measured in recordings that Click Tracker had rendered.
struct ClickTrackerChange {
    /// Quarters per minute at the beginning and at the end.
    var from, to: Fraction
    /// In quarters.
    var length: Fraction
    var curve: Double

    /// Makes a change; the curve of Click Tracker, if none is written, is 0.5 for slower and 0.8 for faster.
    init(from: Fraction, to: Fraction, over length: Fraction, curve: Fraction?) {
        (self.from, self.to, self.length) = (from, to, length)
        self.curve = curve?.value ?? (to < from ? 0.5 : 0.8)
    }

    /// Quarters per minute at `position` quarters after the beginning; nil is the beginning.
    func rate(at position: Fraction?) -> Fraction {
        guard let position else { return from }
        guard position < length else { return to }
        return Fraction(nearest: from.value + (to.value - from.value) * pow(position.value / length.value, curve))
    }
}

/// The tempo at a place of a Click Tracker score.
enum ClickTrackerTempo {
    case steady(Tempo)
    /// `position` quarters after the beginning of a change; nil is its beginning.
    case changing(ClickTrackerChange, position: Fraction?)

    /// The tempo at the end of `quarters` from here, if no other is written there.
    func after(_ quarters: Fraction) -> ClickTrackerTempo {
        guard case .changing(let change, let position) = self else { return self }
        let end = position.map { $0 + quarters } ?? quarters
        return end < change.length ? .changing(change, position: end) : .steady(Tempo(Fraction(1, 4), change.to))
    }

    /// The tempo from here on, if it does not change any more.
    var steady: Tempo? { if case .steady(let tempo) = self { tempo } else { nil } }

    /// Quarters per minute.
    var rate: Fraction {
        switch self {
        case .steady(let tempo): tempo.wholeNotes * Fraction(4)
        case .changing(let change, let position): change.rate(at: position)
        }
    }

    /// The duration of an event of `quarters` that begins here, in seconds.
    func seconds(of quarters: Fraction) -> Fraction { quarters * Fraction(60) / rate }
}

extension Fraction {
    /// The difference from a smaller number; nil if nothing is left.
    func minus(_ other: Fraction) -> Fraction? {
        let above = Int128(numerator) * Int128(other.denominator) - Int128(other.numerator) * Int128(denominator)
        var (left, below) = (above, Int128(denominator) * Int128(other.denominator))
        guard left > 0 else { return nil }
        while max(left, below) > Int128(Int64.max) { (left, below) = (left / 2, below / 2) }
        return left > 0 && below > 0 ? Fraction(Int64(left), Int64(below)) : nil
    }
}
