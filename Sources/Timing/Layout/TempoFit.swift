internal import Scores

/// How the tempo from one hit to the next differs from the written one.
enum TempoFit: Hashable {
    /// It does not: no hit follows.
    case asWritten
    /// All tempi are multiplied by a factor.
    case scaled(Fraction)
    /// A ramp replaces them; the place on it, in whole notes after its beginning.
    case ramp(RampShape, from: Double)

    /// The tempo that sounds where another is written.
    func sounding(_ written: TempoCurve) -> TempoCurve {
        switch (self, written) {
        case (.asWritten, _): written
        case (.ramp(let shape, let from), _): .ramp(shape, from: from)
        case (.scaled(let factor), .steady(let wholeNotes)): .steady(wholeNotes * factor)
        case (.scaled(let factor), .ramp(let shape, let from)): .ramp(shape.scaled(by: factor.value), from: from)
        case (.scaled, .changing): written
        }
    }

    /// Moves on by `length` whole notes.
    mutating func pass(_ length: Double) {
        if case .ramp(let shape, let from) = self { self = .ramp(shape, from: from + length) }
    }

    /// The ramp from a tempo, in whole notes per minute, that takes `room` for `length` whole notes; nil if none does.
    static func ramp(from start: Double, length: Double, in room: Duration, _ curve: Ramp.Curve) -> RampShape? {
        func shape(_ end: Double) -> RampShape {
            RampShape(from: Fraction(nearest: start), to: Fraction(nearest: end), length: length, curve: curve)
        }
        // A faster end takes less time.
        var (slow, fast) = (start / 64, start * 64)
        guard shape(slow).moment(at: length) >= room, shape(fast).moment(at: length) <= room else { return nil }
        for _ in 0..<120 {
            let middle = (slow * fast).squareRoot()
            if shape(middle).moment(at: length) > room { slow = middle } else { fast = middle }
        }
        return shape(fast)
    }
}

/// A written tempo at a place of the page.
struct TempoPoint: Hashable {
    /// The note value that is counted, in whole notes.
    var value: Fraction
    /// The number of whole notes per minute.
    var wholeNotes: Double

    /// The tempo at which as many notes are played as here, times a factor.
    func tempo(times factor: Double = 1) -> Tempo { Tempo(value, Fraction(nearest: wholeNotes * factor / value.value)) }
}

/// How much of a part of the page has a tempo.
struct MeteredTime {
    /// How long its bars with a meter last as written, without their holds.
    var duration = Duration.zero
    /// Their length in whole notes.
    var notes = 0.0
    /// Whether a single ramp can lead through it: it has no repeats, changes of tempo or bars with their own speed.
    var isUniform = true

    mutating func add(_ other: MeteredTime) {
        duration += other.duration
        notes += other.notes
        isUniform = isUniform && other.isUniform
    }

    /// The same part played several times.
    func times(_ passes: Int) -> MeteredTime {
        MeteredTime(duration: duration * passes, notes: notes * Double(passes), isUniform: isUniform && passes == 1)
    }
}
