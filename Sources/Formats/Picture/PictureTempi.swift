internal import Languages
internal import Scores
internal import Timing

/// A tempo that a bar shows.
struct PictureTempo {
    /// When it begins, from the beginning of the bar.
    var offset: Duration
    var text: String
}

/// Finds the tempi that bars show: each where it is written, and where it changes without a mark, as it is played.
struct PictureTempi {
    /// The tempo at the end of the bar before, in whole notes per minute, and the ramp on which it is.
    private var last: (wholeNotes: Double, shape: RampShape?, place: Double)?

    /// The tempi of the next bar.
    mutating func tempi(of bar: PlayedBar) -> [PictureTempo] {
        var shown: [PictureTempo] = []
        for part in bar.tempi {
            let (start, unit) = (part.curve.wholeNotes, part.unit)
            let length = part.length?.value ?? 0
            var texts: [String] = []
            var next = (wholeNotes: start, shape: RampShape?.none, place: 0.0)
            var continues = false
            if case .ramp(let shape, let from) = part.curve {
                next = (shape.wholeNotes(at: from + length), shape, from + length)
                continues = last.map { $0.shape == shape && abs($0.place - from) < 1e-9 } ?? false
            }
            if let mark = part.mark {
                texts.append(mark.shown(part.curve))
            } else if !continues, last.map({ !$0.wholeNotes.isNear(start) }) ?? true {
                texts.append(part.curve.tempo(in: unit).shown)
            }
            if !continues, let shape = next.shape, !shape.isOver(at: next.place - length) {
                let end = shape.end * 60
                if !end.isNear(start) {
                    texts.append(localized("to \(Tempo(unit, Fraction(nearest: end) / unit).shown)"))
                }
            }
            shown += texts.map { PictureTempo(offset: part.offset, text: $0) }
            last = next
        }
        return shown
    }
}

extension Double {
    /// Whether a tempo cannot be told from another.
    fileprivate func isNear(_ other: Double) -> Bool { abs(self / other - 1) < 1e-6 }
}

extension TempoCurve {
    /// The tempo here, counted in a note value.
    fileprivate func tempo(in unit: Fraction) -> Tempo {
        if case .steady(let wholeNotes) = self { return Tempo(.one, wholeNotes).counted(in: unit) }
        return Tempo(unit, Fraction(nearest: wholeNotes) / unit)
    }
}

extension TempoMark {
    /// A tempo as it is played, which is the written one unless a hit changes it; or a modulation with the tempo that
    /// results from it.
    fileprivate func shown(_ curve: TempoCurve) -> String {
        switch self {
        case .tempo(let tempo):
            return tempo.wholeNotes.value.isNear(curve.wholeNotes) ? tempo.shown : curve.tempo(in: tempo.value).shown
        case .modulation(let old, let new):
            let relation = "\(old.shownNote) = \(new.shownNote)"
            guard case .steady = curve else { return relation }
            return "\(relation) (\(curve.tempo(in: new.untupled).shown))"
        }
    }
}
