/// Random numbers that depend only on the seed, on every machine and in every version: SplitMix64.
///
/// Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014; the constants are those
/// of Vigna's splitmix64.c (public domain).
public struct SplitMix64: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Makes a generator from a seed.
    public init(seed: UInt64) { state = seed }

    /// The next 64 bits.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// A whole number, 0 ... limit, evenly distributed: the high half of the product of 64 random bits and limit + 1
    /// (Lemire, ACM Transactions on Modeling and Computer Simulation 29, 2019, without its rejection step).
    mutating func number(through limit: UInt64) -> UInt64 {
        limit == .max ? next() : next().multipliedFullWidth(by: limit + 1).high
    }
}

extension Bracket {
    /// One realization: start and end are drawn evenly from their windows, to the millisecond; the end is not before
    /// the start.
    public func realized(_ random: inout SplitMix64) -> Bracket {
        let begin = Bracket.draw(start, &random)
        let finish = Bracket.draw(max(end.lowerBound, begin)...max(end.upperBound, begin), &random)
        return Bracket(label: label, start: begin...begin, end: finish...finish, cue: cue)
    }

    private static func draw(_ window: ClosedRange<Duration>, _ random: inout SplitMix64) -> Duration {
        // Far longer than the longest piece, and still far from overflow.
        let window = window.clamped(to: .zero ... .seconds(1_000_000_000))
        let width = window.upperBound - window.lowerBound
        let steps = width.attoseconds / 1_000_000_000_000_000
        return window.lowerBound + .milliseconds(Int64(random.number(through: UInt64(max(steps, 0)))))
    }
}

extension Score {
    /// The brackets that are played: one realization if the score has a seed for it.
    public var playedBrackets: [Bracket] {
        guard let realization else { return brackets }
        var random = SplitMix64(seed: realization)
        return brackets.map { $0.realized(&random) }
    }
}
