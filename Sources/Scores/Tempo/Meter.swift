/// A meter: how long a bar is in note values, and how its beats are grouped.
///
/// `5/8`, `3+2/8`, `2/4 + 3/8`, `4/6`, `3/56`, `5/8.5`: any positive numbers.
public struct Meter: Sendable, Hashable {
    /// The parts of the sum, at least one, each with at least one group.
    public let terms: [Term]

    /// One part of a meter: groups of beats of one note value.
    public struct Term: Sendable, Hashable {
        /// How many beats each group has; `3+2/8` has 3 and 2.
        public let groups: [Fraction]
        /// The note value of a beat: 8 for an eighth, 8.5 for a note value of which 8.5 fill a whole note.
        public let denominator: Fraction

        /// Makes a part.
        public init(_ groups: [Fraction], over denominator: Fraction) {
            (self.groups, self.denominator) = (groups, denominator)
        }

        /// The length of one beat, in whole notes.
        public var beat: Fraction { Fraction.one / denominator }
    }

    /// Makes a meter. Parts without groups are ignored; a meter without beats becomes one beat of a whole note.
    public init(_ terms: [Term]) {
        let beaten = terms.filter { !$0.groups.isEmpty }
        self.terms = beaten.isEmpty ? [Term([.one], over: .one)] : beaten
    }

    /// Makes a plain meter, such as 5/8.
    public init(_ numerator: Int64, over denominator: Int64) {
        self.init([Term([Fraction(numerator)], over: Fraction(denominator))])
    }

    /// The length of a bar, in whole notes.
    public var length: Fraction {
        let parts = terms.flatMap { term in term.groups.map { $0 / term.denominator } }
        return parts.dropFirst().reduce(parts[0], +)
    }
}

extension Meter {
    /// The maximum number of beats in a bar.
    public static let beatLimit = 1000

    /// The beats: each group begins with an accent, and a group of 2.5 beats ends with half a beat.
    public var beats: [Beat] {
        var beats: [Beat] = []
        for term in terms {
            for group in term.groups {
                var stress = Beat.Stress.accent
                for _ in 0..<min(group.floor, Int64(Meter.beatLimit)) {
                    beats.append(Beat(stress, term.beat))
                    stress = .beat
                }
                if let rest = group.fractionalPart { beats.append(Beat(stress, rest * term.beat)) }
            }
        }
        return beats
    }

    /// How many beats a bar has.
    package var beatCount: Int64 {
        terms.flatMap(\.groups).reduce(0) { count, group in
            count + min(group.floor, 1_000_000) + (group.fractionalPart == nil ? 0 : 1)
        }
    }
}

extension Fraction {
    /// The part above the next lower whole number; nil for a whole number.
    var fractionalPart: Fraction? {
        let rest = numerator % denominator
        return rest == 0 ? nil : Fraction(rest, denominator)
    }
}
