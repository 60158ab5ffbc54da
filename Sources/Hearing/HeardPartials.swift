/// What each of the lowest harmonics tells of the pitch at a moment.
package struct HeardPartials: Sendable, Equatable {
    /// So many are kept: they are those by which an ear finds the pitch.
    static let most = 8

    /// The pitch of which each is a harmonic, in octaves above that of the moment.
    private(set) var heights = SIMD8<Float>(repeating: 0)
    /// How much each counts; 0 for one that is not heard.
    private(set) var weights = SIMD8<Float>(repeating: 0)
    /// Those that the drone hides, and those so near a partial of the drone that their beginning is disturbed: a bit for each.
    private(set) var (hidden, near): (UInt8, UInt8) = (0, 0)

    package init() {}

    /// Adds harmonic `h`, from 1 on.
    mutating func add(_ h: Int, height: Double, weight: Double, isNear: Bool) {
        guard h <= HeardPartials.most else { return }
        (heights[h - 1], weights[h - 1]) = (Float(height), Float(weight))
        if isNear { near |= 1 << (h - 1) }
    }

    /// Tells that the drone hides harmonic `h`.
    mutating func hide(_ h: Int) { if h <= HeardPartials.most { hidden |= 1 << (h - 1) } }

    /// Counts all heights from another pitch, so many octaves higher.
    mutating func rebase(by octaves: Double) { heights -= Float(octaves) }

    /// Whether most is told by harmonics near the drone, although those hardly count.
    var isNearDrone: Bool {
        let counts = weights(of: .max, isEarly: true)
        var sum: Float = 0
        for n in 0..<HeardPartials.most where near & 1 << n != 0 { sum += counts[n] }
        return sum > counts.sum() / 2
    }

    /// The pitch by these harmonics alone, in octaves above that of the moment; nil if none is heard.
    func pitch(of harmonics: UInt8, isEarly: Bool) -> Float? {
        let weights = weights(of: harmonics, isEarly: isEarly)
        let sum = weights.sum()
        return sum > 0 ? (heights * weights).sum() / sum : nil
    }

    /// How much these harmonics count; early in a note, those near the drone hardly do.
    func weights(of harmonics: UInt8, isEarly: Bool) -> SIMD8<Float> {
        var weights = weights
        for n in 0..<HeardPartials.most where harmonics & 1 << n == 0 || hidden & 1 << n != 0 { weights[n] = 0 }
        guard isEarly else { return weights }
        for n in 0..<HeardPartials.most where near & 1 << n != 0 { weights[n] *= Float(PitchTracker.near) }
        return weights
    }
}
