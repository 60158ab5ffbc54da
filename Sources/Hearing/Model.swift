internal import Glibc

extension Alignment {
    /// What is expected of a player. Logarithms of probabilities, and of densities per second.
    struct Model {
        /// Where one can begin again after a bar, with the logarithm of its weight.
        typealias Jumps = [[(bar: Int, weight: Double)]]

        /// The factors of durations that a tempo may have, and the weight of each at the beginning.
        let tempi: [Double]
        let tempoWeights: [Double]
        let staysInTempo = log(0.8)
        let changesTempo = log(0.1)
        /// A bar begins without a note that is heard.
        let missing = log(0.04)
        let mostMissing = 4
        /// The player stops after a bar's first note, and begins again: how probable, how soon at the least, and how many
        /// times per second.
        let stop = log(0.01 / 5)
        let shortestStop = 0.4
        let stopRate = 1.0 / 5
        /// The take ends before the last bar.
        let stopsEarly = log(0.05)
        /// The take begins with the bar that was said.
        let startsAtFirst = 0.8
        /// Paths whose probability is below that of the best one by this logarithm are not followed.
        let beam = 18.0

        /// A model of a player whose tempo differs by this share from the score's, one standard deviation.
        init(spread: Double = 0.08) {
            let steps = stride(from: -0.3, through: 0.301, by: 0.03)
            tempi = steps.map { exp($0) }
            let weights = steps.map { exp(-$0 * $0 / (2 * spread * spread)) }
            let sum = weights.reduce(0, +)
            tempoWeights = weights.map { $0 / sum }
        }

        /// The longest time between the first notes of two bars that follow each other.
        func longest(_ written: [Double]) -> Double { min((written.max() ?? 0) * 5, 60) }

        /// The logarithm of the density of an interval where `expected` is expected.
        func logDensity(of interval: Double, _ expected: Double) -> Double {
            func density(_ share: Double, _ least: Double) -> Double {
                let variance = share * share * expected * expected + least * least
                return exp(-(interval - expected) * (interval - expected) / (2 * variance)) / sqrt(2 * .pi * variance)
            }
            return log(0.92 * density(0.03, 0.025) + 0.08 * density(0.13, 0.06) + 1e-12)
        }

        /// The logarithm of how probable it is that a player who hears the music begins a bar so many seconds off.
        func nearness(_ seconds: Double) -> Double {
            log(0.9 * exp(-seconds * seconds / (2 * 0.12 * 0.12)) + 0.1 * exp(-abs(seconds) / 2) + 1e-9)
        }

        /// How much more probable each onset is as the beginning of a bar than as another note or as none.
        func gains(_ onsets: [Onset], _ written: [Double]) -> [Double] {
            guard let first = onsets.first, let last = onsets.last else { return [] }
            let time = max(last.seconds - first.seconds, 1)
            let rate = max(onsets.reduce(0) { $0 + $1.probability } / time, 0.05)
            let mean = max(written.reduce(0, +) / Double(max(written.count, 1)), 0.01)
            let others = max(rate - 1 / mean, rate * 0.2)
            return onsets.map { onset in
                let odds = (1 - onset.probability) / max(onset.probability, 1e-6)
                return -log(others + rate * odds)
            }
        }

        /// The bars with which one begins again after each bar: the same, one of those before it, or the start of a line.
        func jumps(_ count: Int, _ lines: [Int]) -> Jumps {
            (0..<count).map { bar in
                var weights: [Int: Double] = [:]
                for back in -6...12 where (0..<count).contains(bar - back) {
                    weights[bar - back, default: 0] +=
                        back == 0 ? 0.35 : back == -1 ? 0.1 : back < 0 ? 0.01 : back <= 4 ? 0.08 : 0.015
                }
                if let line = lines.last(where: { $0 <= bar }) { weights[line, default: 0] += 0.1 }
                weights[0, default: 0] += 0.02
                return weights.sorted { $0.key < $1.key }.map { ($0.key, log($0.value)) }
            }
        }

        /// The logarithm of the sum of two numbers with these logarithms.
        static func sum(_ a: Double, _ b: Double) -> Double {
            let (high, low) = a > b ? (a, b) : (b, a)
            guard low > -.infinity, high - low < 40 else { return high }
            return high + log1p(exp(low - high))
        }
    }
}
