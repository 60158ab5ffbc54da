internal import Glibc
package import Scores

/// The tempo from one point on, steady or along a ramp, as a closed form of the distance in whole notes.
package enum TempoCurve: Sendable, Hashable {
    /// A number of whole notes per minute.
    case steady(Fraction)
    /// A place on a ramp, in whole notes after its beginning.
    case ramp(RampShape, from: Double)
    /// Several curves, one after the other, at least one: the tempo changes inside the bar, as written or at a hit.
    case changing([TempoStep])

    /// The duration of the next `length` whole notes.
    ///
    /// At a steady tempo it is right to the nearest attosecond; on a ramp it is the difference of two moments of the
    /// closed form, each right to 16 digits and rounded once.
    package func duration(of length: Fraction) -> Duration {
        switch self {
        case .steady(let wholeNotes): TempoCurve.steady(length, wholeNotes)
        case .ramp(let shape, let start): shape.moment(at: start + length.value) - shape.moment(at: start)
        case .changing(let steps): TempoStep.duration(of: length, steps)
        }
    }

    /// The curves of which it consists.
    package var steps: [TempoStep] {
        if case .changing(let steps) = self { return steps }
        return [TempoStep(from: nil, offset: .zero, curve: self)]
    }

    /// The tempo here, in whole notes per minute.
    package var wholeNotes: Double {
        switch self {
        case .steady(let wholeNotes): wholeNotes.value
        case .ramp(let shape, let start): shape.wholeNotes(at: start)
        case .changing(let steps): steps.first?.curve.wholeNotes ?? Tempo.standard.wholeNotes.value
        }
    }

    /// length / tempo × 60 s, in full width: the terms of both fractions have up to 63 bits.
    private static func steady(_ length: Fraction, _ tempo: Fraction) -> Duration {
        let (above, below) = (
            UInt128(length.numerator.magnitude) * UInt128(tempo.denominator.magnitude),
            UInt128(length.denominator.magnitude) * UInt128(tempo.numerator.magnitude)
        )
        let minute = UInt128(60_000_000_000_000_000_000)
        let product = above.multipliedFullWidth(by: minute)
        // Longer than any piece.
        guard product.high < below else { return .seconds(Int64.max) }
        let (quotient, remainder) = below.dividingFullWidth(product)
        let nearest = remainder >= below - remainder ? quotient + 1 : quotient
        guard nearest < UInt128(9_000_000_000_000_000_000) * 1_000_000_000_000_000_000 else {
            return .seconds(9_000_000_000_000_000_000)
        }
        return Duration(attoseconds: Int128(nearest))
    }
}

/// A part of a tempo that changes inside a bar.
package struct TempoStep: Sendable, Hashable {
    /// Where it begins, in whole notes after the beginning of the bar; nil for the beginning itself.
    package var from: Fraction?
    /// The time from the beginning of the bar to there, without holds and the bar's own speed.
    var offset: Duration
    /// The tempo from there on.
    package var curve: TempoCurve

    /// The duration of the first `length` whole notes.
    fileprivate static func duration(of length: Fraction, _ steps: [TempoStep]) -> Duration {
        guard let step = steps.last(where: { $0.from.map { $0 < length } ?? true }) else { return .zero }
        guard let from = step.from else { return step.curve.duration(of: length) }
        return step.offset + ((length - from).map { step.curve.duration(of: $0) } ?? .zero)
    }
}

/// The shape of a ramp: its tempos, its length, and the quantity that changes evenly.
///
/// With v₀ and v₁ in whole notes per second, X the length, u = x/X, the moment of x is the integral of dx/v:
/// - linear in beats, v = v₀ + (v₁ - v₀)u: t = x/v₀ · ln(1 + ru)/(ru) with r = v₁/v₀ - 1 (the mean over the whole is
///   the logarithmic mean, as klick's manual gives it for gradual tempo);
/// - linear in time, v = v₀ + at: v² = v₀² + 2ax with a = (v₁² - v₀²)/(2X), so t = 2x/(v₀ + √(v₀² + 2ax));
/// - exponential in beats, v = v₀(v₁/v₀)ᵘ: t = x/v₀ · (1 - e⁻ᵏᵘ)/(ku) with k = ln(v₁/v₀).
///
/// After X the tempo is v₁.
package struct RampShape: Sendable, Hashable {
    /// Whole notes per second at the beginning and at the end.
    package var start, end: Double
    /// Its length in whole notes.
    package var length: Double
    package var curve: Ramp.Curve

    package init(from start: Fraction, to end: Fraction, length: Double, curve: Ramp.Curve) {
        self.start = start.value / 60
        self.end = end.value / 60
        self.length = length
        self.curve = curve
    }

    /// The same ramp with all its tempos multiplied by a factor.
    func scaled(by factor: Double) -> RampShape {
        var scaled = self
        scaled.start *= factor
        scaled.end *= factor
        return scaled
    }

    /// The moment of the point `x` whole notes after the beginning, in seconds to the attosecond.
    package func moment(at x: Double) -> Duration {
        let within = min(x, length)
        var seconds = seconds(to: within)
        if x > length { seconds += (x - length) / end }
        return Duration(attoseconds: Int128((min(seconds, 1e15) * 1e18).rounded()))
    }

    private func seconds(to x: Double) -> Double {
        let u = x / length
        switch curve {
        case .beats:
            let ru = (end - start) / start * u
            return x / start * (ru == 0 ? 1 : log1p(ru) / ru)
        case .time: return 2 * x / (start + (start * start + (end - start) * (end + start) * u).squareRoot())
        case .exponential:
            let ku = log(end / start) * u
            return x / start * (ku == 0 ? 1 : -expm1(-ku) / ku)
        }
    }

    /// The tempo at `x`, in whole notes per minute.
    package func wholeNotes(at x: Double) -> Double {
        let u = min(x / length, 1)
        let second =
            switch curve {
            case .beats: start + (end - start) * u
            case .time: (start * start + (end - start) * (end + start) * u).squareRoot()
            case .exponential: start * exp(log(end / start) * u)
            }
        return 60 * second
    }

    /// Whether `x` is at the end or after it, with a tolerance of 10⁻⁹ whole notes.
    package func isOver(at x: Double) -> Bool { x >= length - 1e-9 }
}
