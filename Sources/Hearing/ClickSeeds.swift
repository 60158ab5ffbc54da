/// Places of a take at which some clicks that follow each other may be, by how surprisingly like them it is there.
struct ClickSeeds {
    /// The places, the most surprising first.
    private(set) var best: [ClickTrack.Seed] = []
    /// The middle clicks of the windows that were looked for.
    private(set) var clicks: [Int] = []

    /// A window has at most so many clicks, and lasts at most so many seconds.
    private static let (most, longest) = (24, 40.0)
    /// How much longer a second may be in the take: between two of these, the ends of a window are 2 ms off.
    private static let drifts = Array(stride(from: -6e-4, through: 6e-4, by: 2e-4))
    /// Values about a place that do not count as another.
    private static let apart = 5
    /// Windows that are less surprising than the best by this factor are left out, and all after so many.
    private static let (least, limit) = (0.6, 4000)

    init(_ all: [(seconds: Double, shape: Int)], _ match: ClickMatch) {
        // A take of a part has some windows, too.
        let length = Double(match.count) / ClickMatch.perSecond
        var (seeds, next): ([(seed: ClickTrack.Seed, score: Float)], Double) = ([], -.infinity)
        for first in all.indices.dropLast(KnownClicks.fewest - 1)
        where all[first].seconds >= next || first == all.count - KnownClicks.fewest {
            next = all[first].seconds + length / 8
            let end = all[first...].prefix(ClickSeeds.most).prefix {
                $0.seconds - all[first].seconds <= min(ClickSeeds.longest, length / 2)
            }.endIndex
            let window = first..<max(end, first + KnownClicks.fewest)
            let middle = (window.lowerBound + window.upperBound) / 2
            clicks.append(middle)
            for (place, score, drift) in ClickSeeds.places(of: all[window], about: all[middle].seconds, match) {
                let shift = (Double(place) + 0.5) / ClickMatch.perSecond - all[middle].seconds
                seeds.append((ClickTrack.Seed(click: middle, shift: shift, drift: drift), score))
            }
        }
        seeds.sort { $0.score > $1.score }
        let least = (seeds.first?.score ?? 0) * Float(ClickSeeds.least)
        best = seeds.prefix(ClickSeeds.limit).prefix { $0.score >= least }.map(\.seed)
    }

    /// The places of the middle of a window that are more surprising than those about them, with the drift.
    private static func places(
        of window: ArraySlice<(seconds: Double, shape: Int)>, about middle: Double, _ match: ClickMatch
    ) -> [(place: Int, score: Float, drift: Double)] {
        let count = match.count
        var scores = [Float](repeating: 0, count: count)
        var best = [Int](repeating: 0, count: count)
        for (index, drift) in drifts.enumerated() {
            var sums = [Float](repeating: 0, count: count)
            // How many more clicks are within the take at each place than at the one before it.
            var more = [Int](repeating: 0, count: count + 1)
            for click in window {
                let away = Int(((click.seconds - middle) * (1 + drift) * ClickMatch.perSecond).rounded())
                let places = max(0, -away)..<max(0, -away, min(count, count - away))
                guard !places.isEmpty else { continue }
                more[places.lowerBound] += 1
                more[places.upperBound] -= 1
                sums.withUnsafeMutableBufferPointer { sums in
                    match.surprises[click.shape].withUnsafeBufferPointer { surprises in
                        for place in places { sums[place] += surprises[place + away] }
                    }
                }
            }
            var within = 0
            for place in 0..<count {
                within += more[place]
                // A take may have begun after the first click, and may end before the last.
                guard within >= KnownClicks.fewest else { continue }
                let score = (sums[place] - Float(within)) / Float(within).squareRoot()
                if score > scores[place] { (scores[place], best[place]) = (score, index) }
            }
        }
        return scores.indices.compactMap { place in
            let score = scores[place]
            guard score > 0 else { return nil }
            for other in max(0, place - apart)...min(count - 1, place + apart)
            where scores[other] > score || (scores[other] == score && other < place) { return nil }
            return (place, score, drifts[best[place]])
        }
    }
}
