internal import Glibc

/// The clicks of a metronome whose sounds and distances are known exactly, as a take has them.
package struct KnownClicks: Sendable {
    /// The sound of a click, at `Bands.rate`.
    package typealias Shape = [Float]

    /// When each click sounds in seconds, and which shape it has.
    package let clicks: [(seconds: Double, shape: Int)]
    package let shapes: [Shape]

    /// Fewer clicks do not make a pattern that music cannot have.
    package static let fewest = 5

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
        guard clicks.count >= KnownClicks.fewest, let first = clicks.first else { return nil }
        let take = KnownClicks.whitened(samples)
        let all = shapes.map { KnownClicks.match(take, KnownClicks.whitened($0)) }
        let matches = all.map { KnownClicks.surprises($0.shares) }
        let levels = all.map(\.levels)
        guard let count = matches.first?.count, count > 0 else { return nil }
        let everyPlace = clicks.map {
            (place: Int((($0.seconds - first.seconds) * KnownClicks.perSecond).rounded()), shape: $0.shape)
        }
        let places = everyPlace.prefix(80)
        guard let span = places.last?.place, span < 1 << 24 else { return nil }
        /// How much the take is surprisingly like the clicks if the first is at `offset`, in standard deviations.
        func score(_ offset: Int) -> Double {
            var (sum, within) = (0.0, 0)
            for (place, shape) in places where offset + place >= 0 && offset + place < count {
                sum += Double(matches[shape][offset + place])
                within += 1
            }
            // A take may have begun after the first click, and may end before the last.
            guard within >= KnownClicks.fewest, within * 3 >= places.count else { return 0 }
            return (sum - Double(within)) / Double(within).squareRoot()
        }
        let scores = (-span..<count).map(score)
        guard let highest = scores.max(), highest > KnownClicks.least else { return nil }
        // If all lines are alike, some of the clicks fit as well at another line. All of them fit best where most are heard.
        func total(_ index: Int) -> Double {
            everyPlace.reduce(0) { sum, click in
                let at = index - span + click.place
                return (0..<count).contains(at) ? sum + Double(matches[click.shape][at]) - 1 : sum
            }
        }
        let candidates = scores.indices.filter { scores[$0] > highest * 0.8 }
        guard let best = candidates.max(by: { total($0) < total($1) }) else { return nil }
        let start = (Double(place(best, places, span, levels)) + 0.5) / KnownClicks.perSecond - first.seconds
        let found = followed(levels, from: start, Double(samples.count) / Double(Bands.rate))
        return Found(
            clicks: found.map { ($0.seconds, $0.shape) }, nominal: found.map(\.nominal), shapes: shapes.count)
    }

    /// Where the first click is, near the place `best` of the scores. The room says the click again, later: if an earlier place
    /// is like the clicks in itself, and not only as a click is like itself a moment before, that one is meant.
    private func place(
        _ best: Int, _ places: ArraySlice<(place: Int, shape: Int)>, _ span: Int, _ levels: [[Float]]
    ) -> Int {
        // A click that falls between two values is in either of them.
        func highest(_ values: [Float], _ at: Int) -> Float {
            (at - 1...at + 1).reduce(0) { values.indices.contains($1) ? max($0, values[$1]) : $0 }
        }
        func level(_ index: Int) -> Float {
            places.reduce(0) { $0 + highest(levels[$1.shape], index - span + $1.place) }
        }
        let reach = 20
        let near = Array(best - reach...best + 3)
        let heights = near.map(level)
        guard let summit = heights.indices.max(by: { heights[$0] < heights[$1] }) else { return best - span }
        let own = KnownClicks.whitened(shapes[0])
        let silence = [Float](repeating: 0, count: (reach + 4) * KnownClicks.step * KnownClicks.width)
        let alike = KnownClicks.match(silence + own + silence, own).levels
        let top = max(highest(alike, reach + 4), .leastNormalMagnitude)
        let direct = heights.indices.prefix(summit).first { index in
            let expected = heights[summit] * highest(alike, reach + 4 - (summit - index)) / top
            return heights[index] >= heights[summit] * 0.6 && heights[index] - expected >= heights[summit] * 0.3
                && heights[index + 1] <= heights[index]
        }
        return near[direct ?? summit] - span
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

    /// When each click sounds in a take in which it is known when bars begin; clicks of other bars are left out. The clicks
    /// count from bar `first`; bars last as long as `written`.
    func placed(at expected: [Double?], _ written: [Double], first: Int) -> [(seconds: Double, shape: Int)] {
        var (bar, begin) = (first, 0.0)
        return clicks.compactMap { click in
            // A click at the very beginning of a bar may be rounded into the one before.
            while bar + 1 < written.count, click.seconds > begin + written[bar] - 1e-4 {
                begin += written[bar]
                bar += 1
            }
            guard expected.indices.contains(bar), written.indices.contains(bar), let place = expected[bar] else {
                return nil
            }
            let next = bar + 1 < expected.count ? expected[bar + 1] : nil
            let pace = next.map { ($0 - place) / written[bar] } ?? 1
            return (place + (click.seconds - begin) * pace, click.shape)
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

    /// How like a shape the take is at each place.
    private struct Match {
        /// How much of the take is the shape: 0 ... 1. After a click that decays, the rest of it is as like the shape.
        var shares: [Float] = []
        /// The same times the power of that part, which is highest where the click begins.
        var levels: [Float] = []
    }

    private static func match(_ take: [Float], _ shape: [Float]) -> Match {
        let length = min(shape.count, length)
        let energy = shape.prefix(length).reduce(0) { $0 + $1 * $1 }
        guard take.count > length, energy > 0 else { return Match() }
        var sums = [Double](repeating: 0, count: take.count + 1)
        for n in take.indices { sums[n + 1] = sums[n] + Double(take[n] * take[n]) }
        let count = (take.count - length) / (step * width)
        let floor = sums[take.count] / Double(take.count) * Double(length) * 0.01 + 1e-12
        var match = Match()
        take.withUnsafeBufferPointer { take in
            shape.withUnsafeBufferPointer { shape in
                for index in 0..<count {
                    var (share, level): (Float, Float) = (0, 0)
                    for part in 0..<width {
                        let at = (index * width + part) * step
                        var sum: Float = 0
                        for n in 0..<length { sum += take[at + n] * shape[n] }
                        let power = sum * sum / energy
                        let part = power / Float(sums[at + length] - sums[at] + floor)
                        share = max(share, part)
                        level = max(level, part * power)
                    }
                    match.shares.append(share)
                    match.levels.append(level)
                }
            }
        }
        return match
    }
}
