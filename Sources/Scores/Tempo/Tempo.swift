/// How fast written notes go: so many of a note value in a minute.
public struct Tempo: Sendable, Hashable {
    /// The note value that is counted, in whole notes: 1/4, 3/8 for a dotted quarter, 1/6.
    public var value: Fraction
    /// How many of them a minute has.
    public var rate: Fraction

    /// What a score has where it says nothing.
    public static let standard = Tempo(Fraction(1, 4), Fraction(60))

    /// Makes a tempo.
    public init(_ value: Fraction, _ rate: Fraction) {
        self.value = value
        self.rate = rate
    }

    /// Whole notes in a minute.
    public var wholeNotes: Fraction { value * rate }
}

/// What is written about the tempo at the beginning of a bar, a line or a section.
public enum TempoMark: Sendable, Hashable {
    /// A tempo.
    case tempo(Tempo)
    /// A metric modulation: `new` lasts from here on as long as `old` did before. Both in whole notes.
    case modulation(old: Fraction, new: Fraction)

    /// The tempo from here on, where notes went at `previous`.
    public func tempo(after previous: Tempo) -> Tempo {
        switch self {
        case .tempo(let tempo): tempo
        // One old note is one new one: as many of them a minute as before.
        case .modulation(let old, let new): Tempo(new, previous.wholeNotes / old)
        }
    }
}

/// A gradual change of tempo, from where it is written.
public struct Ramp: Sendable, Hashable {
    /// The tempo that is reached, and kept.
    public var target: Tempo
    /// How far it goes.
    public var span: Span
    /// How the tempo gets there.
    public var curve: Curve

    /// How far a ramp goes.
    public enum Span: Sendable, Hashable {
        /// Over so many metered bars, the one where it is written the first; within its section, to the next tempo.
        case bars(Int)
        /// Over so many of the target's note values.
        case beats(Fraction)
    }

    /// What changes evenly.
    public enum Curve: String, Sendable, CaseIterable {
        /// The tempo, from beat to beat.
        case beats
        /// The tempo, from second to second.
        case time
        /// The tempo's ratio, from beat to beat.
        case exponential
    }

    /// Makes a ramp.
    public init(to target: Tempo, over span: Span, curve: Curve = .beats) {
        self.target = target
        self.span = span
        self.curve = curve
    }
}
