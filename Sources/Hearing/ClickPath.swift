/// Whether a microphone hears the clicks of the metronome, and how much later than they are expected: where their own sound is
/// found again and again. In headphones nobody but the player hears them.
struct ClickPath: Sendable {
    /// How much later than expected the clicks are heard, in samples; nil if they are not heard.
    private(set) var late: Int?
    /// Whether enough clicks have been looked at to tell.
    var isKnown: Bool { curves.count >= ClickPath.fewest }

    /// How far from its place a click is looked for, in samples: 10 ms before it, 0.2 s after it.
    static let reach = -240...4800
    /// Samples from one comparison to the next, and the longest stretch of a click that is compared.
    private static let (step, length) = (4, 600)
    /// How many of the newest clicks count, and how many are needed.
    private static let (most, fewest) = (16, 4)
    /// By how many standard deviations the place must stand out, and how much of the sound must be the click.
    private static let (prominence, leastShare): (Float, Float) = (7, 0.02)
    /// Of echoes the first counts that has so much of the highest.
    private static let direct: Float = 0.6
    /// Comparisons about the place that do not count as others: the click is like itself a moment later, and rings in the room.
    private static let own = -12...240

    private let shapes: [KnownClicks.Shape]
    /// How much of the sound is the click at each place, for the newest clicks.
    private var curves: [[Float]] = []

    init(_ shapes: [KnownClicks.Shape]) {
        self.shapes = shapes.map { Array(KnownClicks.whitened($0).prefix(ClickPath.length)) }
    }

    /// How many samples after its place are needed to look at a click.
    static let needed = reach.upperBound + length

    /// Looks at a click: `sound` begins `reach.lowerBound` samples from its place and has all of the reach.
    mutating func look(_ sound: ArraySlice<Float>, shape: Int) {
        let (take, shape) = (KnownClicks.whitened(Array(sound)), shapes[shape])
        let energy = shape.reduce(0) { $0 + $1 * $1 }
        guard energy > 0, take.count >= ClickPath.reach.count + shape.count else { return }
        var sums: [Float] = [0]
        for sample in take { sums.append(sums[sums.count - 1] + sample * sample) }
        let quiet: Float = sums[take.count] * 0.01 * Float(shape.count) / Float(take.count) + 1e-9
        let curve = take.withUnsafeBufferPointer { take in
            guard let take = take.baseAddress else { return [Float]() }
            return stride(from: 0, to: ClickPath.reach.count, by: ClickPath.step).map { at -> Float in
                let sum = Products.sum(take + at, shape, shape.count)
                return sum * sum / energy / (max(sums[at + shape.count] - sums[at], 0) + quiet)
            }
        }
        // Two crystals drift apart by less than a step.
        curves.append(curve.indices.map { curve[max(0, $0 - 2)...min(curve.count - 1, $0 + 2)].max() ?? 0 })
        if curves.count > ClickPath.most { curves.removeFirst() }
        late = isKnown ? place() : nil
    }

    private func place() -> Int? {
        let mean = curves[0].indices.map { index in curves.reduce(0) { $0 + $1[index] } / Float(curves.count) }
        guard let top = mean.indices.max(by: { mean[$0] < mean[$1] }), mean[top] > ClickPath.leastShare,
            let first = mean.indices.first(where: { mean[$0] >= ClickPath.direct * mean[top] })
        else { return nil }
        let others = mean.indices.filter { !ClickPath.own.contains($0 - first) }.map { mean[$0] }
        guard others.count > 100 else { return nil }
        let usual = others.reduce(0, +) / Float(others.count)
        let variance = others.reduce(0) { $0 + ($1 - usual) * ($1 - usual) } / Float(others.count)
        guard mean[first] - usual > ClickPath.prominence * variance.squareRoot() else { return nil }
        // The middle of the places that are as high.
        let last = mean[first...].firstIndex { $0 < mean[first] } ?? first + 1
        return ClickPath.reach.lowerBound + (first + last - 1) / 2 * ClickPath.step
    }
}
