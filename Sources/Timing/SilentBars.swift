internal import Languages
public import Scores

extension Performance {
    /// Bars that are played without clicks, so that players can test their time.
    public struct Silence: Sendable, Equatable {
        package enum Choice: Sendable, Equatable {
            /// The last bars of every group of bars.
            case last(Int, of: Int)
            /// Each bar by itself, with a probability in per cent, in an order that depends only on the seed.
            case random(percent: Int, seed: UInt64)
        }

        package let choice: Choice

        /// The last `bars` of every `of` bars; nil unless 1 ≤ `bars` < `of` ≤ 10 000.
        public init?(bars: Int, of group: Int) {
            guard bars >= 1, bars < group, group <= 10_000 else { return nil }
            choice = .last(bars, of: group)
        }

        /// Bars at random; nil unless 1 ≤ `percent` ≤ 99.
        public init?(percent: Int, seed: UInt64) {
            guard (1...99).contains(percent) else { return nil }
            choice = .random(percent: percent, seed: seed)
        }

        /// Whether the bar of boundary `n` is silent.
        public func isSilent(_ n: Int) -> Bool {
            switch choice {
            case .last(let bars, let group): n % group >= group - bars
            case .random(let percent, let seed):
                SplitMix64.number(UInt64(max(n, 0)), ofSeed: seed).multipliedFullWidth(by: 100).high < percent
            }
        }

        /// As it is typed: `2 of 8`, `random 30% 42`.
        public var text: String {
            switch choice {
            case .last(let bars, let group): "\(bars) of \(group)"
            case .random(let percent, let seed): "random \(percent)% \(seed)"
            }
        }
    }
}

extension Performance.Silence {
    /// Reads `2 of 8`, the last 2 bars of every 8; or `random 30%` or `random 30% 42`, with the seed 42. Before it, there may
    /// be the word `silent`. `newSeed` is the seed where none is given; by default a new one each time.
    public init(scoreText text: String, newSeed: UInt64 = .random(in: 1...9999)) throws(TextError) {
        let words = text.split(whereSeparator: \.isWhitespace).drop { $0 == "silent" }.map(String.init)
        if words.first == "random" {
            let percent = words.count > 1 ? Int(words[1].hasSuffix("%") ? String(words[1].dropLast()) : words[1]) : nil
            guard (2...3).contains(words.count), let percent, let seed = words.count == 3 ? UInt64(words[2]) : newSeed,
                let silence = Performance.Silence(percent: percent, seed: seed)
            else {
                throw TextError(
                    localized("silent bars at random must be 1 % to 99 % of the bars"),
                    hint: localized("for example random 30% or random 30% 42"))
            }
            self = silence
            return
        }
        guard words.count == 3, let bars = Int(words[0]), words[1] == "of", let group = Int(words[2]),
            let silence = Performance.Silence(bars: bars, of: group)
        else {
            throw TextError(
                localized("silent bars must be a number of bars out of at most 10000"),
                hint: localized("for example 2 of 8"))
        }
        self = silence
    }
}
