/// How fast written notes are played: the number of notes of one value per minute.
public struct Tempo: Sendable, Hashable {
    /// The note value that is counted, in whole notes: 1/4, 3/8 for a dotted quarter, 1/6.
    public var value: Fraction
    /// The number of these notes per minute.
    public var rate: Fraction

    /// The default tempo of a score.
    public static let standard = Tempo(Fraction(1, 4), Fraction(60))

    /// Makes a tempo.
    public init(_ value: Fraction, _ rate: Fraction) {
        (self.value, self.rate) = (value, rate)
    }

    /// The number of whole notes per minute.
    public var wholeNotes: Fraction { value * rate }
}

/// A tempo mark at the beginning of a bar, a line or a section.
public enum TempoMark: Sendable, Hashable {
    /// A tempo.
    case tempo(Tempo)
    /// A metric modulation: `new` lasts from here on as long as `old` did before. Both in whole notes.
    case modulation(old: Fraction, new: Fraction)

    /// The tempo from here on, if it was `previous` before.
    public func tempo(after previous: Tempo) -> Tempo {
        switch self {
        case .tempo(let tempo): tempo
        // A new note lasts as long as an old one did, so that a minute has as many new notes as it had old ones.
        case .modulation(let old, let new): Tempo(new, previous.wholeNotes / old)
        }
    }
}

/// A gradual change of tempo that begins where it is written.
public struct Ramp: Sendable, Hashable {
    /// The tempo that is reached and then kept.
    public var target: Tempo
    /// The length of the ramp.
    public var span: Span
    /// The shape of the ramp.
    public var curve: Curve

    /// The length of a ramp.
    public enum Span: Sendable, Hashable {
        /// This many metered bars from that where it is written; at most to the next tempo or the section's end.
        case bars(Int)
        /// This many of the target's note values.
        case beats(Fraction)
    }

    /// The shape of a ramp.
    public enum Curve: String, Sendable, CaseIterable {
        /// The tempo changes by equal amounts from beat to beat.
        case beats
        /// The tempo changes by equal amounts from second to second.
        case time
        /// The tempo changes by equal ratios from beat to beat.
        case exponential
    }

    /// Makes a ramp.
    public init(to target: Tempo, over span: Span, curve: Curve = .beats) {
        (self.target, self.span, self.curve) = (target, span, curve)
    }
}
