internal import Scores

/// The tempo and the drone at a place of the page.
struct PageState: Hashable {
    /// The tempo from here on.
    var curve: TempoCurve
    /// The tempo that a modulation refers to; on a ramp, its target.
    private var tempo: Tempo
    /// How the tempo is fitted to the next hit.
    var fit = TempoFit.asWritten
    /// The changes of the drone; nil if there are none yet.
    var drone: DroneChange?

    init(_ tempo: Tempo) {
        self.tempo = tempo
        curve = .steady(tempo.wholeNotes)
    }

    /// Applies a tempo mark.
    mutating func take(_ mark: TempoMark?) {
        guard let mark else { return }
        if case .ramp = curve { tempo = Tempo(Fraction(1, 1), Fraction(nearest: curve.wholeNotes)) }
        tempo = mark.tempo(after: tempo)
        curve = .steady(tempo.wholeNotes)
    }

    /// Begins a ramp over `length` whole notes; a length of zero is a sudden change.
    mutating func begin(_ ramp: Ramp, over length: Double) {
        let from = Fraction(nearest: curve.wholeNotes)
        var start = from
        if case .steady(let wholeNotes) = curve { start = wholeNotes }
        tempo = ramp.target
        let shape = RampShape(from: start, to: tempo.wholeNotes, length: length, curve: ramp.curve)
        curve = shape.isOver(at: 0) ? .steady(tempo.wholeNotes) : .ramp(shape, from: 0)
    }

    /// The tempo from here on as it sounds: fitted to the next hit.
    var sounding: TempoCurve { fit.sounding(curve) }

    /// The tempo as written here.
    var point: TempoPoint { TempoPoint(value: tempo.value, wholeNotes: curve.wholeNotes) }

    /// Moves on by `length` whole notes.
    mutating func pass(_ length: Fraction) {
        fit.pass(length.value)
        guard case .ramp(let shape, let from) = curve else { return }
        let here = from + length.value
        curve = shape.isOver(at: here) ? .steady(tempo.wholeNotes) : .ramp(shape, from: here)
    }

    /// The duration of a bar with a tempo, including its holds, at 100 % speed.
    static func duration(of bar: Score.Bar, _ details: Score.Details, _ curve: TempoCurve) -> Duration {
        let music = music(of: bar, details, curve)
        return details.holds.isEmpty ? music : details.holds.reduce(music) { $0 + $1.length }
    }

    /// The duration of a bar without its holds.
    static func music(of bar: Score.Bar, _ details: Score.Details, _ curve: TempoCurve) -> Duration {
        let written = details.meter.map { curve.duration(of: $0.length) } ?? bar.duration
        guard let speed = details.speed else { return written }
        // The bar is too long at any speed.
        return written > .seconds(1_000_000_000) ? written : speed.realDuration(of: written)
    }
}

extension Fraction {
    /// The nearest fraction to a positive number in the range of tempos: exact, down to 2^-62.
    package init(nearest value: Double) {
        let clamped = min(max(value, 1e-6), 1e9)
        let shift = min(52 - Int(clamped.exponent), 62)
        self.init(Int64((clamped * Double(sign: .plus, exponent: shift, significand: 1)).rounded()), 1 << shift)
    }
}
