internal import Glibc

/// How like the sounds of clicks a take is, everywhere in it, in values of 2 ms.
struct ClickMatch {
    /// Samples from one comparison to the next.
    static let step = 4
    /// Comparisons in one value of the match, which is their highest: 2 ms.
    static let width = 12
    static let perSecond = Double(Bands.rate) / Double(step * width)
    /// The longest stretch of a click that is compared, in samples: 25 ms.
    static let length = 600

    /// For each shape, how much of the take is the shape: 0 ... 1. After a click that decays, the rest of it is as like the shape.
    private(set) var shares: [[Float]] = []
    /// For each shape, the same times the power of that part, which is highest where the click begins.
    private(set) var levels: [[Float]] = []
    /// For each shape, how rare shares as high as each, or its neighbors, are.
    private(set) var surprises: [[Float]] = []
    var count: Int { shares.first?.count ?? 0 }

    init(_ samples: [Float], _ shapes: [KnownClicks.Shape]) {
        let take = KnownClicks.whitened(samples)
        for shape in shapes {
            let (shares, levels) = ClickMatch.match(take, KnownClicks.whitened(shape))
            self.shares.append(shares)
            self.levels.append(levels)
            surprises.append(ClickMatch.surprises(shares))
        }
    }

    /// The value at a time in seconds, which may be outside of the take.
    static func value(at seconds: Double) -> Int { Int((seconds * perSecond).rounded(.down)) }

    /// The highest value about a place: a click that falls between two values is in either of them.
    static func highest(_ values: [Float], _ at: Int) -> Float {
        (at - 1...at + 1).reduce(0) { values.indices.contains($1) ? max($0, values[$1]) : $0 }
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

    /// How like a shape a take is: shares and levels.
    private static func match(_ take: [Float], _ shape: [Float]) -> (shares: [Float], levels: [Float]) {
        let length = min(shape.count, length)
        let energy = shape.prefix(length).reduce(0) { $0 + $1 * $1 }
        guard take.count > length, energy > 0 else { return ([], []) }
        var sums = [Double](repeating: 0, count: take.count + 1)
        for n in take.indices { sums[n + 1] = sums[n] + Double(take[n] * take[n]) }
        let count = (take.count - length) / (step * width)
        let floor = sums[take.count] / Double(take.count) * Double(length) * 0.01 + 1e-12
        var (shares, levels): ([Float], [Float]) = ([], [])
        take.withUnsafeBufferPointer { take in
            shape.withUnsafeBufferPointer { shape in
                guard let take = take.baseAddress, let shape = shape.baseAddress else { return }
                for index in 0..<count {
                    var (share, level): (Float, Float) = (0, 0)
                    for part in 0..<width {
                        let at = (index * width + part) * step
                        let sum = Products.sum(take + at, shape, length)
                        let power = sum * sum / energy
                        let part = power / Float(sums[at + length] - sums[at] + floor)
                        share = max(share, part)
                        level = max(level, part * power)
                    }
                    shares.append(share)
                    levels.append(level)
                }
            }
        }
        return (shares, levels)
    }
}
