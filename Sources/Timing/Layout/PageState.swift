internal import Scores

/// What holds at a place of the page: the tempo and the drone, as the page up to there has it.
struct PageState: Hashable {
    /// How notes go from here on.
    var curve: TempoCurve
    /// The tempo that a modulation refers to; on a ramp, the one that it leads to.
    private var tempo: Tempo
    /// What has become of the drone; nil for nothing yet.
    var drone: DroneChange?

    init(_ tempo: Tempo) {
        self.tempo = tempo
        curve = .steady(tempo.wholeNotes)
    }

    /// Takes what is written about the tempo.
    mutating func take(_ mark: TempoMark?) {
        guard let mark else { return }
        if case .ramp = curve { tempo = Tempo(Fraction(1, 1), Fraction(nearest: curve.wholeNotes)) }
        tempo = mark.tempo(after: tempo)
        curve = .steady(tempo.wholeNotes)
    }

    /// Begins a ramp over so many whole notes; a length of zero is a sudden change.
    mutating func begin(_ ramp: Ramp, over length: Double) {
        let from = Fraction(nearest: curve.wholeNotes)
        var start = from
        if case .steady(let wholeNotes) = curve { start = wholeNotes }
        tempo = ramp.target
        let shape = RampShape(from: start, to: tempo.wholeNotes, length: length, curve: ramp.curve)
        curve = shape.isOver(at: 0) ? .steady(tempo.wholeNotes) : .ramp(shape, from: 0)
    }

    /// Goes on by so many whole notes.
    mutating func pass(_ length: Fraction) {
        guard case .ramp(let shape, let from) = curve else { return }
        let here = from + length.value
        curve = shape.isOver(at: here) ? .steady(tempo.wholeNotes) : .ramp(shape, from: here)
    }

    /// How long a bar lasts that begins here, its holds with it, at 100 % speed.
    func duration(of bar: Score.Bar, _ details: Score.Details) -> Duration {
        let music = music(of: bar, details)
        return details.holds.isEmpty ? music : details.holds.reduce(music) { $0 + $1.length }
    }

    /// How long a bar lasts without its holds.
    func music(of bar: Score.Bar, _ details: Score.Details) -> Duration {
        let written = details.meter.map { curve.duration(of: $0.length) } ?? bar.duration
        guard let speed = details.speed else { return written }
        // Longer than any bar may be: the speed changes nothing about that.
        return written > .seconds(1_000_000_000) ? written : speed.realDuration(of: written)
    }
}

extension Fraction {
    /// A positive number that a tempo can have, as a fraction: exact, down to 2^-62.
    package init(nearest value: Double) {
        let held = min(max(value, 1e-6), 1e9)
        let shift = min(52 - Int(held.exponent), 62)
        self.init(Int64((held * Double(sign: .plus, exponent: shift, significand: 1)).rounded()), 1 << shift)
    }
}
