internal import Glibc

/// The clicks of a metronome whose sounds and distances are known exactly, as a take has them.
package struct KnownClicks: Sendable {
    /// The sound of a click, at `Bands.rate`.
    package typealias Shape = [Float]

    /// When each click sounds in seconds, and which shape it has.
    package let clicks: [(seconds: Double, shape: Int)]
    package let shapes: [Shape]

    /// Makes clicks in the order of time.
    package init(_ clicks: [(seconds: Double, shape: Int)], shapes: [Shape]) {
        (self.clicks, self.shapes) = (clicks, shapes)
    }

    /// Clicks that were found in a take: their times in it, in order.
    struct Found {
        var clicks: [(seconds: Double, shape: Int)]
        /// When each of them sounds by the score, in seconds.
        var nominal: [Double]
        /// How many shapes there are.
        var shapes: Int
    }

    /// Samples from one comparison to the next.
    private static let step = 4
    /// Comparisons in one value of the match, which is their highest: 2 ms.
    private static let width = 12
    private static let perSecond = Double(Bands.rate) / Double(step * width)
    /// The longest stretch of a click that is compared, in samples: 25 ms.
    private static let length = 600
    /// By how many standard deviations the place of the clicks must stand out.
    private static let least = 7.0

    /// The clicks as a take has them; nil if they are not heard in it.
    func found(in samples: [Float]) -> Found? {
        // Fewer do not make a pattern that music cannot have.
        guard clicks.count >= 5, let first = clicks.first else { return nil }
        let take = KnownClicks.whitened(samples)
        let levels = shapes.map { KnownClicks.match(take, KnownClicks.whitened($0)) }
        let matches = levels.map(KnownClicks.surprises)
        guard let count = matches.first?.count, count > 0 else { return nil }
        let places = clicks.prefix(80).map {
            (Int((($0.seconds - first.seconds) * KnownClicks.perSecond).rounded()), $0.shape)
        }
        guard let span = places.last?.0, span < 1 << 24 else { return nil }
        /// How much the take is surprisingly like the clicks if the first is at `offset`, in standard deviations.
        func score(_ offset: Int) -> Double {
            var (sum, within) = (0.0, 0)
            for (place, shape) in places where offset + place >= 0 && offset + place < count {
                sum += Double(matches[shape][offset + place])
                within += 1
            }
            // A take may have begun after the first click, and may end before the last.
            guard within >= 5, within * 3 >= places.count else { return 0 }
            return (sum - Double(within)) / Double(within).squareRoot()
        }
        let scores = (-span..<count).map(score)
        guard let best = scores.indices.max(by: { scores[$0] < scores[$1] }), scores[best] > KnownClicks.least
        else { return nil }
        // The room says the click again: the first place that is as good is meant.
        func level(_ index: Int) -> Float {
            places.reduce(0) { sum, place in
                let at = index - span + place.0
                return levels[place.1].indices.contains(at) ? sum + levels[place.1][at] : sum
            }
        }
        let near = Array(max(0, best - 20)...best + 3)
        let heights = near.map(level)
        let least = (heights.max() ?? 0) * 0.6
        let summit = near.indices.first { index in
            heights[index] >= least && (index + 1 == near.count || heights[index + 1] <= heights[index])
        }
        let start = (Double(near[summit ?? 0] - span) + 0.5) / KnownClicks.perSecond - first.seconds
        let all = followed(levels, from: start, Double(samples.count) / Double(Bands.rate))
        return Found(
            clicks: all.map { ($0.seconds, $0.shape) }, nominal: all.map(\.nominal), shapes: shapes.count)
    }

    /// The clicks about where they must be, while the two clocks drift apart.
    private func followed(
        _ matches: [[Float]], from start: Double, _ length: Double
    ) -> [(seconds: Double, shape: Int, nominal: Double)] {
        var shift = start
        return clicks.compactMap { click in
            let seconds = click.seconds + shift
            guard seconds > -0.5, seconds < length else { return nil }
            let match = matches[click.shape]
            let about = Int((seconds * KnownClicks.perSecond).rounded())
            let near = (about - 2...about + 2).filter(match.indices.contains)
            if let place = near.max(by: { match[$0] < match[$1] }) {
                let error = (Double(place) + 0.5) / KnownClicks.perSecond - seconds
                shift += max(-0.001, min(0.001, error * 0.1))
            }
            return (click.seconds + shift, click.shape, click.seconds)
        }
    }

    /// Without what low notes have most of.
    static func whitened(_ samples: [Float]) -> [Float] {
        var last: Float = 0
        return samples.map { sample in
            defer { last = sample }
            return sample - 0.95 * last
        }
    }

    /// How rare values as high as each, or its neighbors, are: the logarithm, 1 on average and at most 5.
    private static func surprises(_ match: [Float]) -> [Float] {
        let highest = match.indices.map { match[max(0, $0 - 1)...min(match.count - 1, $0 + 1)].max() ?? 0 }
        var surprises = [Float](repeating: 0, count: match.count)
        for (rank, index) in highest.indices.sorted(by: { highest[$0] > highest[$1] }).enumerated() {
            surprises[index] = min(5, -logf((Float(rank) + 0.5) / Float(match.count)))
        }
        return surprises
    }

    /// How much of the take at each place is the shape: 0 ... 1.
    private static func match(_ take: [Float], _ shape: [Float]) -> [Float] {
        let length = min(shape.count, length)
        let energy = shape.prefix(length).reduce(0) { $0 + $1 * $1 }
        guard take.count > length, energy > 0 else { return [] }
        var sums = [Double](repeating: 0, count: take.count + 1)
        for n in take.indices { sums[n + 1] = sums[n] + Double(take[n] * take[n]) }
        let count = (take.count - length) / (step * width)
        let floor = sums[take.count] / Double(take.count) * Double(length) * 0.01 + 1e-12
        return take.withUnsafeBufferPointer { take in
            shape.withUnsafeBufferPointer { shape in
                (0..<count).map { index -> Float in
                    var best: Float = 0
                    for part in 0..<width {
                        let at = (index * width + part) * step
                        var sum: Float = 0
                        for n in 0..<length { sum += take[at + n] * shape[n] }
                        let all = Float(sums[at + length] - sums[at] + floor)
                        best = max(best, sum * sum / (all * energy))
                    }
                    return best
                }
            }
        }
    }
}
