internal import Languages

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

    /// The number that comes after `n` others of a seed: a closed form.
    package static func number(_ n: UInt64, ofSeed seed: UInt64) -> UInt64 {
        var random = SplitMix64(seed: seed &+ n &* 0x9E37_79B9_7F4A_7C15)
        return random.next()
    }

    /// A whole number, 0 ... limit, evenly distributed: the high half of the product of 64 random bits and limit + 1
    /// (Lemire, ACM Transactions on Modeling and Computer Simulation 29, 2019, without its rejection step).
    package mutating func number(through limit: UInt64) -> UInt64 {
        limit == .max ? next() : next().multipliedFullWidth(by: limit + 1).high
    }
}

extension Bracket {
    /// One realization: start and end are drawn evenly, to the millisecond, from what is left of their windows: not
    /// before `free`, and not after `latest` as far as that is possible. The end is not before the start.
    fileprivate func realized(
        _ random: inout SplitMix64, after free: Duration, latest: (start: Duration, end: Duration)
    ) -> Bracket {
        let first = max(start.lowerBound, free)
        let begin = Bracket.draw(first...max(latest.start, first), &random)
        let last = max(end.lowerBound, begin)
        let finish = Bracket.draw(last...max(latest.end, last), &random)
        return Bracket(label: label, start: begin...begin, end: finish...finish, cue: cue, player: player)
    }

    private static func draw(_ window: ClosedRange<Duration>, _ random: inout SplitMix64) -> Duration {
        // Far longer than the longest piece, and still far from overflow.
        let window = window.clamped(to: .zero ... .seconds(1_000_000_000))
        let steps = (window.upperBound - window.lowerBound).attoseconds / 1_000_000_000_000_000
        return window.lowerBound + .milliseconds(Int64(random.number(through: UInt64(max(steps, 0)))))
    }
}

extension Score {
    /// The brackets that are played: one realization if the score has a seed for it.
    ///
    /// The brackets of a player follow each other as they are written, and none begins before the one before it has
    /// ended. Each time, in this order, is drawn evenly from the part of its window that the times before it leave, and
    /// that leaves room for the player's next brackets. If the windows allow no realization, a bracket that follows too
    /// late begins where the one before it ends.
    public var playedBrackets: [Bracket] {
        guard let realization else { return brackets }
        var random = SplitMix64(seed: realization)
        let latest = latestTimes
        var free: [String: Duration] = [:]
        return zip(brackets, latest).map { bracket, latest in
            let played = bracket.realized(&random, after: free[bracket.player] ?? .zero, latest: latest)
            free[bracket.player] = played.end.upperBound
            return played
        }
    }

    /// The latest start and end of each bracket with which the player can still play the next ones inside their windows.
    private var latestTimes: [(start: Duration, end: Duration)] {
        var next: [String: Duration] = [:]
        let reversed = brackets.reversed().map { bracket in
            let end = min(bracket.end.upperBound, next[bracket.player] ?? bracket.end.upperBound)
            let start = min(bracket.start.upperBound, end)
            next[bracket.player] = start
            return (start: start, end: end)
        }
        return reversed.reversed()
    }

    /// The error that names the first two brackets that a player cannot play one after the other; nil if there is none.
    package var realizationConflict: TextError? {
        /// The earliest time at which a player is free, and the bracket that decides it.
        var free: [String: (time: Duration, bracket: Int)] = [:]
        for (index, bracket) in brackets.enumerated() {
            let before = free[bracket.player]
            let first = max(bracket.start.lowerBound, before?.time ?? .zero)
            if let before, first > bracket.start.upperBound {
                let (one, other) = (name(ofBracket: before.bracket), name(ofBracket: index))
                return TextError(
                    localized(
                        "\(one) and \(other) overlap: \(one) ends at \(before.time.clock) at the earliest, and \(other) must "
                            + "have begun by \(bracket.start.upperBound.clock)"),
                    hint: localized("widen their windows, or name their players if these are two"))
            }
            let end = max(first, bracket.end.lowerBound)
            let isOwn = before.map { end > $0.time } ?? true
            free[bracket.player] = (end, isOwn ? index : before?.bracket ?? index)
        }
        return nil
    }

    /// The name of a bracket in messages.
    private func name(ofBracket index: Int) -> String {
        let label = brackets[index].label
        return label.isEmpty ? localized("bracket \(index + 1)") : localized("bracket \(TextError.quoted(label))")
    }
}
