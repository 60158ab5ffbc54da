/// How much later than the hit on a key the program learns of it, by a recording in which the hits are heard.
package struct TapDelay: Sendable, Equatable {
    /// The median delay in seconds.
    package let delay: Double
    /// The robust standard deviation of the delays, in seconds.
    package let spread: Double
    /// The delay of each key whose hit was heard.
    package let delays: [Double]

    /// Why no delay is told.
    package enum Fault: Error, Equatable {
        /// The input gave silence.
        case silent
        /// So many keys are not enough.
        case tooFew(Int)
        /// Sounds were heard before so few of the keys.
        case notHeard(Int, of: Int)
        /// So many other sounds were as loud as the hits.
        case otherSounds(Int)
        /// The delays differ by this many seconds, one standard deviation.
        case disagree(Double)
    }

    /// The least number of keys.
    package static let fewest = 5
    /// When the hit of a key is heard before the key arrives, in seconds: a slow wireless one takes less.
    private static let reach = -0.2...0.01
    /// The pieces in which the sound is compared, in seconds, and how many pieces before and after a hit may be part of it.
    private static let (piece, before, after) = (0.001, 40, 350)
    /// By how much a hit must stand out above the usual sound, and another sound above a hit, as factors of power.
    private static let (prominence, rival) = (40.0, 0.5)
    /// A hit begins where it has this share of its highest power.
    private static let begins = 0.1
    /// The largest spread of keys that belong to the hits, in seconds. If they do not, it is 30 ms and more.
    private static let mostSpread = 0.02
    /// A recording below this is silence.
    private static let leastPeak: Float = 1.2e-5

    /// Looks for the hits in a recording of `rate` frames per second; `keys` are the frames of the recording at which the keys
    /// arrived, in order.
    package init(_ samples: [Float], rate: Double, keys: [Double]) throws(Fault) {
        guard keys.count >= TapDelay.fewest else { throw .tooFew(keys.count) }
        guard samples.contains(where: { abs($0) > TapDelay.leastPeak }) else { throw .silent }
        let powers = TapDelay.powers(samples, rate)
        let usual = powers.sorted()[powers.count / 2] + Double(TapDelay.leastPeak * TapDelay.leastPeak)
        var hits: [(key: Double, peak: Int)] = []
        for key in keys {
            let seconds = key / rate
            let first = max(Int((seconds + TapDelay.reach.lowerBound) / TapDelay.piece), 0)
            let last = min(Int((seconds + TapDelay.reach.upperBound) / TapDelay.piece), powers.count - 1)
            guard first < last, let peak = (first...last).max(by: { powers[$0] < powers[$1] }),
                powers[peak] > TapDelay.prominence * usual
            else { continue }
            hits.append((seconds, peak))
        }
        guard hits.count * 5 >= keys.count * 4 else { throw .notHeard(hits.count, of: keys.count) }
        let others = TapDelay.others(powers, hits.map(\.peak))
        guard others * 3 <= hits.count else { throw .otherSounds(others) }
        let found = hits.map { key, peak in key - TapDelay.begin(of: peak, powers) * TapDelay.piece }
        let sorted = found.sorted()
        let median = (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
        let deviations = found.map { abs($0 - median) }.sorted()
        // A normal distribution has 1.4826 times its median deviation.
        let spread = 1.4826 * (deviations[(deviations.count - 1) / 2] + deviations[deviations.count / 2]) / 2
        guard spread <= TapDelay.mostSpread else { throw .disagree(spread) }
        (delays, delay, self.spread) = (found, median, spread)
    }

    /// The powers of the sound piece by piece, without its low part: a hum is no hit.
    private static func powers(_ samples: [Float], _ rate: Double) -> [Double] {
        var powers = [Double](repeating: 0, count: Int(Double(samples.count) / rate / piece) + 1)
        var last: Float = 0
        for (n, sample) in samples.enumerated() {
            let difference = Double(sample - 0.95 * last)
            last = sample
            powers[Int(Double(n) / rate / piece)] += difference * difference / (rate * piece)
        }
        return powers
    }

    /// Where a hit begins, in pieces: going back from its loudest one.
    private static func begin(of peak: Int, _ powers: [Double]) -> Double {
        var first = peak
        for index in stride(from: peak, through: max(peak - 15, 0), by: -1) where powers[index] > begins * powers[peak]
        {
            first = index
        }
        // On average in the middle of the piece in which it begins.
        return Double(first) + 0.5
    }

    /// How many sounds as loud as the hits there are, beside what belongs to a hit: a key that goes down and up again.
    private static func others(_ powers: [Double], _ hits: [Int]) -> Int {
        let loud = rival * hits.map { powers[$0] }.sorted()[hits.count / 2]
        var (count, index) = (0, 0)
        while index < powers.count {
            if let hit = hits.first(where: { (($0 - before)...($0 + after)).contains(index) }) {
                index = hit + after + 1
            } else if powers[index] > loud {
                count += 1
                index += after
            } else {
                index += 1
            }
        }
        return count
    }
}
